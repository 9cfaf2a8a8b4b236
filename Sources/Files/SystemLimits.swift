private import Glibc

/// What the system lets this process have.
public enum SystemLimits {
    /// How many files may be open at once: now, and at most if the process asks for more.
    public static var openFiles: (now: UInt64, most: UInt64) {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return (0, 0) }
        return (UInt64(limit.rlim_cur), UInt64(limit.rlim_max))
    }

    /// How many bytes there is room for in a folder; `nil` if there is no such folder.
    public static func freeBytes(in folder: String) -> UInt64? {
        var status = statvfs()
        guard unsafe statvfs(folder, &status) == 0 else { return nil }
        return bytes(blocks: UInt64(status.f_bavail), of: UInt64(status.f_frsize))
    }

    /// Whoever writes a file system may make up its figures: too many bytes to count are as many as can be counted.
    static func bytes(blocks: UInt64, of size: UInt64) -> UInt64 {
        let (bytes, overflow) = blocks.multipliedReportingOverflow(by: size)
        return overflow ? .max : bytes
    }
}
