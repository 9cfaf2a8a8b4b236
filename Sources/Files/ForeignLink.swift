internal import Glibc

/// Symbolic links that another user put where everybody can write, such as `/tmp`: who follows one to write a report
/// replaces a file of the other's choice.
enum ForeignLink {
    /// Returns the first of them on the way to a file, its last name included; `nil` if there is none.
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

    /// The rule of `protected_symlinks` (proc_sys_fs(5)), which holds here whatever the machine's setting is: in a sticky
    /// folder that everybody can write, a link is followed by its owner only, or if it belongs to the folder's owner.
    static func isRefused(link owner: uid_t, in folder: (owner: uid_t, mode: mode_t), to user: uid_t) -> Bool {
        let isShared = folder.mode & S_ISVTX != 0 && folder.mode & S_IWOTH != 0
        return isShared && owner != user && owner != folder.owner
    }

    /// Returns the owner of a symbolic link; `nil` if it is none.
    private static func ownerOfLink(_ path: String) -> uid_t? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return nil }
        return status.st_uid
    }
}
