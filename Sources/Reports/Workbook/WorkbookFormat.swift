import Engine
import Files
import Subscriptions

/// Writes `--report out.xlsx`: a workbook for analysts, or only the table of the request.
enum WorkbookFormat: FileFormat {
    typealias Row = TypedRow
    static let name = "xlsx"
    static let hasEntities = true

    static func sink(for request: ReportRequest, _ setting: ReportSetting) throws(FileError) -> any ReportSink {
        guard let table = request.table else { return try WorkbookSink(request.path, setting) }
        return try TableWorkbookSink(table, request.path, setting)
    }
}

/// The file of a workbook and what is written into it.
struct WorkbookTarget {
    let file: OutputFile
    let book: WorkbookFile
    /// The file in which the workbook is made if its place is no regular file: a FIFO cannot be written at random.
    private let scratch: OutputFile?
    private let setting: ReportSetting

    init(_ path: String, _ setting: ReportSetting) throws(FileError) {
        self.setting = setting
        file = try OutputFile(replacing: path)
        let folder = setting.temporaryFolder
        scratch = file.temporaryPath == nil ? try OutputFile(replacing: folder + "/audit-report.xlsx") : nil
        guard let target = file.temporaryPath ?? scratch?.temporaryPath else {
            throw FileError(.create, folder + "/audit-report.xlsx", code: FileError.exists)
        }
        book = try WorkbookFile(target, for: path, temporaryFolder: folder)
    }

    func finish() throws(FileError) {
        try book.close(asOf: setting.asOf)
        if let made = scratch?.temporaryPath { try file.write(contentsOf: made) }
        try file.finish()
    }
}

/// Writes a workbook of one table.
final class TableWorkbookSink: ReportSink {
    private let target: WorkbookTarget
    private let table: ReportRequest.Table
    /// `nil` for the summary.
    private let sheets: TableSheets?
    private let summary: OverviewSheet?
    private var pieces = TypedRows()
    let rowEncoder: RowEncoder?

    /// - Parameter limits: after how many rows the table continues on another sheet.
    init(
        _ table: ReportRequest.Table, _ path: String, _ setting: ReportSetting,
        limits: TableSheets.Limits = TableSheets.Limits()
    ) throws(FileError) {
        self.table = table
        target = try WorkbookTarget(path, setting)
        let book = target.book
        sheets = table == .summary ? nil : try TableSheets(table.schema, in: book, limits: limits)
        summary = table == .summary ? try OverviewSheet("summary", in: book) : nil
        rowEncoder =
            switch table {
            case .receipts: WorkbookFormat.receiptsEncoder(maxRows: nil)
            case .purchases: WorkbookFormat.purchasesEncoder(setting.policy, maxClaims: nil)
            default: nil
            }
    }

    var file: OutputFile { target.file }

    /// Takes pieces that end anywhere.
    func write(rows: Span<UInt8>) throws(FileError) {
        let whole = pieces.whole(with: rows)
        try sheets?.write(whole.span)
    }

    func write(_ finding: ComparedFinding) throws(FileError) { try write(finding, of: .fraud) }
    func write(_ link: LinkRow) throws(FileError) { try write(link, of: .links) }
    func write(_ entity: EntityRow) throws(FileError) { try write(entity, of: .entities) }
    func write(_ row: EvidenceRow) throws(FileError) { try write(row, of: .evidence) }

    func write(_ subscription: SubscriptionRow) throws(FileError) {
        guard table == .subscriptions else { return }
        try sheets?.writeRow { SubscriptionsTable.write(subscription, to: &$0) }
    }

    func write(_ figures: SubscriptionFigures) throws(FileError) {
        if table == .retention { for row in figures.retentionRows { try write(row, of: .retention) } }
        guard table == .metrics else { return }
        try figures.forEachMetric { row throws(FileError) in try write(row, of: .metrics) }
    }

    private func write(_ row: some TableRow, of table: ReportRequest.Table) throws(FileError) {
        guard table == self.table else { return }
        try sheets?.writeRow { row.write(to: &$0) }
    }

    func write(_ summary: Summary) throws(FileError) { try self.summary?.write(summary) }

    func finish() throws(FileError) {
        try sheets?.end()
        try target.finish()
    }
}
