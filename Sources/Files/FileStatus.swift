internal import Glibc

/// The used fields of a `struct stat`.
package struct FileStatus: Sendable {
    package let device: UInt64
    package let inode: UInt64
    /// In bytes.
    package let size: Int
    /// When the bytes were last changed, in nanoseconds since the epoch.
    package let modified: Int64
    let mode: mode_t
    /// The owner's user id.
    let owner: uid_t
    /// The group's id.
    let group: gid_t

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int(status.st_size)
        modified = Self.nanoseconds(status.st_mtim)
        mode = status.st_mode
        owner = status.st_uid
        group = status.st_gid
    }

    /// Reads the status of a file by its path, following symbolic links; `nil` if it does not exist.
    init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    package var isRegular: Bool { mode & S_IFMT == S_IFREG }
    package var isFolder: Bool { mode & S_IFMT == S_IFDIR }
    package var isLink: Bool { mode & S_IFMT == S_IFLNK }

    /// The reason why this cannot be read as a file; `nil` if it can.
    package var objection: String? { isRegular ? nil : isFolder ? "is a directory" : "not a regular file" }

    /// Whether both are the same file.
    package func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}

/// The users who may write a file or a folder, by its owner and mode.
public struct FileAccess: Sendable {
    /// The owner's user id.
    public let owner: UInt32
    /// The permission bits with the sticky bit: `0o1777`.
    public let mode: UInt32

    /// Follows symbolic links; `nil` if nothing has that name.
    public init?(_ path: String) {
        guard let status = FileStatus(path) else { return nil }
        owner = status.owner
        mode = status.mode & 0o7777
    }

    /// The mode in the form of chmod(1), for example `644`.
    public var modeText: String { String(mode, radix: 8) }

    /// Whether it belongs to a user other than this process's. Root's files do not count as foreign, because root can
    /// write everything.
    public var isForeign: Bool { owner != 0 && owner != geteuid() }

    public var isWritableByGroup: Bool { mode & UInt32(S_IWGRP) != 0 }
    public var isWritableByOthers: Bool { mode & UInt32(S_IWOTH) != 0 }
    public var isReadableByOthers: Bool { mode & UInt32(S_IROTH) != 0 }

    /// Returns the folder of a file, and if it is a symbolic link, the folder of its target as well.
    public static func folders(of path: String) -> [String] {
        var folders: [String] = []
        for path in [path, OutputFile.resolved(path)] {
            guard let folder = realPath(PathParts(path).place), !folders.contains(folder) else { continue }
            folders.append(folder)
        }
        return folders
    }
}

/// A file or directory by device and inode, which shows whether two paths lead to the same file.
public struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    /// The name of a file that does not exist yet; the device and inode are then its directory's.
    private let name: String

    private init(_ status: FileStatus, name: String = "") {
        device = status.device
        inode = status.inode
        self.name = name
    }

    /// Identifies a regular file by its path, following symbolic links. It need not exist yet, but its directory must.
    ///
    /// - Returns: `nil` if it is not a regular file, such as `/dev/null`, or if there is no directory.
    public init?(_ path: String) {
        if let status = FileStatus(path) {
            guard status.isRegular else { return nil }
            self.init(status)
        } else {
            let parts = PathParts(path)
            guard let status = FileStatus(parts.place) else { return nil }
            self.init(status, name: parts.name)
        }
    }

    /// Identifies a directory by its path, following symbolic links; `nil` if it does not exist.
    public init?(directory path: String) {
        guard let status = FileStatus(path.isEmpty ? "." : path), status.isFolder else { return nil }
        self.init(status)
    }

    /// Identifies standard input or output, if it is a regular file.
    private init?(standard number: CInt) {
        guard let status = try? FileDescriptor(standard: number).status(), status.isRegular else { return nil }
        self.init(status)
    }

    /// The regular file that standard input was redirected from, if there is one.
    public static var standardInput: FileIdentity? { FileIdentity(standard: STDIN_FILENO) }

    /// The regular file that standard output was redirected to, if there is one.
    public static var standardOutput: FileIdentity? { FileIdentity(standard: STDOUT_FILENO) }

    /// The path of the regular file that standard output was redirected to, if the system provides it.
    public static var standardOutputPath: String? {
        standardOutput == nil ? nil : realPath("/proc/self/fd/\(STDOUT_FILENO)")
    }

    /// Returns the directory of a file and all of its ancestors.
    ///
    /// The file and directories on the way to it need not exist yet; missing directories do not count. Symbolic links
    /// to directories are followed; a symbolic link in the file's own place is not.
    public static func directories(above path: String) -> [FileIdentity] {
        guard var directory = realPath(existingDirectory(of: path)) else { return [] }
        var found: [FileIdentity] = []
        while true {
            if let identity = FileIdentity(directory: directory) { found.append(identity) }
            if directory == "/" || directory.isEmpty { return found }
            directory = PathParts(directory).folder
        }
    }

    /// Returns the last existing directory on the way to a file, as if the missing ones had been created.
    private static func existingDirectory(of path: String) -> String {
        var existing = path.utf8.first == UInt8(ascii: "/") ? "/" : "."
        // The number of directories that would be created below it.
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
}
