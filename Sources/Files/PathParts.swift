private import Glibc

/// A path in two parts: the folder, and the name in it.
///
/// A slash is a slash whatever follows it, even a mark that Swift would take for a part of the same character.
public struct PathParts: Equatable, Sendable {
    /// The part before the name, with its trailing slash; empty if there is no folder.
    private let start: Substring
    /// The part after the last slash; empty if there is none.
    public let name: String

    public init(_ path: String) {
        let cut = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        start = path[..<cut]
        name = String(path[cut...])
    }

    /// The folder without a trailing slash, except for the root; empty if there is none.
    public var folder: String { start.utf8.count < 2 ? String(start) : String(start.unicodeScalars.dropLast()) }

    /// The folder in a form that can be opened and prefixed to another name: `./` if there is none.
    public var place: String { start.isEmpty ? "./" : String(start) }

    /// Creates the missing folders on the way to a file.
    static func makeFolders(for path: String) throws(FileError) {
        let folder = PathParts(path).place
        for (index, byte) in zip(folder.utf8.indices, folder.utf8)
        where byte == UInt8(ascii: "/") && index > folder.startIndex {
            guard unsafe mkdir(String(folder[..<index]), 0o777) != 0, errno != EEXIST, errno != EISDIR else { continue }
            throw FileError(.makeFolder, String(folder[..<index]))
        }
    }
}

/// Returns a path without symbolic links, `.` and `..`; `nil` if it does not exist (realpath(3)).
func realPath(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
}

/// Returns the target of a symbolic link, which may not exist; `nil` if it is not a link.
func linkTarget(_ path: String) -> String? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &target, Int(PATH_MAX))
    return count > 0 ? String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
}
