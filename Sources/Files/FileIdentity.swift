private import Glibc

/// A file or directory by device and inode, which tells whether two paths are of one file, however they are written.
public struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    /// Of a file that is not there yet; the numbers are then its directory's.
    private let name: String

    private init(_ status: stat, name: String = "") {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        self.name = name
    }

    /// Identifies a regular file by its path, symbolic links followed. It need not be there yet; its directory must.
    ///
    /// - Returns: `nil` for what is no regular file, such as `/dev/null`, and where there is no directory.
    public init?(_ path: String) {
        var status = stat()
        if unsafe stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { return nil }
            self.init(status)
        } else {
            let parts = PathParts(path)
            guard unsafe stat(parts.place, &status) == 0 else { return nil }
            self.init(status, name: parts.name)
        }
    }

    /// Identifies a directory by its path, symbolic links followed; `nil` if there is none.
    public init?(directory path: String) {
        var status = stat()
        guard unsafe stat(path.isEmpty ? "." : path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            return nil
        }
        self.init(status)
    }

    /// Standard input or output, if it is a regular file.
    private init?(descriptor: CInt) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(status)
    }

    /// The regular file that standard input was redirected from, if there is one.
    public static var standardInput: FileIdentity? { FileIdentity(descriptor: STDIN_FILENO) }

    /// The regular file that standard output was redirected to, if there is one.
    public static var standardOutput: FileIdentity? { FileIdentity(descriptor: STDOUT_FILENO) }

    /// The directory that a file is in, and all directories above that one.
    ///
    /// The file and directories on the way to it need not be there yet: those that would be made do not count. Symbolic
    /// links to directories are followed; a symbolic link in the file's own place is not.
    public static func directories(above path: String) -> [FileIdentity] {
        guard var directory = OutputFile.realPath(existingDirectory(of: path)) else { return [] }
        var found: [FileIdentity] = []
        while true {
            if let identity = FileIdentity(directory: directory) { found.append(identity) }
            if directory == "/" || directory.isEmpty { return found }
            directory = PathParts(directory).folder
        }
    }

    /// The last directory on the way to a file that is there, when those that are missing have been made.
    private static func existingDirectory(of path: String) -> String {
        var existing = path.utf8.first == UInt8(ascii: "/") ? "/" : "."
        // How many directories would be made below it.
        var missing = 0
        for name in PathParts(path).place.utf8.split(separator: UInt8(ascii: "/")) {
            let name = String(Substring(name))
            switch name {
            case ".": continue
            case ".." where missing > 0: missing -= 1
            default:
                let next = existing + "/" + name
                if missing == 0, FileIdentity(directory: next) != nil { existing = next } else { missing += 1 }
            }
        }
        return existing
    }

    /// Where standard output goes, if the system tells and it is a regular file.
    public static var standardOutputPath: String? {
        standardOutput == nil ? nil : OutputFile.realPath("/proc/self/fd/\(STDOUT_FILENO)")
    }
}
