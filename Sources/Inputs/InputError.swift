import Encodings
public import Files
private import Glibc

/// An error that stops the job: an INPUT that cannot be opened, or does not match its name.
///
/// Any other problem is a claim with an ``InputFault``, and the job continues.
public enum InputError: Error, Equatable, Sendable {
    /// Nothing has that name.
    case notFound(path: String)
    /// It exists, but the system does not allow reading it.
    case unreadable(path: String, reason: String)
    /// A recognized but unsupported format: its name, and how to convert it.
    case unsupported(path: String, kind: String, remedy: String)
    /// The folder contains only tables, which must be INPUTs themselves.
    case folderOfTables(path: String, example: String)
    /// The table's header names neither a file nor a receipt.
    case noReceiptColumn(table: String, line: Int, columns: [String])
    /// The table's header is longer than a row may be, or has more columns than a table may have.
    case headerTooLong(table: String, line: Int)
    /// The table's header names one column twice.
    case repeatedColumn(table: String, line: Int, column: String, names: [String])
    /// A manifest was named for an INPUT list that does not hold exactly one folder.
    case manifestWithoutFolder(path: String)
    /// Standard input was named twice among the INPUTs.
    case standardInputTwice
    /// The system had no descriptor or no memory left to read an INPUT, or a receipt of it.
    case exhausted(path: String, reason: String)
    /// The paths of a folder's files could not be sorted on disk.
    case storage(FileError)
}

extension InputError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notFound(let path): "\(path): no such file or folder"
        case .unreadable(let path, let reason): "\(path): \(reason)"
        case .unsupported(let path, let kind, let remedy):
            "\(path): is \(kind), which is not supported: \(remedy)"
        case .folderOfTables(let path, let example):
            """
            \(path): contains tables instead of receipts. In a folder, every file is a receipt, except devices.csv at its \
            top. Name the tables: audit run \(ShellText.word(example))
            """
        case .noReceiptColumn(let table, let line, let columns):
            """
            \(table):\(line): the header names neither a `file` nor a `receipt_data` column\
            \(columns.isEmpty ? ", and looks like a row" : ", but " + list(columns)). \
            The first row must name the columns: file or receipt_data, device_id, device_verification_id, account_id, \
            account_token, bundle_id, app_version, product_id, presented_at, ip. --columns receipt_data=NAME maps others.
            """
        case .headerTooLong(let table, let line):
            """
            \(table):\(line): the first row is too long to be a header, which has at most \(TableRows.maxColumns) \
            columns and 12 MiB.
            """
        case .repeatedColumn(let table, let line, let column, let names):
            """
            \(table):\(line): the header has two columns for `\(column)`: \(list(names)). Rename one, or choose one: \
            --columns \(column)=NAME
            """
        case .manifestWithoutFolder(let path):
            "\(path): a device table goes with exactly one folder among the INPUTs. Audit each folder by itself."
        case .standardInputTwice: "standard input (-) is named twice among the INPUTs, and can be read once"
        case .exhausted(let path, let reason):
            """
            \(path): could not be read: \(reason). A run with fewer --workers needs fewer open files and less memory; \
            `ulimit -n` shows the limit of open files
            """
        case .storage(let error): error.description
        }
    }

    /// Returns the first few columns, each truncated for a terminal.
    private func list(_ columns: [String]) -> String {
        if columns.isEmpty { return "nothing" }
        let shown = columns.prefix(8).map { "`\($0.start(40))`" }.joined(separator: ", ")
        return columns.count > 8 ? "\(shown) and \(columns.count - 8) more" : shown
    }
}

extension InputError {
    /// Runs system calls that open an INPUT, and adds the path to their errors.
    static func opening<Result: ~Copyable>(
        _ path: String, _ body: () throws(SystemError) -> Result
    ) throws(InputError) -> Result {
        do throws(SystemError) { return try body() } catch { throw InputError(opening: path, error) }
    }

    init(opening path: String, _ error: SystemError) {
        self =
            error.isNotFound
            ? .notFound(path: path)
            : error.isExhaustion
                ? .exhausted(path: path, reason: error.reason) : .unreadable(path: path, reason: error.reason)
    }
}

/// The reason why a claim has no bytes to check: a result of the audit, not a failure of the run.
public struct InputFault: Error, Equatable, Sendable {
    public enum Kind: Sendable {
        /// The manifest or table row cannot be read.
        case rowMalformed
        /// The named file does not exist, or is outside the folder.
        case receiptNotFound
        /// Reading failed, or the receipt exceeds ``ReceiptLimit/bytes``.
        case receiptUnreadable
    }

    public let kind: Kind
    /// The reason in words for a person: `Permission denied`.
    public let reason: String
    /// Whether the system had no descriptor or no memory left. That says nothing about the receipt: it ends the run,
    /// and is never a verdict.
    public let isExhaustion: Bool
    /// Whether text is not UTF-8.
    public let isOtherText: Bool
    /// The names of two columns with different proofs; empty for other faults.
    package private(set) var twoProofs: ExactText = ""

    public init(_ kind: Kind, _ reason: String, isExhaustion: Bool = false, isOtherText: Bool = false) {
        self.kind = kind
        self.reason = reason
        self.isExhaustion = isExhaustion
        self.isOtherText = isOtherText
    }
}

/// The size limit of receipts, which is far above any receipt that Apple issues.
public enum ReceiptLimit {
    /// 8 MiB.
    public static let bytes = 8 << 20
}

extension InputFault {
    static let receiptTooLong = InputFault(.receiptUnreadable, "over 8 MiB")
    static let folder = InputFault(.receiptUnreadable, "is a directory")

    /// Makes the fault of a row with two proofs.
    ///
    /// - Parameters:
    ///   - first: the name of a column.
    ///   - second: the name of another column.
    static func twoProofs(_ first: String, _ second: String) -> InputFault {
        let (first, second) = (first.prefix(40), second.prefix(40))
        var fault = InputFault(
            .rowMalformed,
            "“\(first)” and “\(second)” both hold a proof, and differ: leave one empty, or name the column that counts with "
                + "--columns receipt_data=NAME")
        fault.twoProofs = ExactText("\(first), \(second)")
        return fault
    }

    /// Makes the fault of an open file that could not be read.
    init(reading error: SystemError) {
        self.init(.receiptUnreadable, error.reason, isExhaustion: error.isExhaustion)
    }

    /// Makes the fault of a named file that could not be opened.
    init(opening error: SystemError) {
        switch error.code {
        case ENOENT, ENOTDIR, ENAMETOOLONG: self.init(.receiptNotFound, "no such file")
        case EXDEV: self.init(.receiptNotFound, "is outside the folder")
        case ELOOP: self.init(.receiptNotFound, "a dangling symbolic link")
        case EISDIR: self = .folder
        case ENXIO, ENODEV: self.init(.receiptUnreadable, "not a regular file")
        default: self.init(reading: error)
        }
    }
}
