internal import Files

/// How the claims of one INPUT are named: by itself as short as can be, among several with the INPUT as it was written.
struct ClaimNames {
    /// As it was written.
    let input: String
    /// Where it is.
    let path: String
    let isOnly: Bool

    init(input: GivenPath, isOnly: Bool) {
        self.input = input.written
        path = input.path
        self.isOnly = isOnly
    }

    /// What stands before the line in a table's claims, and what a single file's claim is called.
    /// Standard input alone is `stdin`: a spreadsheet would take `-:17` for a formula.
    var table: String { !isOnly ? input : input == "-" ? "stdin" : PathParts(input).name }

    /// What stands before a path below a folder.
    var prefix: String { isOnly ? "" : input.hasSuffix("/") ? input : input + "/" }

    /// What stands before the line in the claims of a folder's manifest.
    func manifest(_ devices: GivenPath?) -> String {
        guard let devices = devices?.written else { return prefix + "devices.csv" }
        return isOnly ? PathParts(devices).name : devices
    }

    /// The folder to which a table's paths are relative.
    var folder: String {
        let folder = PathParts(path).folder
        return folder.isEmpty ? "." : folder
    }
}
