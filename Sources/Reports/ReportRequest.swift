public import Encodings
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
    /// - Parameters:
    ///   - withChange: whether there is an earlier report to compare with.
    ///   - setting: what else a report is made with.
    func sink(withChange: Bool, _ setting: ReportSetting) throws(FileError) -> any ReportSink {
        switch format {
        case .md: return try MarkdownSink(path, table, withChange: withChange, setting)
        case .html: return try HTMLSink(path, table, withChange: withChange, setting)
        case .xlsx: return try WorkbookSink(path, only: table, withChange: withChange, setting)
        case .csv, .json, .ndjson: break
        }
        return switch table ?? .receipts {
        case .receipts: try ReceiptsSink(path, format, setting)
        case .fraud: try FraudSink(path, format, withChange: withChange, setting)
        case .subscriptions: try SubscriptionsSink(path, format, setting)
        case .summary: try SummarySink(path, format, setting)
        }
    }
}

/// What reports are made with that is the same for all of a run.
public struct ReportSetting: Sendable {
    /// What a report says of when it was made.
    public var asOf: Instant
    /// Where there is room for large temporary files.
    public var temporaryFolder: String
    /// Whether CSV begins with a byte-order mark, without which Excel does not take it for UTF-8.
    public var withByteOrderMark = false

    public init(asOf: Instant, temporaryFolder: String) {
        self.asOf = asOf
        self.temporaryFolder = temporaryFolder
    }
}
