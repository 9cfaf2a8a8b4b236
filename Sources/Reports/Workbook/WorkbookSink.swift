import Engine
import Files
import Subscriptions

/// A workbook: the summary first, then a sheet for each table, or only what was asked for.
final class WorkbookSink: ReportSink {
    let path: String
    /// What is put in its place: the workbook, or a copy of it.
    private let output: OutputFile
    /// Where the workbook is made if its place is no regular file: a FIFO cannot be written here and there.
    private let scratch: OutputFile?
    private let book: WorkbookFile
    private let setting: ReportSetting
    private let withChange: Bool

    private let summary: SummarySheet?
    private let receipts: TableSheets?
    private let fraud: TableSheets?
    private let subscriptions: TableSheets?

    /// - Parameters:
    ///   - table: the only table that is wanted; `nil` for all.
    ///   - rowsPerSheet: where a table goes on on another sheet.
    init(
        _ path: String, only table: ReportRequest.Table?, withChange: Bool, _ setting: ReportSetting,
        rowsPerSheet: Int = TableSheets.maxRows
    ) throws(FileError) {
        self.path = path
        self.setting = setting
        self.withChange = withChange
        output = try OutputFile(replacing: path)
        let folder = setting.temporaryFolder
        scratch = output.temporaryPath == nil ? try OutputFile(replacing: folder + "/audit-report.xlsx") : nil
        guard let target = output.temporaryPath ?? scratch?.temporaryPath else {
            throw FileError(.create, folder + "/audit-report.xlsx", code: FileError.exists)
        }
        let book = try WorkbookFile(target, for: path, temporaryFolder: folder)
        self.book = book

        let isWanted = { (one: ReportRequest.Table) in table == nil || table == one }
        summary = isWanted(.summary) ? try SummarySheet(in: book) : nil
        receipts = isWanted(.receipts) ? TableSheets(.receipts, in: book, rowsPerSheet: rowsPerSheet) : nil
        fraud =
            isWanted(.fraud) ? TableSheets(.fraud(withChange: withChange), in: book, rowsPerSheet: rowsPerSheet) : nil
        subscriptions =
            isWanted(.subscriptions) ? TableSheets(.subscriptions, in: book, rowsPerSheet: rowsPerSheet) : nil
        // The sheets stand in the order in which they begin, and each begins when those before it are complete.
        try receipts?.begin()
    }

    var file: OutputFile { output }
    var wantsFigures: Bool { summary != nil || subscriptions != nil }
    var receiptsEncoder: RowEncoder? { receipts == nil ? nil : ReportFormat.xlsx.receiptsEncoder }

    func write(receipts rows: Span<UInt8>) throws(FileError) { try receipts?.write(rows) }

    func write(_ finding: ComparedFinding) throws(FileError) {
        guard let fraud else { return }
        var row = TypedRow()
        FraudTable.write(finding, withChange: withChange, to: &row)
        row.endRow()
        let bytes = row.takeBytes()
        try fraud.write(bytes.span)
    }

    func write(_ subscription: SubscriptionRow) throws(FileError) {
        guard let subscriptions else { return }
        try fraud?.begin()
        var row = TypedRow()
        SubscriptionsTable.write(subscription, to: &row)
        row.endRow()
        let bytes = row.takeBytes()
        try subscriptions.write(bytes.span)
    }

    func write(_ summary: Summary) throws(FileError) { try self.summary?.write(summary) }

    func finish() throws(FileError) {
        try receipts?.end()
        try fraud?.end()
        try subscriptions?.end()
        try book.close(asOf: setting.asOf)
        if let made = scratch?.temporaryPath { try output.write(contentsOf: made) }
        try output.finish()
    }
}
