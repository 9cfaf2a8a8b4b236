import Checks
import Engine
import Files
import Rules
import Subscriptions

/// A format for people: a page with all tables. Each of its rows ends with its only LF.
protocol DocumentFormat: FileFormat {
    /// Returns the text before the rows of the table `receipts`, the text between them and the lines of the index, and
    /// the text after these.
    static func parts(of document: ReportDocument) -> (before: String, between: String, after: String)

    /// Whether a full page names the findings of its entities, and has an index of all names.
    static var hasCards: Bool { get }
}

extension DocumentFormat {
    static var hasEntities: Bool { true }
    static var hasCards: Bool { false }

    static func holds(_ table: ReportRequest.Table) -> Bool { table.type.isOnPages }

    static func sink(for request: ReportRequest, _ setting: ReportSetting) throws(FileError) -> any ReportSink {
        try DocumentSink<Self>(request, setting)
    }
}

/// Writes a page for people once the summary is known. Rows of the table `receipts` wait in a file if all are wanted.
final class DocumentSink<Format: DocumentFormat>: ReportSink {
    let file: OutputFile
    private let table: ReportRequest.Table?
    private let withChange: Bool
    private var findings = FindingQueue()
    private var entities = TopEntities()
    private var support = SupportRows()
    /// The rows of the table `receipts`, if all are wanted.
    private let receipts: PageRows?
    private var claims: PageClaims?
    private let index: PageIndex?

    init(_ request: ReportRequest, _ setting: ReportSetting) throws(FileError) {
        table = request.table
        withChange = setting.withChange
        receipts = table == .receipts ? PageRows(in: setting.temporaryFolder) : nil
        claims = table == nil ? PageClaims(asOf: setting.asOf) : nil
        index = table == nil && Format.hasCards ? PageIndex(in: setting.temporaryFolder) : nil
        file = try OutputFile(replacing: request.path)
    }

    var encodedTables: [EncodedTable] {
        if claims != nil { return [EncodedTable(.receipts, PageClaim.encoder)] }
        guard receipts != nil, let all = EncodedTable(.receipts, in: Format.self, Policy()) else { return [] }
        return [all]
    }

    func write(rows: Span<UInt8>, of table: ReportRequest.Table) throws(FileError) {
        try receipts?.append(rows)
        claims?.add(rows)
    }

    func write<Table: ReportTable>(_ row: Table.Row, of table: Table.Type) throws(FileError) {
        if let finding = Table.row(row, of: FraudTable.self) {
            findings.add(finding)
            try index?.add(finding)
        } else if let entity = Table.row(row, of: EntitiesTable.self) {
            entities.add(entity)
            try index?.add(entity)
        } else if let purchase = Table.row(row, of: UnclaimedTable.self) {
            support.add(purchase)
        } else if let request = Table.row(row, of: RefundRequestsTable.self) {
            support.add(request)
        }
    }

    var namedFindings: Set<FindingID> { Format.hasCards ? entities.named : [] }
    func write(named finding: FindingRow) throws(FileError) { entities.add(named: finding) }

    func finish(_ summary: Summary) throws(FileError) {
        var document = ReportDocument(table: table, summary: summary, findings: findings, withChange: withChange)
        document.shownReceipts = receipts?.count ?? 0
        document.entities = entities
        document.support = support
        document.pageClaims = claims
        document.indexCounts = index?.counts
        let (before, between, after) = Format.parts(of: document)
        try file.write(Array(before.utf8).span)
        try receipts?.write(to: file)
        try file.write(Array(between.utf8).span)
        try index?.write(to: file)
        try file.write(Array(after.utf8).span)
        try file.finish()
    }
}
