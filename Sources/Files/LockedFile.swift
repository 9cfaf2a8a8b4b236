private import Glibc

/// A file that one run at a time may have, made if it is not there, for its owner's eyes only.
///
/// The lock goes with the process, however that ends. It is taken of the open file, with flock(2): whoever opens and
/// closes the same file by other means neither takes nor loses it.
public final class LockedFile: Sendable {
    /// Where the file is, symbolic links followed.
    public let path: String
    private let file: FileDescriptor

    /// Opens the file and locks it.
    ///
    /// - Parameter isMade: whether it is made if it is not there, and missing folders too.
    /// - Returns: `nil` if somebody else has it.
    public init?(_ path: String, isMade: Bool = true) throws(FileError) {
        if isMade { try PathParts.makeFolders(for: path) }
        let flags = O_RDWR | O_NONBLOCK | O_NOCTTY | (isMade ? O_CREAT : 0)
        while true {
            let file = try FileError.wrapping(isMade ? .create : .read, path) { () throws(SystemError) in
                try FileDescriptor.open(path, flags, mode: 0o600)
            }
            guard try Self.lock(file, path) else { return nil }
            // Until it was locked, its holder may have moved it elsewhere.
            if file.isStill(at: path) {
                self.path = OutputFile.resolved(path)
                self.file = file
                return
            }
            flock(file.number, LOCK_UN)
        }
    }

    /// Unlocks the file: closing alone does not do it while a child process that has only just been forked has the
    /// file.
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
        // Where a file system has no locks, SQLite's own must do.
        return flock(file.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }
}

extension LockedFile {
    /// Renames the file, and first the files that go with it, to a name that nothing has.
    ///
    /// - Parameters:
    ///   - mark: what is added to its name; a number too, if need be.
    ///   - suffixes: what the names of the files that go with it end in. They may be missing.
    ///   - isReplaced: whether another file will take its place: then it keeps its old name, too, until that happens, so
    ///     that there is one of the two at any instant.
    /// - Returns: where it is now.
    public func setAside(
        _ mark: String, with suffixes: [String], isReplaced: Bool = false
    ) throws(FileError) -> String {
        for number in 1...10_000 {
            let place = path + mark + (number == 1 ? "" : "-\(number)")
            guard !(suffixes + [""]).contains(where: { Self.exists(place + $0) }) else { continue }
            // The file itself comes last: without it, the others are nothing.
            for suffix in suffixes where Self.exists(path + suffix) { try Self.move(path + suffix, place + suffix) }
            // Not every file system has links.
            let isLinked = unsafe isReplaced && link(path, place) == 0
            if !isLinked { try Self.move(path, place) }
            return place
        }
        throw FileError(.rename, path, code: EEXIST)
    }

    /// Returns the paths of the files that ``setAside(_:with:)`` left beside a file, with those that go with them, sorted.
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

    /// Whether there is a file of this name with anything in it.
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
    /// Whether an open file is the one that has this name.
    func isStill(at path: String) -> Bool {
        guard let own = try? status(), let named = FileStatus(path) else { return false }
        return own.isSameFile(as: named)
    }
}
