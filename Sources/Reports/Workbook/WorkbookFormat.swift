import Engine
import Files
import Subscriptions

/// Writes `--report out.xlsx`: a workbook for analysts, or only the table of the request.
enum WorkbookFormat: FileFormat {
    typealias Row = TypedRow
    static let name = "xlsx"
    static let hasEntities = true
    static func isView(of table: ReportRequest.Table?) -> Bool { table == nil }

    static func sink(for request: ReportRequest, _ setting: ReportSetting) throws(FileError) -> any ReportSink {
        guard let table = request.table else { return try WorkbookSink(request.path, setting) }
        return try TableWorkbookSink(table, request.path, setting)
    }
}

/// The file of a workbook and its content.
struct WorkbookTarget {
    let file: OutputFile
    let book: WorkbookFile
    /// The file for making the workbook if its path is not a regular file: a FIFO does not support random access.
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
    /// The table's sheets; `nil` for the summary.
    private let sheets: TableSheets?
    private let summary: OverviewSheet?
    private var pieces = TypedRows()
    let encodedTables: [EncodedTable]

    /// - Parameter limits: the number of rows after which the table continues on another sheet.
    init(
        _ table: ReportRequest.Table, _ path: String, _ setting: ReportSetting,
        limits: TableSheets.Limits = TableSheets.Limits()
    ) throws(FileError) {
        self.table = table
        target = try WorkbookTarget(path, setting)
        let book = target.book
        sheets = table == .summary ? nil : try TableSheets(table.schema, in: book, limits: limits)
        summary = table == .summary ? try OverviewSheet("summary", in: book) : nil
        encodedTables = [EncodedTable(table, in: WorkbookFormat.self, setting.policy)].compactMap(\.self)
    }

    var file: OutputFile? { target.file }

    func write(rows: Span<UInt8>, of table: ReportRequest.Table) throws(FileError) {
        let whole = pieces.whole(with: rows)
        try sheets?.write(whole.span)
    }

    func write<Table: ReportTable>(_ row: Table.Row, of table: Table.Type) throws(FileError) {
        guard self.table.type == table else { return }
        try sheets?.write(row, of: table)
    }

    func finish(_ summary: Summary, from report: StoredReport?) throws {
        try self.summary?.write(summary)
        try sheets?.end()
        try target.finish()
    }
}
