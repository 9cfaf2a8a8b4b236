private import Glibc

/// The effective user of the process.
public enum SystemUser {
    /// Whether this process runs as root.
    public static var isRoot: Bool { geteuid() == 0 }

    /// The name of the effective user, even if nobody is logged in; the user's number if it has no name, as in a
    /// container.
    public static var name: String {
        let number = geteuid()
        guard let entry = unsafe getpwuid(number), let name = unsafe entry.pointee.pw_name else { return "\(number)" }
        return unsafe String(cString: name)
    }
}
