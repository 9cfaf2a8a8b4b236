/// What a folder holds besides receipts.
public struct SkippedEntries: Sendable {
    /// Devices, FIFOs and sockets.
    public internal(set) var specialFiles = 0
    /// Symbolic links to folders, which are not followed, and links that lead nowhere or out.
    public internal(set) var links = 0
    /// How many folders could not be read, or not to their ends.
    public private(set) var unreadableFolders = 0
    private var minUnreadable = LeastNames()

    /// The paths of the first of them, in the order of their bytes.
    public var unreadablePaths: [String] { minUnreadable.names }

    package init() {}

    package mutating func note(unreadableFolder path: String) {
        unreadableFolders += 1
        minUnreadable.add(path)
    }

    static func += (a: inout SkippedEntries, b: SkippedEntries) {
        a.specialFiles += b.specialFiles
        a.links += b.links
        a.unreadableFolders += b.unreadableFolders
        for path in b.unreadablePaths { a.minUnreadable.add(path) }
    }
}
