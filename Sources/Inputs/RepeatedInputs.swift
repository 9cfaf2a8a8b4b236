import Encodings
import Files

/// INPUTs whose claims count twice: one that is named twice, or that is inside another.
package struct RepeatedInputs {
    /// A sentence for each.
    private(set) var doubts: [String] = []

    init(_ inputs: [GivenPath]) {
        var seen: Set<[UInt64]> = []
        var folders: [(identity: FileIdentity, name: String)] = []
        // Most files of a long list are in few folders.
        var known: [ExactText: [FileIdentity]] = [:]
        for input in inputs where input.path != "-" {
            if let identity = FileIdentity(directory: input.path) { folders.append((identity, input.written)) }
        }
        for input in inputs where input.path != "-" {
            guard let status = try? FileDescriptor.open(input.path).status() else { continue }
            guard seen.insert([status.device, status.inode]).inserted else {
                doubts.append(Self.doubt(ofRepeated: input.written))
                continue
            }
            guard !folders.isEmpty else { continue }
            let own = FileIdentity(directory: input.path)
            let place = ExactText(own == nil ? PathParts(input.path).place : input.path)
            let above = known[place] ?? FileIdentity.directories(above: place.text + "/.")
            if known.count < 1000 { known[place] = above }
            guard let folder = folders.first(where: { $0.identity != own && above.contains($0.identity) }) else {
                continue
            }
            doubts.append(
                "\(input.written) is inside the INPUT \(folder.name), which also reads its files as receipts: they count "
                    + "twice")
        }
    }

    /// Returns a sentence for each repeated name, without access to the files.
    package static func doubts(named names: [String]) -> [String] {
        var seen: Set<ExactText> = []
        return names.filter { !seen.insert(ExactText($0)).inserted }.map(doubt(ofRepeated:))
    }

    private static func doubt(ofRepeated name: String) -> String {
        "\(name) is named twice among the INPUTs: its claims count twice"
    }
}
