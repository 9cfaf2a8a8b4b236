private import Glibc

/// A file that one run at a time may have, made if it is not there, for its owner's eyes only.
///
/// The lock goes with the process, however that ends. It is taken of the open file, with flock(2): whoever opens and closes
/// the same file by other means neither takes nor loses it.
public final class LockedFile: Sendable {
    /// Where the file is, symbolic links followed.
    public let path: String
    private let descriptor: CInt

    /// Opens the file and locks it.
    ///
    /// - Parameter isMade: whether it is made if it is not there, and missing folders too.
    /// - Returns: `nil` if somebody else has it.
    public init?(_ path: String, isMade: Bool = true) throws(FileError) {
        if isMade { try OutputFile.makeFolders(for: path) }
        let flags = O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (isMade ? O_CREAT : 0)
        while true {
            let descriptor = unsafe open(path, flags, 0o600)
            guard descriptor >= 0 else { throw FileError(isMade ? .create : .read, path) }
            do throws(FileError) {
                if try Self.lock(descriptor, path) == false {
                    close(descriptor)
                    return nil
                }
                // Until it was locked, whoever had it may have put it elsewhere.
                if Self.isStill(descriptor, at: path) {
                    self.path = OutputFile.resolved(path)
                    self.descriptor = descriptor
                    return
                }
                Self.release(descriptor)
            } catch {
                close(descriptor)
                throw error
            }
        }
    }

    deinit { Self.release(descriptor) }

    /// Gives the lock up, and closes the file. Closing alone does not do it while a child process that has only just been
    /// forked has the file, too.
    private static func release(_ descriptor: CInt) {
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// How many bytes it has now.
    public var size: Int {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Its first bytes; fewer, if it has fewer.
    public func head(_ count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let result = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard result >= 0 else { throw FileError(.read, path) }
        return Array(bytes[..<result])
    }

    private static func lock(_ descriptor: CInt, _ path: String) throws(FileError) -> Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw FileError(.read, path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw FileError(.create, path, code: EINVAL) }
        // Where a file system has no locks, SQLite's own must do.
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }

    /// Whether an open file is the one that has this name.
    static func isStill(_ descriptor: CInt, at path: String) -> Bool {
        var (mine, named) = (stat(), stat())
        return unsafe fstat(descriptor, &mine) == 0 && stat(path, &named) == 0 && mine.st_ino == named.st_ino
            && mine.st_dev == named.st_dev
    }
}

extension LockedFile {
    /// Renames the file, and first the files that go with it, to a name that nothing has.
    ///
    /// - Parameters:
    ///   - mark: what is added to its name; a number too, if need be.
    ///   - suffixes: what the names of the files that go with it end in. They may be missing.
    /// - Returns: where it is now.
    public func setAside(_ mark: String, with suffixes: [String]) throws(FileError) -> String {
        for number in 1...10_000 {
            let place = path + mark + (number == 1 ? "" : "-\(number)")
            guard !(suffixes + [""]).contains(where: { Self.exists(place + $0) }) else { continue }
            // The file itself comes last: without it, the others are nothing.
            for suffix in suffixes where Self.exists(path + suffix) { try Self.move(path + suffix, place + suffix) }
            try Self.move(path, place)
            return place
        }
        throw FileError(.rename, path, code: EEXIST)
    }

    /// Whether there is a file of this name with anything in it.
    public static func isFilled(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_size > 0
    }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }

    private static func move(_ path: String, _ place: String) throws(FileError) {
        guard unsafe rename(path, place) == 0 else { throw FileError(.rename, path) }
    }
}
