import Checks
import Engine
import Files
import Ledgers
import Rules
import Subscriptions

/// Writes `--report out.sqlite`: a database with all tables of the run except `answers`, with indexes and views.
enum SQLiteFormat: FileFormat {
    typealias Row = StoredRow
    static let name = "sqlite"
    static let hasEntities = true
    static func holds(_ table: ReportRequest.Table) -> Bool { false }

    static func sink(for request: ReportRequest, _ setting: ReportSetting) throws(FileError) -> any ReportSink {
        try SQLiteSink(request, setting)
    }
}

/// Writes a database, row by row.
final class SQLiteSink: ReportSink {
    let file: OutputFile
    /// The file for making the database if its path is not a regular file: a FIFO does not support random access.
    private let scratch: OutputFile?
    private let database: DatabaseFile
    /// The tables by name.
    private let tables: [String: (names: [String], rows: DatabaseFile.Rows)]
    private let identities = try? IdentityHasher()
    let encodedTables: [EncodedTable]
    private var pieces: [ReportRequest.Table: TypedRows] = [:]

    init(_ request: ReportRequest, _ setting: ReportSetting) throws(FileError) {
        file = try OutputFile(replacing: request.path)
        let place = setting.temporaryFolder + "/audit-report.sqlite"
        scratch = file.temporaryPath == nil ? try OutputFile(replacing: place) : nil
        guard let target = file.temporaryPath ?? scratch?.temporaryPath else {
            throw FileError(.create, place, code: FileError.exists)
        }
        database = try DatabaseFile(target, name: request.path, application: SQLiteSchema.application)
        for table in SQLiteSchema.tables { try database.execute(SQLiteSchema.create(table.schema)) }
        try database.execute(SQLiteSchema.ownTables)
        var tables: [String: (names: [String], rows: DatabaseFile.Rows)] = [:]
        for schema in SQLiteSchema.stored {
            let names = schema.columnNames
            tables[schema.name] = (names, try DatabaseFile.Rows(schema.name, columns: names.count, in: database))
        }
        self.tables = tables
        encodedTables = SQLiteSchema.tables.compactMap { EncodedTable($0, in: SQLiteFormat.self, setting.policy) }
    }

    func write(rows: Span<UInt8>, of table: ReportRequest.Table) throws(FileError) {
        var waiting = pieces.removeValue(forKey: table) ?? TypedRows()
        let whole = waiting.whole(with: rows)
        pieces[table] = waiting
        try insert(whole.span, into: table.rawValue)
    }

    func write<Table: ReportTable>(_ row: Table.Row, of table: Table.Type) throws(FileError) {
        var row = row
        // The row comes from an earlier report, which may contain anything. Here an id must match one rule and subject.
        if var finding = Table.row(row, of: FraudTable.self), finding.change == .resolved, let identities {
            finding.finding.id = identities.finding(rule: finding.finding.rule, subject: finding.finding.subject)
            if let changed = finding as? Table.Row { row = changed }
        }
        var bytes: [UInt8] = []
        guard let names = tables[table.name]?.names else { return }
        SQLiteFormat.append(table.cells(of: row)[...], from: 0, of: names, to: &bytes)
        try insert(bytes.span, into: table.name)
    }

    func finish(_ summary: Summary) throws(FileError) {
        try database.execute(SQLiteSchema.fillClaims)
        try database.execute(SQLiteSchema.fillSeverities)
        try writeDefinitions()
        try database.execute(SQLiteSchema.indexes)
        try database.execute(SQLiteSchema.fillDevices)
        try database.execute(SQLiteSchema.trimReviews)
        try database.execute(SQLiteSchema.views)
        try database.execute(SQLiteSchema.defineViews)
        try database.finish()
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
