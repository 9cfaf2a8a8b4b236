/// Adds rows to a tier, many by one statement: so SQLite goes on where the last row went, and does not search anew.
final class RowBatch {
    private static let size: Int32 = 64

    private let connection: Connection
    private let statement: Statement
    private let width: Int32
    /// How many rows are bound and not yet written.
    private var waiting: Int32 = 0
    /// How many rows were added. One that the tier has already is none.
    private(set) var added: Int64 = 0

    init(_ connection: Connection, _ table: TieredTable, tier: Int64) throws(LedgerError) {
        self.connection = connection
        let width = Int32(table.columns.split(separator: ",").count)
        let rows = (0..<Self.size).map { row in
            "(?1, " + (0..<width).map { "?\(2 + row * width + $0)" }.joined(separator: ", ") + ")"
        }
        self.width = width
        statement = try Statement(
            connection,
            "INSERT OR IGNORE INTO \(table.rawValue)(tier, \(table.columns)) VALUES \(rows.joined(separator: ", "))")
        statement.bind(tier, at: 1)
    }

    /// Adds a row; it may be written later.
    ///
    /// - Parameter bind: binds all columns but the tier, from an index on.
    func add(_ bind: (Statement, Int32) -> Void) throws(LedgerError) {
        bind(statement, 2 + waiting * width)
        waiting += 1
        if waiting == Self.size { try write() }
    }

    /// Writes what is not yet written.
    func write() throws(LedgerError) {
        guard waiting > 0 else { return }
        // A row without a key is ignored, too.
        for row in waiting..<Self.size { statement.bindNothing(at: 2 + row * width) }
        waiting = 0
        try statement.run()
        added += Int64(connection.changes)
    }
}
