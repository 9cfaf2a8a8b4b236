import Files

/// One report that was asked for.
public struct ReportRequest: Sendable {
    public enum Table: String, CaseIterable, Sendable {
        case receipts
        case fraud
        case subscriptions
        case summary
    }

    /// `nil` for all that the format can hold.
    public var table: Table?
    public var format: ReportFormat
    public var path: String

    public init(_ table: Table?, _ format: ReportFormat, path: String) {
        self.table = table
        self.format = format
        self.path = path
    }

    /// Creates the file beside the one that it will replace.
    ///
    /// - Parameter withChange: whether there is an earlier report to compare with.
    func sink(withChange: Bool) throws(FileError) -> any ReportSink {
        switch table ?? .receipts {
        case .receipts: try ReceiptsSink(path, format)
        case .fraud: try FraudSink(path, format, withChange: withChange)
        case .subscriptions: try SubscriptionsSink(path, format)
        case .summary: try SummarySink(path, format)
        }
    }
}
