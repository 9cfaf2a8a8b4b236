private import Glibc

/// Who may write a file or a folder, by its owner and mode.
public struct FileAccess: Sendable {
    /// The owner's user id.
    public let owner: UInt32
    /// The permission bits with the sticky bit: `0o1777`.
    public let mode: UInt32

    /// Follows symbolic links; `nil` if there is nothing of that name.
    public init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        owner = status.st_uid
        mode = status.st_mode & 0o7777
    }

    /// Whether it belongs to another user than this process's. What belongs to root is not foreign: root can write all.
    public var isForeign: Bool { owner != 0 && owner != geteuid() }

    public var isWritableByGroup: Bool { mode & UInt32(S_IWGRP) != 0 }
    public var isWritableByOthers: Bool { mode & UInt32(S_IWOTH) != 0 }

    /// The folder that a file is in; and if it is a symbolic link, the folder that it leads to as well.
    public static func folders(of path: String) -> [String] {
        var folders: [String] = []
        for path in [path, OutputFile.resolved(path)] {
            guard let folder = OutputFile.realPath(PathParts(path).place), !folders.contains(folder) else { continue }
            folders.append(folder)
        }
        return folders
    }
}
