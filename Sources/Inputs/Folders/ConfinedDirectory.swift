private import CLinux
internal import Glibc

/// A folder whose files can be opened, and nothing outside it.
///
/// Manifests come from strangers. The kernel itself holds the fence (openat2(2) with
/// `RESOLVE_BENEATH`), so that a symbolic link swapped in at the right moment leads nowhere.
final class ConfinedDirectory: Sendable {
    private let descriptor: FileDescriptor
    private let isKernelOld: Bool

    /// - Parameter isKernelOld: do without openat2(2), as kernels before 5.6 must.
    init(_ path: String, isKernelOld: Bool = false) throws(SystemError) {
        self.isKernelOld = isKernelOld
        descriptor = try FileDescriptor.open(path.isEmpty ? "." : path)
        guard try descriptor.status().isFolder else { throw SystemError(code: ENOTDIR) }
    }

    /// The same for a folder that a user named.
    convenience init(input path: String) throws(InputError) {
        do throws(SystemError) {
            try self.init(path)
        } catch {
            throw InputError(opening: path, error)
        }
    }

    /// Opens what `path`, which ends in a NUL, names below this folder.
    func open(_ path: Span<UInt8>, _ way: Way = .file) throws(SystemError) -> FileDescriptor {
        guard path.count > 1, path[path.count - 1] == 0 else { throw SystemError(code: ENOENT) }
        let number = unsafe path.withUnsafeBytes { bytes -> CInt in
            guard let start = bytes.baseAddress else { return -ENOENT }
            return unsafe open(start.assumingMemoryBound(to: CChar.self), way)
        }
        guard number >= 0 else { throw SystemError(code: -number) }
        return FileDescriptor(number)
    }

    /// What is at a path, which ends in a NUL: a symbolic link itself if it is one. There is no fence around looking; whoever
    /// opens it meets the fence.
    func status(ofEntry path: Span<UInt8>) throws(SystemError) -> FileStatus { try descriptor.status(of: path) }

    /// How something is opened.
    enum Way {
        /// To be read, links inside the folder followed.
        case file
        /// To be listed, no link followed.
        case folder
        /// To be asked what it is, links inside the folder followed.
        case status

        fileprivate var flags: CInt {
            switch self {
            case .file: O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
            case .folder: O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
            case .status: CInt(pathOnly) | O_CLOEXEC
            }
        }

        fileprivate var resolve: UInt64 {
            let fence = UInt64(RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS)
            return self == .folder ? fence | UInt64(RESOLVE_NO_SYMLINKS) : fence
        }
    }

    /// A descriptor, or an error code below zero.
    private func open(_ path: UnsafePointer<CChar>, _ way: Way) -> CInt {
        if isKernelOld { return unsafe openUnconfined(path, way) }
        for _ in 0..<32 {
            let number = unsafe audit_openat2(descriptor.number, path, UInt64(way.flags), way.resolve)
            if number >= 0 { return number }
            switch errno {
            // A rename somewhere in the file system made the kernel unsure: again.
            case EAGAIN, EINTR: continue
            // It leads out, or is an absolute link that leads back in.
            case EXDEV where way != .folder: return unsafe openUnconfined(path, way)
            // A kernel before 5.6, or a container that forbids what it does not know.
            case ENOSYS, EPERM: return unsafe openUnconfined(path, way)
            default: return -errno
            }
        }
        return -EAGAIN
    }

    /// The same without the kernel's help: the file is looked up, looked at, and only then opened.
    private func openUnconfined(_ path: UnsafePointer<CChar>, _ way: Way) -> CInt {
        let found = unsafe openat(descriptor.number, path, CInt(pathOnly) | O_CLOEXEC)
        guard found >= 0 else { return -errno }
        let file = FileDescriptor(found)
        guard let folder = realPath(of: descriptor), let real = realPath(of: file) else { return -ENOENT }
        guard real.starts(with: folder + (folder == [0x2f] ? [] : [0x2f])) || real == folder else { return -EXDEV }
        guard let status = try? file.status() else { return -EIO }
        if way == .file, !status.isRegular { return status.isFolder ? -EISDIR : -ENXIO }
        let number = unsafe Glibc.open("/proc/self/fd/\(file.number)", way.flags & ~O_NOFOLLOW)
        return number >= 0 ? number : -errno
    }

    /// Where an open file really is.
    private func realPath(of file: borrowing FileDescriptor) -> [UInt8]? {
        let path = unsafe [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            let start = unsafe UnsafeMutableRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
            guard let start = unsafe start else { return }
            count = unsafe max(0, readlink("/proc/self/fd/\(file.number)", start, buffer.count))
        }
        return path.isEmpty || path.count == Int(PATH_MAX) ? nil : path
    }
}

/// `O_PATH`, which glibc declares under _GNU_SOURCE only.
private let pathOnly = 0o10000000
