private import CLinux
private import Glibc

/// A file operation that the system refused, on which file and why.
public struct FileError: Error, Equatable, Sendable {
    public enum Operation: String, Sendable {
        case makeFolder = "make the folder"
        case create = "create"
        case write = "write"
        case sync = "flush to disk"
        case rename = "put in place"
        case read = "read"
    }

    public let operation: Operation
    public let path: String
    /// The system's error number.
    public let code: Int32

    init(_ operation: Operation, _ path: String) {
        self.operation = operation
        self.path = path
        code = errno
    }

    /// For what a library says went wrong with a file.
    public init(_ operation: Operation, _ path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// The code for what is there already and should not be.
    public static let exists = EEXIST

    /// The reader of our output has gone away, which ends a run and is no error.
    public var isBrokenPipe: Bool { code == EPIPE }

    /// The system had no descriptor or no memory left, whatever it was asked.
    public var isExhaustion: Bool { [EMFILE, ENFILE, ENOMEM].contains(code) }

    /// There is no such file.
    public var isNotFound: Bool { code == ENOENT || code == ENOTDIR }

    /// The system's words for the error number.
    public var reason: String {
        guard let text = unsafe strerrordesc_np(code) else { return "system error \(code)" }
        return unsafe String(cString: text)
    }
}

extension FileError: CustomStringConvertible {
    /// For example: `could not create out/report.csv: Permission denied`.
    public var description: String {
        "could not \(operation.rawValue) \(path): \(reason)"
    }
}
