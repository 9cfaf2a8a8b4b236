/// How far reading has come in the INPUT that is being read.
public struct InputProgress: Equatable, Sendable {
    public enum Unit: Sendable { case files, bytes }

    /// Which INPUT, from 1 on, and of how many.
    public var input = 1
    public var inputs = 1
    public var unit = Unit.files
    public var done = 0
    /// How much there is; `nil` if nobody knows, as on standard input.
    public var total: Int?
}

/// What was seen while reading and is no claim.
public struct InputStatistics: Equatable, Sendable {
    /// Entries of a folder that are no receipt files, by kind.
    public var skipped: [SkippedEntry: Int] = [:]
    /// Columns of tables that nobody asked for.
    public var unknownColumns = UnknownNames()

    /// Adds what was seen elsewhere.
    public mutating func merge(_ other: InputStatistics) {
        skipped.merge(other.skipped) { $0 + $1 }
        unknownColumns.merge(other.unknownColumns)
    }
}

/// A kind of folder entry that is not audited.
public enum SkippedEntry: String, CaseIterable, Sendable {
    case devices, fifos, sockets
    /// Symbolic links to folders, to nothing, or to something outside.
    case links
    /// Folders that may not be listed.
    case unreadableFolders = "unreadable folders"
}
