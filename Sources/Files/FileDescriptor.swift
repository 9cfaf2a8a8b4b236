@_exported public import Encodings
internal import Glibc

/// An open file or folder, closed at the end of its owner's life.
package struct FileDescriptor: ~Copyable, Sendable {
    package let number: CInt
    private let isOwned: Bool

    package init(_ number: CInt) {
        self.number = number
        isOwned = true
    }

    /// A descriptor that belongs to the process, such as standard output, and is never closed.
    init(standard number: CInt) {
        self.number = number
        isOwned = false
    }

    deinit { if isOwned { _ = close(number) } }

    /// Transfers the descriptor to another owner, who closes it.
    consuming func release() -> CInt {
        let number = number
        discard self
        return number
    }

    /// Duplicates standard input, so that closing it does not affect other users.
    package static func standardInput() throws(SystemError) -> FileDescriptor {
        let number = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
        guard number >= 0 else { throw .last }
        let standardInput = FileDescriptor(number)
        // `StandardStreams` has replaced a closed stream with something unreadable.
        guard fcntl(number, F_GETFL) & O_ACCMODE != O_WRONLY else { throw SystemError(code: EBADF) }
        return standardInput
    }

    /// Opens a file with flags of open(2), to which `O_CLOEXEC` is added.
    static func open(_ path: String, _ flags: CInt, mode: mode_t = 0) throws(SystemError) -> FileDescriptor {
        let number = unsafe Glibc.open(path, flags | O_CLOEXEC, mode)
        guard number >= 0 else { throw .last }
        return FileDescriptor(number)
    }

    /// Opens an INPUT named by a user, following symbolic links.
    ///
    /// A FIFO does not block, and a terminal does not become the controlling one.
    package static func open(_ path: String) throws(SystemError) -> FileDescriptor {
        try open(pathEndingInNUL: Array(path.utf8 + [0]).span)
    }

    /// Does the same for bytes that end in a NUL and contain no other.
    package static func open(pathEndingInNUL path: Span<UInt8>) throws(SystemError) -> FileDescriptor {
        guard path.firstIndex(of: 0) == path.count - 1 else { throw SystemError(code: ENOENT) }
        let number = unsafe path.withUnsafeBytes { bytes -> CInt in
            guard let start = bytes.baseAddress else { return -1 }
            return unsafe Glibc.open(
                start.assumingMemoryBound(to: CChar.self), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        }
        guard number >= 0 else { throw .last }
        return FileDescriptor(number)
    }

    /// Creates a file that only its owner can read; the template of its name ends in `XXXXXX`, which is replaced
    /// (mkstemp(3)).
    static func create(from template: inout String) throws(SystemError) -> FileDescriptor {
        var path = Array(template.utf8CString)
        let number = unsafe path.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return CInt(-1) }
            return unsafe mkstemp(start)
        }
        guard number >= 0 else { throw .last }
        template = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return FileDescriptor(number)
    }

    /// Returns the status using fstat(2).
    package func status() throws(SystemError) -> FileStatus {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw .last }
        return FileStatus(status)
    }

    /// Returns the status of a name in this folder, which must end in a NUL; for a symbolic link the status of the link
    /// itself.
    package func status(of name: Span<UInt8>) throws(SystemError) -> FileStatus {
        var status = stat()
        let result = unsafe name.withUnsafeBytes { bytes -> CInt in
            guard let start = bytes.baseAddress else { return -1 }
            return unsafe fstatat(number, start.assumingMemoryBound(to: CChar.self), &status, AT_SYMLINK_NOFOLLOW)
        }
        guard result == 0 else { throw .last }
        return FileStatus(status)
    }

    /// Reads some bytes, optionally from a position; 0 is the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int? = nil) throws(SystemError) -> Int {
        while true {
            let count =
                if let position {
                    unsafe pread(number, buffer.baseAddress, buffer.count, off_t(position))
                } else {
                    unsafe Glibc.read(number, buffer.baseAddress, buffer.count)
                }
            if count >= 0 { return count }
            guard errno == EINTR else { throw .last }
        }
    }

    /// Reads some bytes into the front of a buffer; 0 is the end.
    func read(into buffer: inout [UInt8], atMost max: Int = .max) throws(SystemError) -> Int {
        let result = unsafe buffer.withUnsafeMutableBytes { bytes in
            let bytes = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(max))
            return Result { () throws(SystemError) in unsafe try read(into: bytes) }
        }
        return try result.get()
    }

    /// Writes all of some bytes, optionally at a position.
    func write(_ bytes: RawSpan, at position: Int? = nil) throws(SystemError) {
        var written = 0
        while written < bytes.byteCount {
            let rest = bytes.extracting(written...)
            let count = unsafe rest.withUnsafeBytes { rest in
                guard let position else { return unsafe Glibc.write(number, rest.baseAddress, rest.count) }
                return unsafe pwrite(number, rest.baseAddress, rest.count, off_t(position + written))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .last }
            written += count
        }
    }
}

/// The entries of a folder, in the order of the file system (readdir(3)).
@safe package struct FolderListing: ~Copyable {
    private let stream: OpaquePointer

    package init(_ folder: consuming FileDescriptor) throws(SystemError) {
        guard let stream = unsafe fdopendir(folder.release()) else { throw .last }
        unsafe self.stream = stream
    }

    deinit { unsafe _ = closedir(stream) }

    package struct Entry {
        package let inode: UInt64
        /// `DT_REG` and so on, or `DT_UNKNOWN` if the file system does not provide it.
        package let type: UInt8
    }

    /// Appends the name of the next entry to a path; `.` and `..` are skipped.
    ///
    /// - Returns: `nil` at the end.
    package mutating func next(appendingNameTo path: inout [UInt8]) throws(SystemError) -> Entry? {
        while true {
            // readdir(3) distinguishes an error from the end only by the error number.
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                guard errno == 0 else { throw .last }
                return nil
            }
            let start = unsafe UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
            let count = unsafe strlen(start.assumingMemoryBound(to: CChar.self))
            let name = unsafe UnsafeRawBufferPointer(start: start, count: count)
            if unsafe name.elementsEqual([0x2e]) || name.elementsEqual([0x2e, 0x2e]) { continue }
            unsafe path.append(contentsOf: name)
            return unsafe Entry(inode: UInt64(entry.pointee.d_ino), type: entry.pointee.d_type)
        }
    }
}
