private import Glibc

/// A file without a name: what is in it goes with the process, however that ends.
public final class TemporaryFile {
    private let folder: String
    private let descriptor: CInt
    /// How many bytes have been written.
    public private(set) var count = 0

    /// Creates a file in a folder, and removes its name at once.
    public init(in folder: String) throws(FileError) {
        self.folder = folder
        var template = Array((folder + "/audit.XXXXXX").utf8CString)
        descriptor = unsafe template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return -1 }
            let descriptor = unsafe mkstemp(start)
            if descriptor >= 0 { unsafe unlink(start) }
            return descriptor
        }
        guard descriptor >= 0 else { throw FileError(.create, folder + "/audit.XXXXXX") }
    }

    deinit { close(descriptor) }

    /// Writes all of these bytes behind what is there.
    public func append(_ bytes: Span<UInt8>) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(written...)
            let position = off_t(count + written)
            let result = unsafe rest.withUnsafeBufferPointer {
                unsafe pwrite(descriptor, $0.baseAddress, $0.count, position)
            }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { throw FileError(.write, "a temporary file in \(folder)") }
            written += result
        }
        count += written
    }

    /// Fills a buffer with what stands at a position; the number of bytes, which is less only at the end.
    public func read(at position: Int, into buffer: inout [UInt8]) throws(FileError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let result = unsafe buffer.withUnsafeMutableBytes { bytes in
                guard let start = bytes.baseAddress else { return 0 }
                return unsafe pread(descriptor, start + filled, bytes.count - filled, off_t(position + filled))
            }
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { throw FileError(.read, "a temporary file in \(folder)") }
            if result == 0 { break }
            filled += result
        }
        return filled
    }
}
