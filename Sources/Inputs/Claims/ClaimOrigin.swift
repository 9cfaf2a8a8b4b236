import Encodings
import Files

/// The origin of the claims of a block: the names of their sources, and the folder of their files.
final class ClaimOrigin: Sendable {
    /// The name before the line number in a source: `devices.csv`, `INPUT/devices.csv`.
    let table: String
    /// The prefix of the path of a file without a row: nothing, or `INPUT/`.
    let prefix: String
    /// The folder with the named files. Without one, paths are the user's own and may lead anywhere.
    let folder: ReceiptFolder?
    /// Whether the table has a column for receipts, so that a row without one presents an empty receipt.
    let hasData: Bool
    /// The set of unknown keys.
    let unknownKeys: UnknownKeys?
    let names: ExportNames

    init(
        table: String = "", prefix: String = "", folder: ReceiptFolder? = nil, hasData: Bool = false,
        unknownKeys: UnknownKeys? = nil, names: ExportNames = ExportNames()
    ) {
        self.names = names
        self.unknownKeys = unknownKeys
        self.table = table
        self.prefix = prefix
        self.folder = folder
        self.hasData = hasData
    }

    /// Opens a receipt file. Its path must have a trailing NUL.
    func open(
        _ path: Range<Int>, in text: ByteArena, _ access: ConfinedDirectory.Access = .file
    ) throws(InputFault) -> FileDescriptor {
        let path = text.terminated(path)
        do throws(SystemError) {
            guard let folder else { return try FileDescriptor.open(pathEndingInNUL: path) }
            return try folder.open(path, access)
        } catch {
            throw InputFault(opening: error)
        }
    }
}

/// The names of the claims of one INPUT: short for a single INPUT, otherwise with the INPUT as written.
struct ClaimNames {
    /// The INPUT as written.
    let input: String
    let path: String
    let isOnly: Bool

    init(input: GivenPath, isOnly: Bool) {
        self.input = input.written
        path = input.path
        self.isOnly = isOnly
    }

    /// The name before the line in a table's claims, and the name of a single file's claim. For a single standard input
    /// it is `stdin`, because a spreadsheet would take `-:17` for a formula.
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

/// A file or folder named by a person: as written, and its path.
///
/// The two differ in a job file, where paths are relative to its folder. Reports use the written form, so that they do
/// not depend on the working directory.
public struct GivenPath: Sendable, Equatable {
    public var written: String
    public var path: String

    public init(_ written: String) { self.init(written, at: written) }

    public init(_ written: String, at path: String) {
        self.written = written
        self.path = path
    }

    /// Makes a path relative to a folder. Absolute paths and `-` stay unchanged.
    ///
    /// - Parameter folder: without a trailing slash; empty for the current folder.
    public init(_ written: String, in folder: String) {
        let isRelative = !written.hasPrefix("/") && written != "-" && !folder.isEmpty
        self.init(written, at: isRelative ? (folder == "/" ? "/" : folder + "/") + written : written)
    }
}
