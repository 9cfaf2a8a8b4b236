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

    /// Appends so many words from a position in bytes, where there must be as many.
    public func read(at position: Int, _ count: Int, appendingTo words: inout [UInt64]) throws(FileError) {
        let start = words.count
        words.append(contentsOf: repeatElement(0, count: count))
        let filled = try read(count * 8) { filled in
            unsafe words.withUnsafeMutableBytes { words in
                let rest = unsafe words[(start * 8 + filled)...]
                return unsafe pread(
                    descriptor, UnsafeMutableRawBufferPointer(rebasing: rest).baseAddress, rest.count,
                    off_t(position + filled))
            }
        }
        guard filled == count * 8 else { throw FileError(.read, "a temporary file in \(folder)") }
    }

    /// Fills a buffer, from an index on, with what stands at a position and before an end.
    ///
    /// - Returns: the number of bytes, which is less than there is room for only at the end.
    public func read(at position: Int, upTo end: Int, into buffer: inout [UInt8], from index: Int = 0) throws(FileError)
        -> Int
    {
        let wanted = min(buffer.count - index, end - position)
        return try read(wanted) { filled in
            unsafe buffer.withUnsafeMutableBytes { bytes in
                let rest = unsafe bytes[(index + filled)..<(index + wanted)]
                return unsafe pread(
                    descriptor, UnsafeMutableRawBufferPointer(rebasing: rest).baseAddress, rest.count,
                    off_t(position + filled))
            }
        }
    }

    /// Reads until there are so many bytes or no more; a body reads once, behind so many as there are.
    private func read(_ wanted: Int, _ readOnce: (_ filled: Int) -> Int) throws(FileError) -> Int {
        var filled = 0
        while filled < wanted {
            let result = readOnce(filled)
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { throw FileError(.read, "a temporary file in \(folder)") }
            if result == 0 { break }
            filled += result
        }
        return filled
    }
}
