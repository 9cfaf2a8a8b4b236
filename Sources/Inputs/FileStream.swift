private import Glibc

/// A file, or standard input, read from front to end in pieces.
final class FileStream {
    /// The name for messages.
    let path: String
    private let descriptor: CInt
    /// The file's size, if it is known.
    let size: Int?
    private(set) var position = 0
    private var buffer = [UInt8](repeating: 0, count: 256 << 10)

    /// Opens a file; `-` is standard input.
    ///
    /// - Parameter regularOnly: refuse anything but a regular file, without waiting for it.
    init(_ path: String, regularOnly: Bool = false) throws(InputError) {
        self.path = path
        if path == "-" {
            descriptor = STDIN_FILENO
        } else {
            descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | (regularOnly ? O_NONBLOCK | O_NOCTTY : 0))
            guard descriptor >= 0 else { throw .unopenable(path: path, reason: systemReason()) }
        }
        var status = stat()
        let isKnown = unsafe fstat(descriptor, &status) == 0
        let isRegular = isKnown && status.st_mode & S_IFMT == S_IFREG
        size = isRegular ? Int(status.st_size) : nil
        if isKnown, status.st_mode & S_IFMT == S_IFDIR { throw .unopenable(path: path, reason: "it is a folder") }
        if regularOnly, !isRegular { throw .unopenable(path: path, reason: "it is not a regular file") }
    }

    deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

    /// How much has been read, from 0 to 1, if the size is known.
    var fraction: Double? { size.map { $0 > 0 ? min(1, Double(position) / Double($0)) : 1 } }

    /// Hands the next piece to `body`; false at the end.
    func read(_ body: (Span<UInt8>) throws(InputError) -> Void) throws(InputError) -> Bool {
        var count = 0
        repeat {
            count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
        } while count < 0 && errno == EINTR
        guard count >= 0 else { throw .unreadable(path: path, reason: systemReason()) }
        guard count > 0 else { return false }
        position += count
        let piece = buffer
        try body(piece.span.extracting(..<count))
        return true
    }
}
