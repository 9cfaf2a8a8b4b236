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
        try unsafe write(bytes.bytes, at: start)
    }

    /// Writes all of these words, as they are in memory, at a position in bytes.
    public func write(_ words: Span<UInt64>, at start: Int) throws(FileError) {
        try unsafe write(words.bytes, at: start)
    }

    private func write(_ bytes: RawSpan, at start: Int) throws(FileError) {
        var written = 0
        while written < bytes.byteCount {
            let rest = bytes.extracting(written..<bytes.byteCount)
            let position = off_t(start + written)
            let result = unsafe rest.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, position) }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { throw FileError(.write, "a temporary file in \(folder)") }
            written += result
        }
    }

    /// Fills a buffer, from an index on, with what stands in a range, all of which must have been written.
    public func read(_ range: Range<Int>, into buffer: inout [UInt8], from index: Int = 0) throws(FileError) {
        try read(range) { filled in
            unsafe buffer.withUnsafeMutableBytes { bytes in
                let rest = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: bytes[(index + filled)..<(index + range.count)])
                return unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(range.lowerBound + filled))
            }
        }
    }

    /// Appends the words that stand in a range of bytes, all of which must have been written.
    public func read(_ range: Range<Int>, appendingTo words: inout [UInt64]) throws(FileError) {
        let start = words.count * MemoryLayout<UInt64>.size
        words.append(contentsOf: repeatElement(0, count: range.count / MemoryLayout<UInt64>.size))
        try read(range) { filled in
            unsafe words.withUnsafeMutableBytes { bytes in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[(start + filled)...])
                return unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(range.lowerBound + filled))
            }
        }
    }

    /// Reads until the range is read; a body reads once, behind so many bytes as there are.
    private func read(_ range: Range<Int>, _ readOnce: (_ filled: Int) -> Int) throws(FileError) {
        var filled = 0
        while filled < range.count {
            let result = readOnce(filled)
            if result < 0, errno == EINTR { continue }
            // Nobody else knows the file: if it ends too soon, the disk has lost something.
            if result == 0 { errno = EIO }
            guard result > 0 else { throw FileError(.read, "a temporary file in \(folder)") }
            filled += result
        }
    }

    /// Gives back the room of what is not going to be read again, where the file system can; the rest stays where it is.
    public func release(_ range: Range<Int>) {
        audit_release(descriptor, off_t(range.lowerBound), off_t(range.count))
    }
}
