/// Where the claims of a block come from: what their sources are called, and where their files lie.
final class ClaimOrigin: Sendable {
    /// What stands before the line number in a source: `devices.csv`, `INPUT/devices.csv`.
    let table: String
    /// What stands before the path of a file without a row: nothing, or `INPUT/`.
    let prefix: String
    /// The folder that holds the named files. Without one, paths are a user's own and go anywhere.
    let folder: ConfinedDirectory?
    /// Whether a row without a receipt still had a place for one, and so presents an empty receipt.
    let hasData: Bool

    /// Where the keys are noted that nobody asked for.
    let unknownKeys: UnknownKeys?

    init(
        table: String = "", prefix: String = "", folder: ConfinedDirectory? = nil, hasData: Bool = false,
        unknownKeys: UnknownKeys? = nil
    ) {
        self.unknownKeys = unknownKeys
        self.table = table
        self.prefix = prefix
        self.folder = folder
        self.hasData = hasData
    }

    /// Opens a receipt file, whose path has a NUL behind it.
    func open(
        _ path: Range<Int>, in text: ByteArena, _ way: ConfinedDirectory.Way = .file
    ) throws(InputFault) -> FileDescriptor {
        let path = text.terminated(path)
        do throws(SystemError) {
            guard let folder else { return try FileDescriptor.open(pathEndingInNUL: path) }
            return try folder.open(path, way)
        } catch {
            throw InputFault(opening: error)
        }
    }
}
