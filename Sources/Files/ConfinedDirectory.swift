private import CLinux
private import Glibc

/// A folder that allows opening its files, and nothing outside it.
///
/// Paths in manifests are untrusted. The kernel itself confines them (openat2(2) with `RESOLVE_BENEATH`), so that a
/// symbolic link swapped in at the right moment leads nowhere.
package final class ConfinedDirectory: Sendable {
    private let descriptor: FileDescriptor
    private let isKernelOld: Bool

    /// - Parameter isKernelOld: whether to do without openat2(2), as on kernels before 5.6.
    package init(_ path: String, isKernelOld: Bool = false) throws(SystemError) {
        self.isKernelOld = isKernelOld
        descriptor = try FileDescriptor.open(path.isEmpty ? "." : path)
        guard try descriptor.status().isFolder else { throw SystemError(code: ENOTDIR) }
    }

    /// Opens a file or folder below this one. The path must end in a NUL.
    package func open(_ path: Span<UInt8>, _ access: Access = .file) throws(SystemError) -> FileDescriptor {
        guard path.count > 1, path[path.count - 1] == 0 else { throw SystemError(code: ENOENT) }
        let number = unsafe path.withUnsafeBytes { bytes -> CInt in
            guard let start = bytes.baseAddress else { return -ENOENT }
            return unsafe open(start.assumingMemoryBound(to: CChar.self), access)
        }
        guard number >= 0 else { throw SystemError(code: -number) }
        return FileDescriptor(number)
    }

    /// Returns the status of a path, which must end in a NUL; for a symbolic link the status of the link itself. Only
    /// opening is confined, not reading the status.
    package func status(ofEntry path: Span<UInt8>) throws(SystemError) -> FileStatus { try descriptor.status(of: path) }

    /// The purpose of opening.
    package enum Access {
        /// To read it, following links inside the folder.
        case file
        /// To list it, following no links.
        case folder
        /// To read its status, following links inside the folder.
        case status

        fileprivate var flags: CInt {
            switch self {
            case .file: O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
            case .folder: O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
            case .status: CInt(pathOnly) | O_CLOEXEC
            }
        }

        fileprivate var resolve: UInt64 {
            let confined = UInt64(RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS)
            return self == .folder ? confined | UInt64(RESOLVE_NO_SYMLINKS) : confined
        }
    }

    /// Returns a descriptor, or a negative error code.
    private func open(_ path: UnsafePointer<CChar>, _ access: Access) -> CInt {
        if isKernelOld { return unsafe openUnconfined(path, access) }
        for _ in 0..<32 {
            let number = unsafe audit_openat2(descriptor.number, path, UInt64(access.flags), access.resolve)
            if number >= 0 { return number }
            switch errno {
            // A rename somewhere in the file system prevented the kernel from deciding: try again.
            case EAGAIN, EINTR: continue
            // It leads outside, or is an absolute link that leads back inside.
            case EXDEV where access != .folder: return unsafe openUnconfined(path, access)
            // A kernel before 5.6, or a container that forbids unknown system calls.
            case ENOSYS, EPERM: return unsafe openUnconfined(path, access)
            default: return -errno
            }
        }
        return -EAGAIN
    }

    /// Opens a file without the kernel's help, after checking its real path.
    private func openUnconfined(_ path: UnsafePointer<CChar>, _ access: Access) -> CInt {
        let found = unsafe openat(descriptor.number, path, CInt(pathOnly) | O_CLOEXEC)
        guard found >= 0 else { return -errno }
        let file = FileDescriptor(found)
        guard let folder = realPath(of: descriptor), let real = realPath(of: file) else { return -ENOENT }
        guard real.starts(with: folder + (folder == [0x2f] ? [] : [0x2f])) || real == folder else { return -EXDEV }
        guard let status = try? file.status() else { return -EIO }
        if access == .file, !status.isRegular { return status.isFolder ? -EISDIR : -ENXIO }
        let number = unsafe Glibc.open("/proc/self/fd/\(file.number)", access.flags & ~O_NOFOLLOW)
        return number >= 0 ? number : -errno
    }

    /// Returns the real path of an open file.
    private func realPath(of file: borrowing FileDescriptor) -> [UInt8]? {
        let path = unsafe [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            let start = unsafe UnsafeMutableRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
            guard let start = unsafe start else { return }
            count = unsafe max(0, readlink("/proc/self/fd/\(file.number)", start, buffer.count))
        }
        return path.isEmpty || path.count == Int(PATH_MAX) ? nil : path
    }
}

/// `O_PATH`, which glibc declares only under _GNU_SOURCE.
private let pathOnly = 0o10000000
