import Engine
import Files
import Subscriptions

/// Writes `--report out.xlsx`: the summary first, then a sheet for each table but `purchases` and `links`, or only
/// the table of the request.
enum WorkbookFormat: FileFormat {
    typealias Row = TypedRow
    static let name = "xlsx"
    static let hasEntities = true

    static func sink(for request: ReportRequest, _ setting: ReportSetting) throws(FileError) -> any ReportSink {
        try WorkbookSink(request, setting)
    }
}

/// Writes a workbook.
final class WorkbookSink: ReportSink {
    let file: OutputFile
    /// The file in which the workbook is made if its place is no regular file: a FIFO cannot be written at random.
    private let scratch: OutputFile?
    private let book: WorkbookFile
    private let setting: ReportSetting

    private let summary: SummarySheet?
    /// The table `receipts`, or `purchases`: rows that workers encode.
    private let rows: TableSheets?
    private var pieces = TypedRows()
    /// Encodes these rows.
    let rowEncoder: RowEncoder?
    private let fraud: TableSheets?
    private let links: TableSheets?
    private let entities: TableSheets?
    private let evidence: TableSheets?
    private let subscriptions: TableSheets?
    private let retention: TableSheets?
    private let metrics: TableSheets?

    /// - Parameter rowsPerSheet: the number of rows after which a table continues on another sheet.
    init(
        _ request: ReportRequest, _ setting: ReportSetting, rowsPerSheet: Int = TableSheets.maxRows
    ) throws(FileError) {
        self.setting = setting
        file = try OutputFile(replacing: request.path)
        let folder = setting.temporaryFolder
        scratch = file.temporaryPath == nil ? try OutputFile(replacing: folder + "/audit-report.xlsx") : nil
        guard let target = file.temporaryPath ?? scratch?.temporaryPath else {
            throw FileError(.create, folder + "/audit-report.xlsx", code: FileError.exists)
        }
        let book = try WorkbookFile(target, for: request.path, temporaryFolder: folder)
        self.book = book

        let isWanted = { (table: ReportRequest.Table) in request.table == nil || request.table == table }
        let sheets = { (table: ReportRequest.Table) in
            isWanted(table)
                ? TableSheets(table.schema, in: book, rowsPerSheet: rowsPerSheet) : nil
        }
        summary = isWanted(.summary) ? try SummarySheet(in: book) : nil
        if request.table == .purchases {
            rows = sheets(.purchases)
            rowEncoder = WorkbookFormat.purchasesEncoder(setting.policy)
        } else {
            rows = sheets(.receipts)
            rowEncoder = rows == nil ? nil : WorkbookFormat.receiptsEncoder(maxRows: nil)
        }
        fraud = sheets(.fraud)
        // Links are too many for a workbook that has everything.
        links = request.table == .links ? sheets(.links) : nil
        entities = sheets(.entities)
        evidence = request.table == .evidence ? sheets(.evidence) : nil
        subscriptions = sheets(.subscriptions)
        retention = sheets(.retention)
        metrics = sheets(.metrics)
        // Sheets are in the order in which they begin, and each begins when those before it are complete.
        try rows?.begin()
    }

    /// Takes pieces that end anywhere.
    func write(rows: Span<UInt8>) throws(FileError) {
        let whole = pieces.whole(with: rows)
        try self.rows?.write(whole.span)
    }

    func write(_ finding: ComparedFinding) throws(FileError) {
        try fraud?.writeRow { FraudTable.write(finding, to: &$0) }
    }

    func write(_ link: LinkRow) throws(FileError) { try links?.writeRow { link.write(to: &$0) } }

    func write(_ entity: EntityRow) throws(FileError) {
        guard let entities else { return }
        try fraud?.begin()
        try entities.writeRow { entity.write(to: &$0) }
    }

    func write(_ row: EvidenceRow) throws(FileError) { try evidence?.writeRow { row.write(to: &$0) } }

    func write(_ subscription: SubscriptionRow) throws(FileError) {
        guard let subscriptions else { return }
        try fraud?.begin()
        try entities?.begin()
        try subscriptions.writeRow { SubscriptionsTable.write(subscription, to: &$0) }
    }

    func write(_ figures: SubscriptionFigures) throws(FileError) {
        try fraud?.begin()
        try entities?.begin()
        try subscriptions?.begin()
        if let retention {
            for row in figures.retentionRows { try retention.writeRow { row.write(to: &$0) } }
            try retention.begin()
        }
        if let metrics {
            try figures.forEachMetric { row throws(FileError) in try metrics.writeRow { row.write(to: &$0) } }
        }
    }

    func write(_ summary: Summary) throws(FileError) { try self.summary?.write(summary) }

    func finish() throws(FileError) {
        try rows?.end()
        try fraud?.end()
        try links?.end()
        try entities?.end()
        try evidence?.end()
        try subscriptions?.end()
        try retention?.end()
        try metrics?.end()
        try book.close(asOf: setting.asOf)
        if let made = scratch?.temporaryPath { try file.write(contentsOf: made) }
        try file.finish()
    }
}
