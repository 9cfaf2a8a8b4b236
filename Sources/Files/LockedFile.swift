private import CLinux
private import Glibc

/// A file that one run at a time may hold, created if it does not exist, readable only by its owner.
///
/// The lock ends with the process, however it ends. It is taken on the open file with flock(2): opening and closing the
/// same file by other means neither takes nor releases it.
public final class LockedFile: Sendable {
    /// The path of the file, with symbolic links resolved.
    public let path: String
    private let file: FileDescriptor

    /// Opens the file and locks it.
    ///
    /// - Parameter isMade: whether to create the file, and missing folders, if it does not exist.
    /// - Returns: `nil` if somebody else holds it.
    public init?(_ path: String, isMade: Bool = true) throws(FileError) {
        if isMade { try PathParts.makeFolders(for: path) }
        let flags = O_RDWR | O_NONBLOCK | O_NOCTTY | (isMade ? O_CREAT : 0)
        while true {
            let file = try FileError.wrapping(isMade ? .create : .read, path) { () throws(SystemError) in
                try FileDescriptor.open(path, flags, mode: 0o600)
            }
            guard try Self.lock(file, path) else { return nil }
            // Before it was locked, its holder may have moved it.
            if file.isStill(at: path) {
                self.path = OutputFile.resolved(path)
                self.file = file
                return
            }
            flock(file.number, LOCK_UN)
        }
    }

    /// Unlocks the file: closing alone does not while a recently forked child process has the file open.
    deinit { flock(file.number, LOCK_UN) }

    /// The kind of network file system that it is on, where locks may hold on one machine only; `nil` on a local one.
    public var network: String? {
        var status = statfs()
        guard unsafe fstatfs(file.number, &status) == 0 else { return nil }
        return switch UInt32(truncatingIfNeeded: status.f_type) {
        case 0x6969: "NFS"
        case 0x517b, 0xff53_4d42, 0xfe53_4d42: "SMB"
        case 0x6573_5546: "a FUSE file system"
        case 0x0102_1997: "9P"
        case 0x5346_414f, 0x6b41_4653: "AFS"
        case 0x0bd0_0bd0: "Lustre"
        default: nil
        }
    }

    /// Its size in bytes.
    public var size: Int { (try? file.status().size) ?? 0 }

    /// Returns its first bytes; fewer, if it has fewer.
    public func head(_ count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let result = unsafe bytes.withUnsafeMutableBytes { bytes in
            Result { () throws(SystemError) in unsafe try file.read(into: bytes, at: 0) }
        }
        return try FileError.wrapping(.read, path) { () throws(SystemError) in Array(bytes[..<(try result.get())]) }
    }

    private static func lock(_ file: borrowing FileDescriptor, _ path: String) throws(FileError) -> Bool {
        let status: FileStatus
        do throws(SystemError) { status = try file.status() } catch { throw FileError(.read, path, error) }
        guard status.isRegular else { throw FileError(.create, path, code: EINVAL) }
        // If a file system has no locks, SQLite's own must suffice.
        return flock(file.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }
}

extension LockedFile {
    /// Deletes a file beside it, if there is one.
    public static func remove(_ path: String) { unsafe unlink(path) }
}

extension FileDescriptor {
    /// Whether an open file still has this name.
    func isStill(at path: String) -> Bool {
        guard let own = try? status(), let named = FileStatus(path) else { return false }
        return own.isSameFile(as: named)
    }
}
