private import Glibc

/// The bytes of one file named by a person, read whole up to a limit.
public enum FileContents {
    /// Returns the bytes of a file, or of standard input if the path is `-`.
    ///
    /// Also reads pipes and devices, because the person asked for them. May return one byte more than the limit, which
    /// tells the caller that there was more.
    public static func bytes(of path: String, limit: Int) throws(FileError) -> [UInt8] {
        let isStandardInput = path == "-"
        return try FileError.wrapping(.read, isStandardInput ? "standard input" : path) { () throws(SystemError) in
            guard !isStandardInput else { return try read(FileDescriptor(standard: STDIN_FILENO), limit: limit) }
            return try read(FileDescriptor.open(path, O_RDONLY), limit: limit)
        }
    }

    /// Whether there is a file or folder of this name.
    public static func exists(_ path: String) -> Bool { FileStatus(path) != nil }

    /// Returns the size of a file in bytes; `nil` if there is none.
    public static func size(of path: String) -> Int? { FileStatus(path).map { Int($0.size) } }

    /// Returns when a file was last changed, in nanoseconds since the epoch; `nil` if there is no such file.
    public static func modified(_ path: String) -> Int64? { FileStatus(path)?.modified }

    /// Whether a path is a regular file; `nil` if it does not exist.
    public static func isRegular(_ path: String) -> Bool? { FileStatus(path).map { $0.mode & S_IFMT == S_IFREG } }

    /// Returns the last bytes of a regular file.
    ///
    /// - Parameter name: the name of the file in messages.
    public static func tail(of path: String, atMost count: Int, for name: String) throws(FileError) -> [UInt8] {
        try FileError.wrapping(.read, name) { () throws(SystemError) in
            let file = try FileDescriptor.open(path, O_RDONLY)
            let size = lseek(file.number, 0, SEEK_END)
            guard size >= 0, lseek(file.number, max(0, size - count), SEEK_SET) >= 0 else { throw .last }
            return try read(file, limit: count)
        }
    }

    private static func read(_ file: borrowing FileDescriptor, limit: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limit {
            let count = try file.read(into: &buffer, atMost: limit + 1 - bytes.count)
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}
