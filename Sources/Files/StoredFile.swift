private import Glibc

/// A regular file that is read in any order, by any number of threads.
public final class StoredFile: Sendable {
    /// The requested path.
    public let path: String
    /// Its size in bytes when it was opened.
    public let count: Int
    private let file: FileDescriptor

    public init(_ path: String) throws(FileError) {
        self.path = path
        let status: FileStatus
        do throws(SystemError) {
            file = try FileDescriptor.open(path)
            status = try file.status()
        } catch {
            throw FileError(.read, path, error)
        }
        guard status.isRegular else { throw FileError(.read, path, code: EINVAL) }
        count = status.size
    }

    /// Returns the bytes of a range.
    ///
    /// - Throws: `FileError`, also if the file ends before the range does.
    public func bytes(_ range: Range<Int>) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        let result = unsafe bytes.withUnsafeMutableBytes { unsafe fill($0, from: range.lowerBound) }
        do throws(SystemError) { try result.get() } catch { throw FileError(.read, path, error) }
        return bytes
    }

    private func fill(_ bytes: UnsafeMutableRawBufferPointer, from start: Int) -> Result<Void, SystemError> {
        var filled = 0
        do throws(SystemError) {
            while filled < bytes.count {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
                let count = unsafe try file.read(into: rest, at: start + filled)
                guard count > 0 else { throw SystemError(code: EIO) }
                filled += count
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }
}
