private import CLinux
private import Glibc

/// An error number of a system call (errno).
public struct SystemError: Error, Equatable, Sendable {
    public let code: Int32

    package init(code: Int32) { self.code = code }

    /// The error of the system call that has just failed.
    static var last: SystemError { SystemError(code: errno) }

    /// The C library's message, the same in every locale: `Permission denied`.
    public var reason: String {
        guard let text = unsafe strerrordesc_np(code) else { return "system error \(code)" }
        return unsafe String(cString: text)
    }

    /// Whether the system had no descriptor or no memory left, which says nothing about the file.
    public var isExhaustion: Bool { [EMFILE, ENFILE, ENOMEM].contains(code) }

    /// The code for a disk without space.
    public static var diskFull: Int32 { ENOSPC }

    /// Whether nothing has that name.
    public var isNotFound: Bool { code == ENOENT || code == ENOTDIR }
}

/// A file operation that the system refused, with the file and the reason.
public struct FileError: Error, Equatable, Sendable {
    public enum Operation: String, Sendable {
        case makeFolder = "make the folder"
        case create = "create"
        case write = "write"
        case sync = "flush to disk"
        case rename = "put in place"
        case read = "read"
        case use = "use"
        case remove = "delete"
        case followLink = "follow the symbolic link of another user"
    }

    public let operation: Operation
    public let path: String
    public let cause: SystemError
    public let reason: String

    init(_ operation: Operation, _ path: String, _ cause: SystemError = .last) {
        self.operation = operation
        self.path = path
        self.cause = cause
        reason = cause.reason
    }

    /// For an error number that a library reports.
    public init(_ operation: Operation, _ path: String, code: Int32) {
        self.init(operation, path, SystemError(code: code))
    }

    /// For an error that a library explains.
    package init(_ operation: Operation, _ path: String, reason: String) {
        self.operation = operation
        self.path = path
        cause = SystemError(code: EIO)
        self.reason = reason
    }

    /// Runs system calls, and adds the operation and the path to their errors.
    static func wrapping<Result: ~Copyable>(
        _ operation: Operation, _ path: String, _ body: () throws(SystemError) -> Result
    ) throws(FileError) -> Result {
        do throws(SystemError) { return try body() } catch { throw FileError(operation, path, error) }
    }

    /// The code for a file that exists and should not.
    public static let exists = EEXIST

    /// Whether the reader of our output has closed it, which ends a run and is not an error.
    public var isBrokenPipe: Bool { cause.code == EPIPE }
    public var isExhaustion: Bool { cause.isExhaustion }
    /// Whether the disk is full, or the user's quota is exhausted.
    public var isDiskFull: Bool { [ENOSPC, EDQUOT].contains(cause.code) }
    public var isNotFound: Bool { cause.isNotFound }
}

extension FileError: CustomStringConvertible {
    /// For example: `could not create out/report.csv: Permission denied`.
    public var description: String { "could not \(operation.rawValue) \(path): \(reason)" }
}
