private import Glibc

/// A path in two parts: the folder, and the name in it.
///
/// A slash is a slash whatever follows it, even a mark that Swift would take for a part of the same character.
public struct PathParts: Equatable, Sendable {
    /// The part before the name, with its slash at the end; empty if no folder is named.
    private let start: Substring
    /// The part after the last slash; empty if there is none.
    public let name: String

    public init(_ path: String) {
        let cut = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        start = path[..<cut]
        name = String(path[cut...])
    }

    /// The folder without a slash at its end, but for that of the root; empty if none is named.
    public var folder: String { start.utf8.count < 2 ? String(start) : String(start.unicodeScalars.dropLast()) }

    /// The folder as it can be opened, and put before another name in it: `./` if no folder is named.
    public var place: String { start.isEmpty ? "./" : String(start) }

    /// Makes the folders on the way to a file that are missing.
    static func makeFolders(for path: String) throws(FileError) {
        let folder = PathParts(path).place
        for (index, byte) in zip(folder.utf8.indices, folder.utf8)
        where byte == UInt8(ascii: "/") && index > folder.startIndex {
            guard unsafe mkdir(String(folder[..<index]), 0o777) != 0, errno != EEXIST, errno != EISDIR else { continue }
            throw FileError(.makeFolder, String(folder[..<index]))
        }
    }
}

/// Returns a path without symbolic links, `.` and `..`; `nil` if there is no such file (realpath(3)).
func realPath(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
}

/// What a symbolic link says, which may lead nowhere; `nil` if it is no link.
func linkTarget(_ path: String) -> String? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &target, Int(PATH_MAX))
    return count > 0 ? String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
}
