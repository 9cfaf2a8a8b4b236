private import Glibc

/// A file being written: made new or emptied, closed once.
///
/// Straight to the system, because `Data.write(to:)` waits for the disk after every file
/// (`fsync`): three quarters of the time that an export took. A sample that is lost in
/// a power cut can be made again.
struct OutputFile: ~Copyable {
    /// What the system refused.
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let reason: String
        var description: String { "\(path): \(reason)" }
    }

    private let path: String
    private let descriptor: Int32

    init(_ path: String) throws(Failure) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Self.failure(path) }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { _ = Glibc.close(descriptor) }

    /// Writes all of these bytes behind those before.
    func write(_ bytes: [UInt8]) throws(Failure) {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure(path) }
            done += count
        }
    }

    /// Extends the file with zeros, as a hole that takes no room on disk.
    func extend(to size: Int) throws(Failure) {
        guard ftruncate(descriptor, size) == 0 else { throw Self.failure(path) }
    }

    private static func failure(_ path: String) -> Failure {
        Failure(path: path, reason: unsafe String(cString: strerror(errno)))
    }
}
