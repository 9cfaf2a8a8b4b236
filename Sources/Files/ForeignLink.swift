internal import Glibc

/// Symbolic links that another user put into a folder that everybody can write, such as `/tmp`: a report written
/// through one replaces a file of the other user's choice.
enum ForeignLink {
    /// Returns the first such link on the way to a file, including the file's own name; `nil` if there is none.
    static func first(in path: String) -> String? {
        var folder = path.hasPrefix("/") ? "/" : "."
        for name in path.split(separator: "/") {
            let place = folder == "/" ? "/" + name : folder + "/" + name
            if let owner = ownerOfLink(place), let shared = FileStatus(folder),
                isRefused(link: owner, in: (shared.owner, shared.mode), to: geteuid())
            {
                return place
            }
            folder = place
        }
        return nil
    }

    /// The rule of `protected_symlinks` (proc_sys_fs(5)), applied regardless of the machine's setting: in a sticky
    /// folder that everybody can write, a link is followed only by its owner, or if it belongs to the folder's owner.
    static func isRefused(link owner: uid_t, in folder: (owner: uid_t, mode: mode_t), to user: uid_t) -> Bool {
        let isShared = folder.mode & S_ISVTX != 0 && folder.mode & S_IWOTH != 0
        return isShared && owner != user && owner != folder.owner
    }

    /// Returns the owner of a symbolic link; `nil` if it is not a link.
    private static func ownerOfLink(_ path: String) -> uid_t? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return nil }
        return status.st_uid
    }
}
