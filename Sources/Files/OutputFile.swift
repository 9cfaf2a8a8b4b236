private import CLinux
private import Glibc

/// A file that is written all or nothing: until it is published, the old file, if any, stays in place.
///
/// Bytes go to a temporary file in the same folder. ``finish()`` flushes it to disk, ``publish()`` renames it; if that
/// does not happen, it is removed again. An existing path that is not a regular file, such as `/dev/null` or a FIFO, is
/// written directly, and so is `-`, the standard output. A symbolic link stays, and its target is replaced; a link of
/// another user in a folder like `/tmp` is an error.
public final class OutputFile {
    /// The requested path.
    public let path: String
    private let file: FileDescriptor
    /// The file with the bytes until they are published; `nil` if they are written directly.
    private var temporary: String?
    /// Its entry among the files that are removed if a signal ends the process.
    private var slot: TemporaryFiles.Slot?
    private let target: String
    /// The path under which the old file stays, replacing any file there; `nil` to remove it. It is there before this
    /// file takes its place, so that there is no instant without it.
    public var placeOfOld: String?
    private var isOldKept = false
    private var state = State.waiting
    /// The number of bytes written, and how many of them the kernel was asked to write to disk.
    private var (size, begun) = (0, 0)

    /// The number of bytes that the kernel is asked to write to disk at a time: ``finish()`` then waits only for the
    /// last ones.
    private static let begunAtOnce = 4 << 20

    /// Creates the temporary file, and missing folders.
    ///
    /// - Parameter isForAll: whether everybody may read it; otherwise only its owner may.
    public init(replacing path: String, isForAll: Bool = false) throws(FileError) {
        self.path = path
        if path == "-" {
            target = path
            file = FileDescriptor(standard: STDOUT_FILENO)
            return
        }
        if let link = ForeignLink.first(in: path) { throw FileError(.followLink, link, code: EACCES) }
        target = Self.resolved(path)
        if let status = FileStatus(target), !status.isRegular {
            let target = target
            file = try FileError.wrapping(.create, path) { () throws(SystemError) in
                try FileDescriptor.open(target, O_WRONLY)
            }
            return
        }
        try PathParts.makeFolders(for: target)
        var temporary = ""
        file = try Self.makeTemporary(for: path, beside: PathParts(target), &temporary)
        self.temporary = temporary
        slot = TemporaryFiles.add(temporary)
        if isForAll { setMode(0o644) }
    }

    /// Sets the permissions of a new file. A file that is written directly keeps its own.
    public func setMode(_ mode: UInt32) { if temporary != nil { fchmod(file.number, mode) } }

    /// Gives a new file the owner and the permissions of another, as far as the system allows.
    public func setAccess(like other: String) {
        guard temporary != nil, let status = FileStatus(other) else { return }
        _ = fchown(file.number, status.owner, status.group)
        fchmod(file.number, status.mode & 0o777)
    }

    /// Unlocks the file: closing alone does not while a recently forked child process has it open.
    deinit {
        let isLocked = temporary != nil || state != .waiting
        settle()
        if isLocked { flock(file.number, LOCK_UN) }
    }

    /// Writes all of these bytes.
    public func write(_ bytes: Span<UInt8>) throws(FileError) {
        do throws(SystemError) { unsafe try file.write(bytes.bytes) } catch { throw FileError(.write, path, error) }
        size += bytes.count
        guard temporary != nil, size - begun >= Self.begunAtOnce else { return }
        // Whole pages only: writing to a page that is on its way to the disk may block.
        let end = size & ~0xffff
        audit_begin_sync(file.number, off_t(begun), off_t(end - begun))
        begun = end
    }

    /// The path of the bytes until they are published, for a library that requires a name: it may rewrite the file in
    /// place, but not replace it. `nil` if they are written directly.
    public var temporaryPath: String? { temporary }

    /// Writes all bytes of another file.
    public func write(contentsOf other: String) throws(FileError) {
        let source = try FileError.wrapping(.read, other) { () throws(SystemError) in
            try FileDescriptor.open(other, O_RDONLY)
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = try FileError.wrapping(.read, other) { () throws(SystemError) in
                try source.read(into: &buffer)
            }
            if count == 0 { return }
            try write(buffer.span.extracting(first: count))
        }
    }

    /// Writes bytes behind everything that was written under ``temporaryPath``.
    public func append(_ bytes: Span<UInt8>) throws(FileError) {
        guard lseek(file.number, 0, SEEK_END) >= 0 else { throw FileError(.write, path) }
        try write(bytes)
    }

    /// Flushes everything to disk. Nothing may be written after it.
    public func finish() throws(FileError) {
        guard temporary != nil else { return }
        guard fsync(file.number) == 0 else { throw FileError(.sync, path) }
    }

