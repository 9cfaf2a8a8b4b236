import Glibc

/// Reads one file that a person named, whole, up to a limit.
public enum FileContents {
    /// The bytes of a file, or of standard input if the path is `-`.
    ///
    /// Reads pipes and devices too: the person asked for them. One byte more than the limit may be returned,
    /// which is how the caller knows that there was more.
    public static func bytes(of path: String, limit: Int) throws(FileError) -> [UInt8] {
        guard path != "-" else { return try read(STDIN_FILENO, "standard input", limit: limit) }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(.read, path) }
        defer { close(descriptor) }
        return try read(descriptor, path, limit: limit)
    }

    /// Whether somebody other than its owner and their group may read a file.
    public static func isOpenToOthers(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IROTH != 0
    }

    /// The last bytes of a regular file.
    ///
    /// - Parameter name: what the file is called in messages.
    public static func tail(of path: String, atMost count: Int, for name: String) throws(FileError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(.read, name) }
        defer { close(descriptor) }
        let size = lseek(descriptor, 0, SEEK_END)
        guard size >= 0, lseek(descriptor, max(0, size - count), SEEK_SET) >= 0 else { throw FileError(.read, name) }
        return try read(descriptor, name, limit: count)
    }

    private static func read(_ descriptor: CInt, _ path: String, limit: Int) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limit {
            let wanted = min(buffer.count, limit + 1 - bytes.count)
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, wanted) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError(.read, path) }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}
