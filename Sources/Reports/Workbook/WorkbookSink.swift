import Encodings
import Engine
import Files
import Rules
import SQLite

/// Writes the workbook for analysts from the database of a run: what to look at first, the queue of findings, figures,
/// and of the claims those that findings name, with links in both directions. The rest is in the database.
final class WorkbookSink: ViewSink {
    private let target: WorkbookTarget
    private let limits: WorkbookLimits

    init(_ path: String, _ setting: ReportSetting, limits: WorkbookLimits = WorkbookLimits()) throws(FileError) {
        self.limits = limits
        target = try WorkbookTarget(path, setting)
    }

    var file: OutputFile? { target.file }

    func write(_ report: StoredReport) throws {
        let document = try ReportDocument(report, table: nil)
        let places = try WorkbookPlaces(document, limits)
        // The sheets in their order; the overview is written last, because it says how many rows the others have.
        let overview = try OverviewSheet("Overview", in: target.book)
        let sheets = [
            try queue(report, places), try entities(document, places), try claims(report, places),
            try links(report, places), try sheet(of: UnclaimedTable.self, SupportRows.orderOfUnclaimed, report),
            try sheet(of: RefundRequestsTable.self, "rowid", report),
            try sheet(of: CompletenessTable.self, "rowid", report), try sheet(of: MetricsTable.self, "rowid", report),
            try sheet(of: RetentionTable.self, "rowid", report), try rules(document, places),
        ]
        try overview.write(document, sheets, places)
        try target.finish()
    }

    /// - Parameter source: the table that has all rows.
    private func sheet(_ schema: TableSchema, from source: String, isRanked: Bool = false) throws(FileError)
        -> TableSheets
    {
        try TableSheets(schema, in: target.book, source: source, isRanked: isRanked)
    }

    private func queue(_ report: StoredReport, _ places: WorkbookPlaces) throws -> TableSheets {
        let sheet = try sheet(QueueSheet.schema, from: FraudTable.name, isRanked: true)
        try report.forEachFinding(limits.findings) {
            try sheet.write($0, of: QueueSheet.self, links: places.links(of: $0.finding))
        }
        return try sheet.end(of: report.count("urgency"))
    }

    private func entities(_ document: ReportDocument, _ places: WorkbookPlaces) throws -> TableSheets {
        let sheet = try sheet(EntitySheet.schema, from: EntitiesTable.name, isRanked: true)
        for card in document.entities.cards {
            let links = places.links(of: card.row, worst: card.notes.first?.finding.id)
            try sheet.write(EntitySheet.Row(card), of: EntitySheet.self, links: links)
        }
        let (report, top) = (document.report, document.entities)
        try report.forEachEntity(besides: top, limits.entities) { entity, worst in
            let links = places.links(of: entity, worst: worst)
            try sheet.write(EntitySheet.Row(entity: entity), of: EntitySheet.self, links: links)
        }
        let others = top.cards.reduce(0) { $0 + ($1.ring?.named.count ?? 0) }
        return try sheet.end(of: top.count - others)
    }

    private func claims(_ report: StoredReport, _ places: WorkbookPlaces) throws -> TableSheets {
        let sheet = try sheet(ReceiptsTable.schema.titled("Claims"), from: ReceiptsTable.name, isRanked: true)
        try report.forEachWorstClaim(limits.claims) { row in
            try sheet.write(row.values(of: ReceiptsTable.schema), links: places.links(ofClaim: row))
        }
        return try sheet.end(of: report.count("worst_claims"))
    }

    private func links(_ report: StoredReport, _ places: WorkbookPlaces) throws -> TableSheets {
        let sheet = try sheet(LinksTable.schema.titled("Links"), from: LinksTable.name, isRanked: true)
        try report.forEachLink(limits.links) { row in
            try sheet.write(row.values(of: LinksTable.schema), links: places.links(ofLink: row))
        }
        return try sheet.end(of: report.count(LinksTable.name))
    }

    private func rules(_ document: ReportDocument, _ places: WorkbookPlaces) throws -> TableSheets {
        let sheet = try sheet(RuleSheet.schema, from: RuleSheet.name)
        let found = Dictionary(uniqueKeysWithValues: document.findings.byRule.map { ($0.rule, $0.count) })
        for rule in RuleBook.rules.map({ $0.documentation }) {
            let quality = document.ruleQuality.first { $0.rule == rule.id }
            let row = RuleSheet.Row(rule: rule, findings: found[rule.id] ?? 0, quality: quality)
            try sheet.write(row, of: RuleSheet.self, links: places.links(ofRule: rule.id))
        }
        return try sheet.end(of: sheet.count)
    }

    /// Writes a table as it is, on a sheet of its name: `Refund requests`.
    private func sheet<Table: ReportTable>(
        of table: Table.Type, _ order: String, _ report: StoredReport
    ) throws -> TableSheets {
        let title = Table.name.prefix(1).uppercased() + Table.name.dropFirst().replacing("_", with: " ")
        let sheet = try sheet(Table.schema.titled(title), from: Table.name)
        let rows = "SELECT * FROM \(Table.name) ORDER BY \(order) LIMIT \(limits.rowsOfTables)"
        try report.reader.forEachRow(rows) { try sheet.write($0.values(of: Table.schema)) }
        return try sheet.end(of: report.count(Table.name))
    }
}

/// How many rows the sheets of a workbook have, the first ones: programs open it in seconds, not minutes. The rest is in
/// the database.
struct WorkbookLimits {
    var findings = 20_000
    var entities = 20_000
    var claims = 10_000
    var links = 10_000
    /// The maximum number of rows of sheets that are tables.
    var rowsOfTables = 60_000
}
