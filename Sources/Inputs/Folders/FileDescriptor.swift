private import CLinux
internal import Glibc

/// An open file or folder, closed when its owner goes.
struct FileDescriptor: ~Copyable, Sendable {
    let number: CInt

    init(_ number: CInt) { self.number = number }

    deinit { _ = close(number) }

    /// Leaves the closing to someone else.
    consuming func release() -> CInt {
        let number = number
        discard self
        return number
    }

    /// Standard input under a number of its own, so that closing it closes nobody else's.
    static func standardInput() throws(SystemError) -> FileDescriptor {
        let number = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
        guard number >= 0 else { throw SystemError(code: errno) }
        let standardInput = FileDescriptor(number)
        // Where it was closed, something stands in its place that cannot be read.
        guard fcntl(number, F_GETFL) & O_ACCMODE != O_WRONLY else { throw SystemError(code: EBADF) }
        return standardInput
    }

    /// What fstat(2) says of it.
    func status() throws(SystemError) -> FileStatus {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw SystemError(code: errno) }
        return FileStatus(status)
    }

    /// What fstatat(2) says of a name in this folder, which ends in a NUL; of a symbolic link itself if it is one.
    func status(of name: Span<UInt8>) throws(SystemError) -> FileStatus {
        var status = stat()
        let result = unsafe name.withUnsafeBytes { bytes -> CInt in
            guard let start = bytes.baseAddress else { return -1 }
            return unsafe fstatat(number, start.assumingMemoryBound(to: CChar.self), &status, AT_SYMLINK_NOFOLLOW)
        }
        guard result == 0 else { throw SystemError(code: errno) }
        return FileStatus(status)
    }

    /// Opens what a user named, following symbolic links.
    ///
    /// A FIFO does not block, a terminal does not become ours.
    static func open(_ path: String) throws(SystemError) -> FileDescriptor {
        try open(pathEndingInNUL: Array(path.utf8 + [0]).span)
    }

    /// The same for bytes with a NUL behind them and none before.
    static func open(pathEndingInNUL path: Span<UInt8>) throws(SystemError) -> FileDescriptor {
        guard path.firstIndex(of: 0) == path.count - 1 else { throw SystemError(code: ENOENT) }
        let number = unsafe path.withUnsafeBytes { bytes -> CInt in
            guard let start = bytes.baseAddress else { return -1 }
            return unsafe Glibc.open(
                start.assumingMemoryBound(to: CChar.self), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        }
        guard number >= 0 else { throw SystemError(code: errno) }
        return FileDescriptor(number)
    }
}

/// The part of a `struct stat` that we look at.
struct FileStatus {
    let device: UInt64
    let inode: UInt64
    let size: Int
    /// When its bytes were changed last, in nanoseconds since the epoch.
    let modified: Int64
    /// When its bytes or its status were changed last, in nanoseconds since the epoch.
    let changed: Int64
    private let mode: mode_t

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int(status.st_size)
        modified = Self.nanoseconds(status.st_mtim)
        changed = Self.nanoseconds(status.st_ctim)
        mode = status.st_mode
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    var isRegular: Bool { mode & S_IFMT == S_IFREG }
    var isFolder: Bool { mode & S_IFMT == S_IFDIR }
    var isLink: Bool { mode & S_IFMT == S_IFLNK }

    /// Why this cannot be read as a file, if it cannot.
    var objection: String? { isRegular ? nil : isFolder ? "is a directory" : "not a regular file" }

    /// Whether the two are one file under two names.
    func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}

/// Why the system did not do what it was asked.
struct SystemError: Error, Equatable {
    let code: CInt

    /// The C library's words, in every locale the same: `Permission denied`.
    var reason: String {
        guard let text = unsafe strerrordesc_np(code) else { return "system error \(code)" }
        return unsafe String(cString: text)
    }

    /// Whether the system has no descriptor or no memory left, whatever it was asked.
    var isExhaustion: Bool { [EMFILE, ENFILE, ENOMEM].contains(code) }

    /// Whether there is nothing of that name.
    var isMissing: Bool { code == ENOENT || code == ENOTDIR }
}
