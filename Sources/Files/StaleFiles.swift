private import Glibc

/// Temporary files of runs that were killed: the next run that writes the same file removes them.
///
/// Whoever writes one holds a lock on it, which goes with the process however that ends. So a file that can be locked is
/// nobody's. They are found by their names alone, so that nothing is to be removed from a directory in which others than
/// the user name files, such as the directory of an INPUT.
public enum StaleFiles {
    /// How the names of a file's temporary files begin; six letters and digits follow.
    static func prefix(of name: String) -> String { ".\(name).audit-" }

    private static let suffixLength = 6

    /// Marks an open file as somebody's.
    ///
    /// Between its making and its lock it is nobody's, and who writes the same file may have removed it.
    ///
    /// - Returns: whether it is still there.
    static func claim(_ descriptor: CInt, at path: String) -> Bool {
        // Where a file system has no locks, nobody removes anything.
        let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
        return isLocked && LockedFile.isStill(descriptor, at: path)
    }

    /// Removes the temporary files that runs which ended left beside a file that they were writing. What cannot be removed
    /// stays: it is in nobody's way.
    public static func remove(beside path: String) {
        let target = OutputFile.resolved(path)
        let (name, folder) = (PathParts(target).name, PathParts(target).place)
        let prefix = Array(prefix(of: name).utf8)
        for found in names(in: folder) where found.utf8.count == prefix.count + suffixLength {
            guard found.utf8.starts(with: prefix) else { continue }
            let descriptor = unsafe open(folder + found, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                status.st_uid == geteuid(), flock(descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            unsafe unlink(folder + found)
        }
    }

    private static func names(in folder: String) -> [String] {
        guard let listing = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(listing) }
        var names: [String] = []
        while let entry = unsafe readdir(listing) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
