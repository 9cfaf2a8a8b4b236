private import CLinux
private import Glibc

/// A file without a name: what is in it goes with the process, however that ends.
public final class TemporaryFile: Sendable {
    private let folder: String
    private let descriptor: CInt

    public init(in folder: String) throws(FileError) {
        self.folder = folder
        descriptor = Self.open(in: folder)
        guard descriptor >= 0 else { throw FileError(.create, "a temporary file in \(folder)") }
    }

    /// Creates a file in a folder without a name, or with one that is removed at once where that is all there is.
    ///
    /// - Returns: the descriptor, which is the caller's to close; less than 0, with `errno`, if that fails.
    package static func open(in folder: String) -> CInt {
        let unnamed = unsafe Glibc.open(folder, O_DIRECTORY | AUDIT_O_TMPFILE | O_RDWR | O_CLOEXEC, 0o600)
        guard unnamed < 0, [EOPNOTSUPP, EISDIR, EINVAL].contains(errno) else { return unnamed }
        var template = Array((folder + "/audit.XXXXXX").utf8CString)
        return unsafe template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return -1 }
            let descriptor = unsafe mkstemp(start)
            if descriptor >= 0 { unsafe unlink(start) }
            return descriptor
        }
    }

    deinit { close(descriptor) }

    /// Writes all of these bytes at a position.
    public func write(_ bytes: Span<UInt8>, at start: Int) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(written...)
            let position = off_t(start + written)
            let result = unsafe rest.withUnsafeBufferPointer {
                unsafe pwrite(descriptor, $0.baseAddress, $0.count, position)
            }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { throw FileError(.write, "a temporary file in \(folder)") }
            written += result
        }
    }

    /// Fills a buffer, from an index on, with what stands at a position and before an end.
    ///
    /// - Returns: the number of bytes, which is less than there is room for only at the end.
    public func read(at position: Int, upTo end: Int, into buffer: inout [UInt8], from index: Int = 0) throws(FileError)
        -> Int
    {
        let wanted = min(buffer.count - index, end - position)
        var filled = 0
        while filled < wanted {
            let result = unsafe buffer.withUnsafeMutableBytes { bytes in
                guard let start = bytes.baseAddress else { return 0 }
                return unsafe pread(descriptor, start + index + filled, wanted - filled, off_t(position + filled))
            }
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { throw FileError(.read, "a temporary file in \(folder)") }
            if result == 0 { break }
            filled += result
        }
        return filled
    }
}
