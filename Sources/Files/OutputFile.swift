private import CLinux
private import Glibc

/// A file that is written all or nothing: until it is published, the old file, if any, stays in place.
///
/// Bytes go to a temporary file in the same folder. ``finish()`` flushes it to disk,
/// ``publish()`` renames it; if that does not happen, it is removed again. A path that exists and is no regular
/// file, such as `/dev/null` or a FIFO, is written directly, and so is `-`, the standard output. A symbolic link stays,
/// and its target is replaced; that of another user in a folder like `/tmp` is an error.
public final class OutputFile {
    /// The path as it was asked for.
    public let path: String
    private let file: FileDescriptor
    /// The file that holds the bytes until they are published; `nil` if they go straight to their place.
    private var temporary: String?
    /// Its entry among the files that are removed if a signal ends the process.
    private var slot: TemporaryFiles.Slot?
    private let target: String
    private var state = State.waiting
    /// How many bytes were written, and how many of them the kernel was asked to write to disk.
    private var (size, begun) = (0, 0)

    /// How many bytes the kernel is asked to write to disk at once: ``finish()`` then waits for the last of them only.
    private static let begunAtOnce = 4 << 20

    /// Creates the temporary file, and missing folders.
    ///
    /// - Parameter isForAll: whether everybody may read it; else only its owner may.
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

    /// Sets who may read and write a new file. One that is written in its place keeps what it has.
    public func setMode(_ mode: UInt32) { if temporary != nil { fchmod(file.number, mode) } }

    deinit { settle() }

    /// Writes all of these bytes.
    public func write(_ bytes: Span<UInt8>) throws(FileError) {
        do throws(SystemError) { unsafe try file.write(bytes.bytes) } catch { throw FileError(.write, path, error) }
        size += bytes.count
        guard temporary != nil, size - begun >= Self.begunAtOnce else { return }
        // Whole pages only: to write on in one that is on its way to the disk may mean to wait.
        let end = size & ~0xffff
        audit_begin_sync(file.number, off_t(begun), off_t(end - begun))
        begun = end
    }

    /// The path of the bytes until they are published, for a library that insists on a name: it may write the file again
    /// in place, but not replace it. `nil` if they go straight to their place.
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

    /// Flushes everything to disk. Nothing may be written after it.
    public func finish() throws(FileError) {
        guard temporary != nil else { return }
        guard fsync(file.number) == 0 else { throw FileError(.sync, path) }
    }

    /// Writes bytes over those of a file that exists. A disk that is full has no space for a new file, but for this one.
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
    /// How far the file has been published.
    enum State {
        /// The new file waits beside it.
        case waiting
        /// The new file is in its place; the old file waits beside it, and can come back.
        case exchanged
        /// The new file is in its place, and nothing was there before it.
        case placed
        /// The new file is in its place for good.
        case settled
    }

    /// Puts the file in its place; the old file is kept until ``settle()``.
    func place() throws(FileError) {
        guard let temporary else { return }
        if unsafe audit_exchange(temporary, target) == 0 {
            state = .exchanged
        } else if errno == ENOENT, unsafe audit_move(temporary, target) == 0 {
            state = .placed
        } else if [EINVAL, ENOSYS, EEXIST].contains(errno), unsafe rename(temporary, target) == 0 {
            // Not every file system can do more, and then the old file is gone at once.
            state = .settled
        } else {
            throw FileError(.rename, path)
        }
    }

    /// Flushes the folder, without which the new name would not outlive a power cut.
    func syncFolder() throws(FileError) {
        guard temporary != nil else { return }
        try FileError.wrapping(.sync, path) { () throws(SystemError) in
            let folder = try FileDescriptor.open(PathParts(target).place, O_RDONLY | O_DIRECTORY)
            guard fsync(folder.number) == 0 || errno == EINVAL else { throw .last }
        }
    }

    /// Takes the file out of its place again, for the old file. If the system refuses that too, the new one stays.
    func retract() {
        guard let temporary else { return }
        switch state {
        case .exchanged: _ = unsafe audit_exchange(temporary, target) == 0 || rename(temporary, target) == 0
        case .placed: unsafe unlink(target)
        case .waiting, .settled: break
        }
        state = .waiting
    }

    /// Removes what lies beside the place: the old file, or the new one if it is not published.
    func settle() {
        guard let temporary else { return }
        unsafe unlink(temporary)
        self.temporary = nil
        TemporaryFiles.remove(slot)
        slot = nil
    }
}

extension OutputFile {
    /// Returns the file behind a symbolic link, so that a link stays one, also if there is no such file yet.
    package static func resolved(_ path: String) -> String {
        var place = path
        // As many links as Linux follows.
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
    /// Each takes its place at once, one after the other, and their folders are flushed. If one of them cannot, those
    /// before it give their places back to the old files. Where the file system cannot exchange two files
    /// (`renameat2`), those before it stay. From then on signals no longer end the process (``Interruption``).
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
