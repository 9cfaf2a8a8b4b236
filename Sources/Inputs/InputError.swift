/// Why an input cannot be audited at all. What is wrong with one claim is an ``InputFault``.
public enum InputError: Error, Equatable, Sendable {
    /// The input is not there or cannot be opened; the reason is the system's.
    case unopenable(path: String, reason: String)
    /// Reading stopped in the middle; the reason is the system's.
    case unreadable(path: String, reason: String)
    /// A table whose first row names no column that holds receipts.
    case noReceiptColumn(path: String, line: Int)
    /// A folder with more letters in its paths than can be told apart: 2 GiB.
    case tooManyFiles(path: String)
    case outOfMemory
}

extension InputError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unopenable(let path, let reason): "cannot open \(path): \(reason)"
        case .unreadable(let path, let reason): "cannot read on in \(path): \(reason)"
        case .noReceiptColumn(let path, let line):
            "\(path):\(line): the first row names neither a column `file` nor a column `receipt_data`; "
                + "a table starts with a row of column names, for example `file,device_id`"
        case .tooManyFiles(let path): "\(path) holds more files than can be listed; audit its folders one by one"
        case .outOfMemory: "out of memory"
        }
    }
}
