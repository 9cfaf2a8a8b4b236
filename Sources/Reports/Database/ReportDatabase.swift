import Checks
import Engine
import Files
import Rules
import SQLite
import Subscriptions

/// The database of a run, from which all that people read is made: the file of `--report out.sqlite`, or a temporary
/// one that its owner alone can read and that has no name.
final class ReportDatabase: ReportSink {
    /// The report; `nil` for a temporary database.
    let file: OutputFile?
    /// The file for making the database if its path is not a regular file: a FIFO does not support random access.
    private let scratch: OutputFile?
    private let database: DatabaseFile
    /// The tables by name.
    private let tables: [String: (names: [String], rows: DatabaseFile.Rows)]
    private let identities = try? IdentityHasher()
    let encodedTables: [EncodedTable]
    private var pieces: [ReportRequest.Table: TypedRows] = [:]
    private let isCompared: Bool

    /// Makes the database of a report.
    init(_ request: ReportRequest, _ setting: ReportSetting) throws(FileError) {
        let file = try OutputFile(replacing: request.path)
        let place = setting.temporaryFolder + "/audit-report.sqlite"
        scratch = file.temporaryPath == nil ? try OutputFile(replacing: place) : nil
        guard let target = file.temporaryPath ?? scratch?.temporaryPath else {
            throw FileError(.create, place, code: FileError.exists)
        }
        self.file = file
        isCompared = setting.withChange
        database = try DatabaseFile(target, name: request.path, application: SQLiteSchema.application)
        tables = try Self.create(SQLiteSchema.tables.map { $0.type }, in: database)
        encodedTables = SQLiteSchema.tables.compactMap { EncodedTable($0, in: SQLiteFormat.self, setting.policy) }
    }

    /// Makes a temporary database with the tables that reports for people are made from.
    init(temporary setting: ReportSetting, for views: [ReportRequest]) throws {
        file = nil
        scratch = nil
        isCompared = setting.withChange
        let folder = setting.temporaryFolder
        database = try TemporaryFile.opened(in: folder) { path throws(FileError) in
            try DatabaseFile(path, name: "a temporary file in \(folder)", application: SQLiteSchema.application)
        }
        let hasWorkbook = views.contains { $0.format == .xlsx }
        let withReceipts = views.contains { $0.table == nil || $0.table == .receipts }
        tables = try Self.create(
            SQLiteSchema.ofPages + (hasWorkbook ? SQLiteSchema.ofWorkbooks : []), in: database)
        let receipts = EncodedTable(.receipts, in: SQLiteFormat.self, setting.policy)
        encodedTables = withReceipts ? [receipts].compactMap(\.self) : []
    }

    private static func create(
        _ types: [any ReportTable.Type], in database: DatabaseFile
    ) throws(FileError) -> [String: (names: [String], rows: DatabaseFile.Rows)] {
        for table in types { try database.execute(SQLiteSchema.create(table.schema)) }
        try database.execute(SQLiteSchema.ownTables)
        var tables: [String: (names: [String], rows: DatabaseFile.Rows)] = [:]
        for schema in types.map({ $0.schema }) + [EntityMarksTable.schema, ReviewsTable.schema] {
            let names = schema.columnNames
            tables[schema.name] = (names, try DatabaseFile.Rows(schema.name, columns: names.count, in: database))
        }
        return tables
    }

    func write(rows: Span<UInt8>, of table: ReportRequest.Table) throws(FileError) {
        var waiting = pieces.removeValue(forKey: table) ?? TypedRows()
        let whole = waiting.whole(with: rows)
        pieces[table] = waiting
        try insert(whole.span, into: table.rawValue)
    }

    func write<Table: ReportTable>(_ row: Table.Row, of table: Table.Type) throws(FileError) {
        guard let names = tables[table.name]?.names else { return }
        var row = row
        // The row comes from an earlier report, which may contain anything. Here an id must match one rule and subject.
        if var finding = Table.row(row, of: FraudTable.self), finding.change == .resolved, let identities {
            finding.finding.id = identities.finding(rule: finding.finding.rule, subject: finding.finding.subject)
            if let changed = finding as? Table.Row { row = changed }
        }
        var bytes: [UInt8] = []
        SQLiteFormat.append(table.cells(of: row)[...], from: 0, of: names, to: &bytes)
        try insert(bytes.span, into: table.name)
    }

    /// Completes the tables, so that they can be read.
    func complete(_ summary: Summary) throws(FileError) -> StoredReport {
        try StoredSections.write(summary, isCompared: isCompared, to: database)
        try database.execute(SQLiteSchema.fillSeverities)
        if file == nil {
            try database.execute(SQLiteSchema.indexesOfPages)
        } else {
            try database.execute(SQLiteSchema.fillClaims)
            try writeDefinitions()
            try database.execute(SQLiteSchema.indexes)
            try database.execute(SQLiteSchema.fillDevices)
        }
        try database.execute(SQLiteSchema.trimReviews)
        try database.execute(SQLiteSchema.views)
        if file != nil { try database.execute(SQLiteSchema.defineViews) }
        try database.finish()
        return StoredReport(DatabaseReader(database))
    }

    func finish(_ summary: Summary, from report: StoredReport?) throws {
        guard let file else { return }
        if let made = scratch?.temporaryPath { try file.write(contentsOf: made) }
        try file.finish()
    }

    private func writeDefinitions() throws(FileError) {
        let rows = try DatabaseFile.Rows("definitions", columns: 4, in: database)
        for (table, column, type, text) in SQLiteSchema.definitions {
            for cell in [table, column, type, text] { rows.text(cell) }
            try rows.insert()
        }
    }

    /// Inserts whole rows encoded by ``StoredRow``.
    private func insert(_ rows: Span<UInt8>, into table: String) throws(FileError) {
        guard let inserted = tables[table]?.rows, !rows.isEmpty else { return }
        var cells = TypedCells(rows)
        while let cell = cells.next() {
            switch cell {
            case .endOfRow: try inserted.insert()
            case .empty: inserted.null()
            // Without the trailing NUL.
            case .text(let range): inserted.text(rows.extracting(range.dropLast()))
            case .number(let number): inserted.number(Int64(number))
            case .decimal(let number): inserted.real(number)
            case .date(let date): inserted.text(date.description)
            }
        }
    }
}
