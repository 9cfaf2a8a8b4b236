import Encodings
public import Files

/// Why the job cannot be done: an INPUT that cannot be opened, or is not what its name says.
///
/// Whatever goes wrong further in is a claim with an ``InputFault``, and the job goes on.
public enum InputError: Error, Equatable, Sendable {
    /// There is nothing of that name.
    case notFound(path: String)
    /// It is there, but the system will not let us read it.
    case unreadable(path: String, reason: String)
    /// The table's header names neither a file nor a receipt.
    case noReceiptColumn(table: String, line: Int, columns: [String])
    /// The table's header is longer than a row may be, or has more columns than a table may have.
    case headerTooLong(table: String, line: Int)
    /// The table's header names one column twice.
    case repeatedColumn(table: String, line: Int, column: String)
    /// A manifest was named for an INPUT list that does not hold exactly one folder.
    case manifestWithoutFolder(path: String)
    /// The system had no descriptor or no memory left to read an INPUT, or a receipt of it, with.
    case exhausted(path: String, reason: String)
    /// There was no room to sort the paths of a folder's files.
    case storage(FileError)
}

extension InputError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notFound(let path): "\(path): no such file or folder"
        case .unreadable(let path, let reason): "\(path): \(reason)"
        case .noReceiptColumn(let table, let line, let columns):
            """
            \(table):\(line): the header names neither a `file` nor a `receipt_data` column, but \(list(columns)). \
            The first row must name the columns, separated by commas: file or receipt_data, device_id, account_id, \
            bundle_id, app_version, product_id, presented_at.
            """
        case .headerTooLong(let table, let line):
            """
            \(table):\(line): the first row is too long to be a header: one has at most \(TableRows.maxColumns) columns \
            and 12 MiB.
            """
        case .repeatedColumn(let table, let line, let column):
            "\(table):\(line): the header names the column `\(column)` twice. Remove or rename one."
        case .manifestWithoutFolder(let path):
            "\(path): a device table goes with exactly one folder among the INPUTs. Audit each folder by itself."
        case .exhausted(let path, let reason):
            """
            \(path): could not be read: \(reason). A run with fewer --workers needs fewer open files and less memory; \
            `ulimit -n` says how many files it may open
            """
        case .storage(let error): error.description
        }
    }

    /// The first few columns, each cut to a length that a terminal can show.
    private func list(_ columns: [String]) -> String {
        if columns.isEmpty { return "nothing" }
        let shown = columns.prefix(8).map { "`\($0.start(40))`" }.joined(separator: ", ")
        return columns.count > 8 ? "\(shown) and \(columns.count - 8) more" : shown
    }
}

extension InputError {
    /// Why an INPUT could not be opened.
    init(opening path: String, _ error: SystemError) {
        self =
            error.isMissing
            ? .notFound(path: path)
            : error.isExhaustion
                ? .exhausted(path: path, reason: error.reason) : .unreadable(path: path, reason: error.reason)
    }
}
