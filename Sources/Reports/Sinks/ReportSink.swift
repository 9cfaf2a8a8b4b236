import Engine
import Files
import Subscriptions

/// Takes what a run has found, part by part, and makes one report file of it.
///
/// The parts come in this order: rows of `receipts`, findings worst first, subscriptions, the summary.
protocol ReportSink: AnyObject {
    /// The path as it was asked for.
    var path: String { get }
    /// What is put in its place when all reports are written.
    var file: OutputFile { get }
    /// What rows of the table `receipts` are to be written with; `nil` if they are not wanted.
    var receiptsEncoder: RowEncoder? { get }

    /// Whether it shows subscriptions, or what receipts say of themselves.
    var wantsFigures: Bool { get }

    func write(receipts rows: Span<UInt8>) throws(FileError)
    func write(_ finding: ComparedFinding) throws(FileError)
    func write(_ subscription: SubscriptionRow) throws(FileError)
    func write(_ summary: Summary) throws(FileError)
    /// Completes the file and flushes it to disk.
    func finish() throws(FileError)
}

/// What a report is not about passes it by.
extension ReportSink {
    var receiptsEncoder: RowEncoder? { nil }
    var wantsFigures: Bool { true }

    func write(receipts rows: Span<UInt8>) throws(FileError) {}
    func write(_ finding: ComparedFinding) throws(FileError) {}
    func write(_ subscription: SubscriptionRow) throws(FileError) {}
    func write(_ summary: Summary) throws(FileError) {}
}
