private import CLinux
private import Glibc

/// A file that is written all or nothing: until it is published its old self stands, or nothing does.
///
/// What is written goes to a temporary file in the same folder. ``finish()`` flushes it to disk,
/// ``publish()`` renames it; if that does not happen, it is removed again. A path that exists and is no regular
/// file, such as `/dev/null` or a FIFO, is written directly, and so is `-`, the standard output.
public final class OutputFile {
    /// The path as it was asked for.
    public let path: String
    private let descriptor: CInt
    /// Where the bytes are until they are published; `nil` if they go straight to their place.
    private var temporary: String?
    /// Where it is remembered for the case that a signal ends the process.
    private var slot: TemporaryFiles.Slot?
    private let target: String
    private var state = State.waiting

    /// Creates the temporary file, and missing folders.
    ///
    /// - Parameter isForAll: whether everybody may read it; else only its owner may.
    public init(replacing path: String, isForAll: Bool = false) throws(FileError) {
        self.path = path
        if path == "-" {
            target = path
            descriptor = STDOUT_FILENO
            return
        }
        target = Self.resolved(path)
        if Self.isSpecial(target) {
            descriptor = unsafe open(target, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw FileError(.create, path) }
            return
        }
        try Self.makeFolders(for: target)
        let parts = PathParts(target)
        let (temporary, descriptor) = try Self.makeTemporary(
            for: path, parts.place + StaleFiles.prefix(of: parts.name))
        self.temporary = temporary
        self.descriptor = descriptor
        slot = TemporaryFiles.add(temporary)
        if isForAll { fchmod(descriptor, 0o644) }
    }

    deinit {
        settle()
        if descriptor != STDOUT_FILENO { close(descriptor) }
    }

    /// Writes all of these bytes.
    public func write(_ bytes: Span<UInt8>) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(written...)
            let count = unsafe rest.withUnsafeBufferPointer { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileError(.write, path) }
            written += count
        }
    }

    /// Where the bytes are until they are published, for a library that insists on a name: it may write the file anew
    /// in place, but not replace it. `nil` if they go straight to their place.
    public var temporaryPath: String? { temporary }

    /// Writes all that another file holds.
    public func write(contentsOf other: String) throws(FileError) {
        let source = unsafe open(other, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw FileError(.read, other) }
        defer { close(source) }
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(source, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError(.read, other) }
            if count == 0 { return }
            try write(buffer.span.extracting(first: count))
        }
    }

    /// Flushes everything to disk. Nothing may be written after it.
    public func finish() throws(FileError) {
        guard temporary != nil else { return }
        guard fsync(descriptor) == 0 else { throw FileError(.sync, path) }
    }

    /// Puts the finished file in its place, and flushes the folder.
    public func publish() throws(FileError) { try Publication.publish([self]) }
}

extension OutputFile {
    /// What a file is to its place.
    enum State {
        /// The new file waits beside it.
        case waiting
        /// The new file is there; its old self waits beside it, and can come back.
        case exchanged
        /// The new file is there, and nothing was there before it.
        case placed
        /// The new file is there to stay.
        case settled
    }

    /// Puts the file in its place; its old self is kept until ``settle()``.
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
        let folder = unsafe open(PathParts(target).place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw FileError(.sync, path) }
        defer { close(folder) }
        guard fsync(folder) == 0 || errno == EINVAL else { throw FileError(.sync, path) }
    }

    /// Takes the file out of its place again, for its old self. If the system refuses that too, the new one stays.
    func retract() {
        guard let temporary else { return }
        switch state {
        case .exchanged: _ = unsafe audit_exchange(temporary, target) == 0 || rename(temporary, target) == 0
        case .placed: unsafe unlink(target)
        case .waiting, .settled: break
        }
        state = .waiting
    }

    /// Removes what lies beside the place: the file's old self, or the new one if it is not published.
    func settle() {
        guard let temporary else { return }
        unsafe unlink(temporary)
        self.temporary = nil
        TemporaryFiles.remove(slot)
        slot = nil
    }
}

extension OutputFile {
    /// The file behind a symbolic link, so that a link stays one.
    package static func resolved(_ path: String) -> String { realPath(path) ?? path }

    /// The path without symbolic links, `.` and `..`; `nil` if there is nothing.
    static func realPath(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// Makes a file that nobody else has, whose name begins like this.
    private static func makeTemporary(
        for path: String, _ prefix: String
    ) throws(FileError) -> (path: String, descriptor: CInt) {
        // A run that begins to write the same file may take ours for a dead run's, but hardly so often.
        for _ in 1...100 {
            var template = Array((prefix + "XXXXXX").utf8CString)
            let descriptor = unsafe template.withUnsafeMutableBufferPointer { buffer in
                guard let start = buffer.baseAddress else { return CInt(-1) }
                return unsafe mkstemp(start)
            }
            guard descriptor >= 0 else { throw FileError(.create, path) }
            let temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if StaleFiles.claim(descriptor, at: temporary) { return (temporary, descriptor) }
            close(descriptor)
        }
        throw FileError(.create, path, code: EAGAIN)
    }

    private static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT != S_IFREG
    }

    static func makeFolders(for path: String) throws(FileError) {
        let folder = PathParts(path).place
        for (index, byte) in zip(folder.utf8.indices, folder.utf8)
        where byte == UInt8(ascii: "/") && index > folder.startIndex {
            guard unsafe mkdir(String(folder[..<index]), 0o777) != 0, errno != EEXIST, errno != EISDIR else { continue }
            throw FileError(.makeFolder, String(folder[..<index]))
        }
    }
}
