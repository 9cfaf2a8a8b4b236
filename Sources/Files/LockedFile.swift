private import Glibc

/// A file that one run at a time may hold, created if it does not exist, readable only by its owner.
///
/// The lock ends with the process, however it ends. It is taken on the open file with flock(2): opening and closing the
/// same file by other means neither takes nor releases it.
public final class LockedFile: Sendable {
    /// The path of the file, with symbolic links resolved.
    public let path: String
    private let file: FileDescriptor

    /// Opens the file and locks it.
    ///
    /// - Parameter isMade: whether to create the file, and missing folders, if it does not exist.
    /// - Returns: `nil` if somebody else holds it.
    public init?(_ path: String, isMade: Bool = true) throws(FileError) {
        if isMade { try PathParts.makeFolders(for: path) }
        let flags = O_RDWR | O_NONBLOCK | O_NOCTTY | (isMade ? O_CREAT : 0)
        while true {
            let file = try FileError.wrapping(isMade ? .create : .read, path) { () throws(SystemError) in
                try FileDescriptor.open(path, flags, mode: 0o600)
            }
            guard try Self.lock(file, path) else { return nil }
            // Before it was locked, its holder may have moved it.
            if file.isStill(at: path) {
                self.path = OutputFile.resolved(path)
                self.file = file
                return
            }
            flock(file.number, LOCK_UN)
        }
    }

    /// Unlocks the file: closing alone does not while a recently forked child process has the file open.
    deinit { flock(file.number, LOCK_UN) }

    /// Its size in bytes.
    public var size: Int { (try? file.status().size) ?? 0 }

    /// Returns its first bytes; fewer, if it has fewer.
    public func head(_ count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let result = unsafe bytes.withUnsafeMutableBytes { bytes in
            Result { () throws(SystemError) in unsafe try file.read(into: bytes, at: 0) }
        }
        return try FileError.wrapping(.read, path) { () throws(SystemError) in Array(bytes[..<(try result.get())]) }
    }

    private static func lock(_ file: borrowing FileDescriptor, _ path: String) throws(FileError) -> Bool {
        let status: FileStatus
        do throws(SystemError) { status = try file.status() } catch { throw FileError(.read, path, error) }
        guard status.isRegular else { throw FileError(.create, path, code: EINVAL) }
        // If a file system has no locks, SQLite's own must suffice.
        return flock(file.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }
}

extension LockedFile {
    /// Renames the file, and before that its companion files, to an unused name.
    ///
    /// - Parameters:
    ///   - mark: the suffix added to its name, followed by a number if necessary.
    ///   - suffixes: the suffixes of the companion files. They may be missing.
    ///   - isReplaced: whether another file will replace it: then it also keeps its old name until that happens, so
    ///     that one of the two exists at any time.
    /// - Returns: its new path.
    public func setAside(
        _ mark: String, with suffixes: [String], isReplaced: Bool = false
    ) throws(FileError) -> String {
        for number in 1...10_000 {
            let place = path + mark + (number == 1 ? "" : "-\(number)")
            guard !(suffixes + [""]).contains(where: { Self.exists(place + $0) }) else { continue }
            // The file itself comes last: without it, the others are useless.
            for suffix in suffixes where Self.exists(path + suffix) { try Self.move(path + suffix, place + suffix) }
            // Not every file system supports links.
            let isLinked = unsafe isReplaced && link(path, place) == 0
            if !isLinked { try Self.move(path, place) }
            return place
        }
        throw FileError(.rename, path, code: EEXIST)
    }

    /// Returns the paths of the files that ``setAside(_:with:)`` left next to a file, with their companions, sorted.
    public static func setAsides(of path: String, mark: String, with suffixes: [String]) -> [String] {
        let parts = PathParts(OutputFile.resolved(path))
        guard let folder = try? FileDescriptor.open(parts.place, O_RDONLY | O_DIRECTORY),
            var listing = try? FolderListing(folder)
        else { return [] }
        let start = Array((parts.name + mark).utf8)
        var (found, name): ([String], [UInt8]) = ([], [])
        while (try? listing.next(appendingNameTo: &name)) != nil {
            if name.starts(with: start) {
                var rest = String(decoding: name.dropFirst(start.count), as: UTF8.self)
                if let suffix = suffixes.first(where: { rest.hasSuffix($0) }) { rest.removeLast(suffix.count) }
                let isNumbered = rest.hasPrefix("-") && Int(rest.dropFirst()) != nil
                if rest.isEmpty || isNumbered { found.append(parts.place + String(decoding: name, as: UTF8.self)) }
            }
            name.removeAll(keepingCapacity: true)
        }
        return found.sorted()
    }

    /// Deletes one of them.
    public static func removeSetAside(_ path: String) throws(FileError) {
        guard unsafe unlink(path) == 0 else { throw FileError(.remove, path) }
    }

    /// Whether a file of this name exists and is not empty.
    public static func isFilled(_ path: String) -> Bool { (FileStatus(path)?.size ?? 0) > 0 }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }

    private static func move(_ path: String, _ place: String) throws(FileError) {
        guard unsafe rename(path, place) == 0 else { throw FileError(.rename, path) }
    }
}

extension FileDescriptor {
    /// Whether an open file still has this name.
    func isStill(at path: String) -> Bool {
        guard let own = try? status(), let named = FileStatus(path) else { return false }
        return own.isSameFile(as: named)
    }
}
