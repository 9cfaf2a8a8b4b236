private import CLinux
private import Glibc

/// A file without a name. Its contents vanish with the process, however it ends.
public final class TemporaryFile: Sendable {
    private let folder: String
    private let file: FileDescriptor

    public init(in folder: String) throws(FileError) {
        self.folder = folder
        let number = Self.open(in: folder)
        guard number >= 0 else { throw FileError(.create, "a temporary file in \(folder)") }
        file = FileDescriptor(number)
    }

    /// Creates an unnamed file in a folder, or if that is not supported, a named one that is removed immediately.
    ///
    /// - Returns: the descriptor, which the caller must close; negative, with `errno`, if that fails.
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

    /// Creates an empty file that its owner alone can read, and removes its name once the body has opened it: for
    /// libraries that open files by name.
    package static func opened<Opened>(
        in folder: String, _ body: (String) throws(FileError) -> Opened
    ) throws(FileError) -> Opened {
        var template = Array((folder + "/audit.XXXXXX").utf8CString)
        let descriptor = unsafe template.withUnsafeMutableBufferPointer { buffer -> CInt in
            guard let start = buffer.baseAddress else { return -1 }
            return unsafe mkstemp(start)
        }
        guard descriptor >= 0 else { throw FileError(.create, "a temporary file in \(folder)") }
        close(descriptor)
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { _ = unsafe unlink(path) }
        return try body(path)
    }

    /// Writes all of these bytes at a position.
    public func write(_ bytes: Span<UInt8>, at start: Int) throws(FileError) {
        unsafe try write(bytes.bytes, at: start)
    }

    /// Writes all of these words in native byte order, at a position in bytes.
    public func write(_ words: Span<UInt64>, at start: Int) throws(FileError) {
        unsafe try write(words.bytes, at: start)
    }

    private func write(_ bytes: RawSpan, at start: Int) throws(FileError) {
        do throws(SystemError) {
            try file.write(bytes, at: start)
        } catch {
            throw FileError(.write, "a temporary file in \(folder)", error)
        }
    }

    /// Fills a buffer, from an index on, with the bytes of a range, which must have been written.
    public func read(_ range: Range<Int>, into buffer: inout [UInt8], from index: Int = 0) throws(FileError) {
        let result = unsafe buffer.withUnsafeMutableBytes { unsafe read(range, into: $0, from: index) }
        try result.get()
    }

    /// Returns the bytes of a range, which must have been written.
    public func bytes(_ range: Range<Int>) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        try read(range, into: &bytes)
        return bytes
    }

    /// Appends the words of a range of bytes, which must have been written.
    public func read(_ range: Range<Int>, appendingTo words: inout [UInt64]) throws(FileError) {
        let start = words.count * MemoryLayout<UInt64>.size
        words.append(contentsOf: [UInt64](repeating: 0, count: range.count / MemoryLayout<UInt64>.size))
        let result = unsafe words.withUnsafeMutableBytes { unsafe read(range, into: $0, from: start) }
        try result.get()
    }

    private func read(
        _ range: Range<Int>, into bytes: UnsafeMutableRawBufferPointer, from index: Int
    ) -> Result<Void, FileError> {
        var filled = 0
        do throws(SystemError) {
            while filled < range.count {
                let rest = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: bytes[(index + filled)..<(index + range.count)])
                let count = unsafe try file.read(into: rest, at: range.lowerBound + filled)
                // Only this process writes the file: if it ends too soon, the disk has lost data.
                guard count > 0 else { throw SystemError(code: EIO) }
                filled += count
            }
            return .success(())
        } catch {
            return .failure(FileError(.read, "a temporary file in \(folder)", error))
        }
    }

    /// Frees the disk space of a range that is not read again, if the file system supports it; the rest keeps its
    /// position.
    public func release(_ range: Range<Int>) {
        audit_release(file.number, off_t(range.lowerBound), off_t(range.count))
    }
}
