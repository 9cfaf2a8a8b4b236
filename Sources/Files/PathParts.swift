/// A path in two parts: the folder, and the name in it.
///
/// A slash is a slash whatever stands behind it: a mark that Swift would take for a part of the same character, too.
public struct PathParts: Equatable, Sendable {
    /// What stands before the name, with its slash at the end; empty if no folder is named.
    private let start: Substring
    /// What stands behind the last slash; empty if nothing does.
    public let name: String

    public init(_ path: String) {
        let cut = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        start = path[..<cut]
        name = String(path[cut...])
    }

    /// The folder without a slash at its end, but for that of the root; empty if none is named.
    public var folder: String { start.utf8.count < 2 ? String(start) : String(start.unicodeScalars.dropLast()) }

    /// What can be opened, and put before another name in the same folder: `./` if no folder is named.
    public var place: String { start.isEmpty ? "./" : String(start) }
}
