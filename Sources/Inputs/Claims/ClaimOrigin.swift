import Encodings
import Files

/// The origin of the claims of a block: the names of their sources, and the folder of their files.
final class ClaimOrigin: Sendable {
    /// The name before the line number in a source: `devices.csv`, `INPUT/devices.csv`.
    let table: String
    /// The prefix of the path of a file without a row: nothing, or `INPUT/`.
    let prefix: String
    /// The folder that holds the named files. Without one, paths are a user's own and lead anywhere.
    let folder: ConfinedDirectory?
    /// Whether the table has a column for receipts, so that a row without one presents an empty receipt.
    let hasData: Bool
    /// The set of unknown keys.
    let unknownKeys: UnknownKeys?
    let names: ExportNames

    init(
        table: String = "", prefix: String = "", folder: ConfinedDirectory? = nil, hasData: Bool = false,
        unknownKeys: UnknownKeys? = nil, names: ExportNames = ExportNames()
    ) {
        self.names = names
        self.unknownKeys = unknownKeys
        self.table = table
        self.prefix = prefix
        self.folder = folder
        self.hasData = hasData
    }

    /// Opens a receipt file, whose path has a NUL after it.
    func open(
        _ path: Range<Int>, in text: ByteArena, _ access: ConfinedDirectory.Access = .file
    ) throws(InputFault) -> FileDescriptor {
        let path = text.terminated(path)
        do throws(SystemError) {
            guard let folder else { return try FileDescriptor.open(pathEndingInNUL: path) }
            return try folder.open(anyFormOf: path, access)
        } catch {
            throw InputFault(opening: error)
        }
    }
}

/// The names of the claims of one INPUT: short if it is the only one, among several with the INPUT as it was written.
struct ClaimNames {
    /// The INPUT as it was written.
    let input: String
    let path: String
    let isOnly: Bool

    init(input: GivenPath, isOnly: Bool) {
        self.input = input.written
        path = input.path
        self.isOnly = isOnly
    }

    /// The name before the line in a table's claims, and the name of a single file's claim.
    /// Standard input alone is `stdin`: a spreadsheet would take `-:17` for a formula.
    var table: String { !isOnly ? input : input == "-" ? "stdin" : PathParts(input).name }

    /// The prefix of a path below a folder.
    var prefix: String { isOnly ? "" : input.hasSuffix("/") ? input : input + "/" }

    /// Returns the name before the line in the claims of a folder's manifest.
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

/// A file or folder that a person named: as it was written, and its path.
///
/// The two differ in a job file, whose paths are relative to its own folder. Reports hold the written form, so that
/// they do not depend on the working directory.
public struct GivenPath: Sendable, Equatable {
    public var written: String
    public var path: String

    public init(_ written: String) { self.init(written, at: written) }

    public init(_ written: String, at path: String) {
        self.written = written
        self.path = path
    }

    /// A path that is relative to a folder: what is absolute, or `-`, stays.
    ///
    /// - Parameter folder: without a slash at its end; empty for the current one.
    public init(_ written: String, in folder: String) {
        let isRelative = !written.hasPrefix("/") && written != "-" && !folder.isEmpty
        self.init(written, at: isRelative ? (folder == "/" ? "/" : folder + "/") + written : written)
    }
}
