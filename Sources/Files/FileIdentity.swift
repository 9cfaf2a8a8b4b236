private import Glibc

/// Tells whether two paths are of one file, however they are written.
public struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    /// Of a file that is not there yet; its folder is what the numbers tell.
    private let name: String

    /// - Returns: `nil` for what is no regular file, such as `/dev/null`, and where there is no folder.
    public init?(_ path: String) {
        var status = stat()
        if unsafe stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { return nil }
            name = ""
        } else {
            let parts = PathParts(path)
            guard unsafe stat(parts.place, &status) == 0 else { return nil }
            name = parts.name
        }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }
}
