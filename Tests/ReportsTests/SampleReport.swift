import Checks
import Encodings
import Engine
import Files
import Rules

@testable import Reports

/// The database of a run with these rows.
struct SampleReport {
    var summary = DocumentSamples.summary("x")
    var findings: [ComparedFinding] = []
    var entities: [EntityRow] = []
    var marks: [EntityMark] = []
    /// Cells of the table `receipts`.
    var claims: [[String: String]] = []
    var withChange = false

    func stored() throws -> StoredReport {
        let folder = try TemporaryFolder()
        var setting = ReportSetting(asOf: DocumentSamples.asOf, temporaryFolder: folder.path)
        setting.withChange = withChange
        let database = try ReportDatabase(temporary: setting, for: [ReportRequest(nil, .xlsx, path: "report.xlsx")])
        for claim in claims {
            var row = StoredRow()
            for column in ReceiptsTable.columnNames { row.text(claim[column] ?? "") }
            row.endRow()
            try database.write(rows: row.takeBytes().span, of: .receipts)
        }
        var ids: Set<FindingID> = []
        for (index, found) in findings.enumerated() {
            var found = found
            if !ids.insert(found.finding.id).inserted { found.finding.id = FindingID(high: .max, low: UInt32(index)) }
            try database.write(found, of: FraudTable.self)
            guard let decision = found.decision else { continue }
            try database.write(ReviewsTable.Row(finding: found.finding.id, decision: decision), of: ReviewsTable.self)
        }
        for mark in marks { try database.write(mark, of: EntityMarksTable.self) }
        for entity in entities { try database.write(entity, of: EntitiesTable.self) }
        return try database.complete(summary)
    }

    func document(_ table: ReportRequest.Table? = nil) throws -> ReportDocument {
        try ReportDocument(stored(), table: table)
    }

    func html(_ table: ReportRequest.Table? = nil) throws -> String { try HTMLFormat.text(of: document(table)) }
    func markdown(_ table: ReportRequest.Table? = nil) throws -> String { try MarkdownFormat.text(of: document(table)) }
}

extension DocumentFormat {
    /// The whole page.
    static func text(of document: ReportDocument) throws -> String {
        let page = PageWriter(nil)
        try write(document, to: page)
        return page.text
    }
}

/// A report, and beside it the database of the run from which views are made.
final class SampleSink {
    private let sink: any ReportSink
    private let database: ReportDatabase
    private var ids: Set<FindingID> = []

    init(_ sink: any ReportSink, _ setting: ReportSetting) throws {
        self.sink = sink
        database = try ReportDatabase(temporary: setting, for: [ReportRequest(nil, .xlsx, path: "report.xlsx")])
    }

    func write(rows: Span<UInt8>, of table: ReportRequest.Table) throws {
        try sink.write(rows: rows, of: table)
        // Rows of sheets may be no claims, which a database does not take.
        if table == .receipts { try? database.write(rows: rows, of: table) }
    }

    func write<Table: ReportTable>(_ row: Table.Row, of table: Table.Type) throws {
        try sink.write(row, of: table)
        var row = row
        // No two findings have one id.
        if var found = row as? ComparedFinding {
            if !ids.insert(found.finding.id).inserted {
                found.finding.id = FindingID(high: .max, low: UInt32(ids.count))
                ids.insert(found.finding.id)
            }
            if let changed = found as? Table.Row { row = changed }
        }
        try database.write(row, of: table)
        guard let entity = row as? EntityRow else { return }
        for note in entity.marks {
            let mark = EntityMark(entity.entity, note.finding, note.severity)
            try database.write(mark, of: EntityMarksTable.self)
        }
    }

    func finish(_ summary: Summary) throws {
        try sink.finish(summary, from: database.complete(summary))
        try sink.file?.publish()
    }
}