    /// Writes bytes over those of an existing file. A full disk has no space for a new file, but for this one.
    public static func overwrite(_ path: String, with bytes: Span<UInt8>) throws(FileError) {
        try FileError.wrapping(.write, path) { () throws(SystemError) in
            let file = try FileDescriptor.open(resolved(path), O_WRONLY | O_NOFOLLOW)
            unsafe try file.write(bytes.bytes, at: 0)
            guard ftruncate(file.number, off_t(bytes.count)) == 0, fsync(file.number) == 0 else { throw .last }
        }
    }

    /// Puts the finished file in its place, and flushes the folder.
    public func publish() throws(FileError) { try Publication.publish([self]) }
}

extension OutputFile {
    /// The progress of the file's publication.
    enum State {
        /// The new file waits next to its place.
        case waiting
        /// The new file is in its place; the old file waits next to it, and can be restored.
        case exchanged
        /// The new file is in its place, and there was none before.
        case placed
        /// The new file is in its place for good.
        case settled
    }

    /// Puts the file in its place; the old file is kept until ``settle()``.
    func place() throws(FileError) {
        guard let temporary else { return }
        if let placeOfOld { isOldKept = keepOld(at: placeOfOld, temporary) }
        if unsafe audit_exchange(temporary, target) == 0 {
            state = .exchanged
        } else if errno == ENOENT, unsafe audit_move(temporary, target) == 0 {
            state = .placed
        } else if [EINVAL, ENOSYS, EEXIST].contains(errno), unsafe rename(temporary, target) == 0 {
            state = .settled
        } else {
            throw FileError(.rename, path)
        }
    }

    /// Gives the old file a second name. A file system without hard links has none.
    private func keepOld(at place: String, _ temporary: String) -> Bool {
        let parts = PathParts(place)
        let waiting = parts.place + StaleFiles.prefix(of: parts.name) + temporary.suffix(StaleFiles.suffixLength)
        guard unsafe link(target, waiting) == 0 else { return false }
        // Of two names of one file, rename() removes neither.
        defer { unsafe unlink(waiting) }
        return unsafe rename(waiting, place) == 0
    }

    /// Flushes the folder. Without that, the new name would not survive a power failure.
    func syncFolder() throws(FileError) {
        guard temporary != nil else { return }
        try FileError.wrapping(.sync, path) { () throws(SystemError) in
            let folder = try FileDescriptor.open(PathParts(target).place, O_RDONLY | O_DIRECTORY)
            guard fsync(folder.number) == 0 || errno == EINVAL else { throw .last }
        }
    }

    /// Restores the old file. If the system refuses, the new one stays.
    func retract() {
        guard let temporary else { return }
        switch state {
        case .exchanged: _ = unsafe audit_exchange(temporary, target) == 0 || rename(temporary, target) == 0
        case .placed: unsafe unlink(target)
        case .waiting, .settled: break
        }
        state = .waiting
    }

    /// Moves the old file to its new place, or removes it; or removes the new one if it was not published.
    func settle() {
        guard let temporary else { return }
        let isKept =
            state == .exchanged && !isOldKept && (placeOfOld.map { unsafe rename(temporary, $0) == 0 } ?? false)
        if !isKept { unsafe unlink(temporary) }
        self.temporary = nil
        TemporaryFiles.remove(slot)
        slot = nil
    }
}

extension OutputFile {
    /// Returns the target of a symbolic link, so that a link stays a link, even if the target does not exist yet.
    package static func resolved(_ path: String) -> String {
        var place = path
        // The maximum number of links that Linux follows.
        for _ in 0..<40 {
            if let real = realPath(place) { return real }
            guard let target = linkTarget(place) else { return place }
            place = target.hasPrefix("/") ? target : PathParts(place).place + target
        }
        return path
    }

    /// Creates a temporary file, and sets its path.
    private static func makeTemporary(
        for path: String, beside target: PathParts, _ temporary: inout String
    ) throws(FileError) -> FileDescriptor {
        // Another run that starts to write the same file may take ours for a stale one, but hardly a hundred times.
        for _ in 1...100 {
            temporary = target.place + StaleFiles.prefix(of: target.name) + "XXXXXX"
            let file: FileDescriptor
            do throws(SystemError) {
                file = try FileDescriptor.create(from: &temporary)
            } catch {
                throw FileError(.create, path, error)
            }
            if StaleFiles.claim(file, at: temporary) { return file }
        }
        throw FileError(.create, path, code: EAGAIN)
    }
}

/// The step that puts files in their places together.
public enum Publication {
    /// Puts all of these finished files in their places, or none of them.
    ///
    /// Each file is placed at once, one after the other, and their folders are flushed. If one of them fails, the
    /// earlier ones are replaced by the old files again. If the file system cannot exchange two files (`renameat2`),
    /// the earlier ones stay. From then on signals no longer end the process (``Interruption``).
    public static func publish(_ files: [OutputFile]) throws(FileError) {
        Interruption.beginPublication()
        do throws(FileError) {
            for file in files { try file.place() }
            for file in files { try file.syncFolder() }
        } catch {
            for file in files.reversed() { file.retract() }
            Interruption.endPublication(false)
            throw error
        }
        Interruption.endPublication(true)
        for file in files { file.settle() }
    }
}
