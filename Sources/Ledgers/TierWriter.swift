/// Adds rows to a new tier of a table, unless an earlier tier has them.
final class TierWriter<Key: TierKey> {
    private let connection: Connection
    private let batch: RowBatch
    /// Searches the earlier tiers; `nil` if there are none.
    private let search: TierSearch<Key>?
    private let earlier: [Tier]
    /// The number of the new tier, behind all others, so that rows are appended.
    private let tier: Int64
    /// Whether an earlier tier was changed. Then no tier is merged, as the reader does not see the change.
    private var hasChanged = false

    /// - Parameter reader: a connection that sees the tiers as they were before the run.
    init(_ connection: Connection, _ tiers: TierList, _ reader: Connection?) throws(LedgerError) {
        self.connection = connection
        earlier = tiers[Key.table]
        tier = earlier.reduce(0) { max($0, $1.number) } &+ 1
        search = earlier.isEmpty ? nil : reader.map { TierSearch($0, tiers) }
        batch = try RowBatch(connection, Key.table, tier: tier)
    }

    /// Whether earlier runs wrote rows.
    var hasEarlier: Bool { search != nil }

    /// The number of added rows, once ``finish(_:)`` was called.
    var added: Int64 { batch.added }

    /// Returns the earlier tiers that have a row.
    func earlierTiers(with key: Key) throws(LedgerError) -> [Int64] { try search?.tiers(with: key) ?? [] }

    /// Adds a row that no earlier tier has. A row that this run added stays.
    ///
    /// - Parameter bind: binds all columns but the tier, from an index on.
    func add(_ bind: (Statement, Int32) -> Void) throws(LedgerError) { try batch.add(bind) }

    /// Replaces a row of an earlier tier.
    func replace(in tier: Int64, _ bind: (Statement, Int32) -> Void) throws(LedgerError) {
        let table = Key.table
        let values = (1...table.columnCount + 1).map { "?\($0)" }.joined(separator: ", ")
        let replacement = try Statement(
            connection, "INSERT OR REPLACE INTO \(table.rawValue)(tier, \(table.columns)) VALUES(\(values))")
        replacement.bind(tier, at: 1)
        bind(replacement, 2)
        try replacement.run()
        hasChanged = true
    }

    /// Writes all rows and merges earlier tiers.
    ///
    /// - Returns: the resulting tiers.
    func finish(_ reader: Connection?) throws(LedgerError) -> [Tier] {
        try batch.write()
        let tiers = if let reader, !hasChanged { try merge(reader) } else { earlier }
        return added == 0 ? tiers : tiers + [Tier(number: tier, rows: added)]
    }

    /// Copies the rows of some earlier tiers into one, in the order of their keys, and deletes them.
    ///
    /// - Parameter reader: reads the earlier tiers. Reading the table that is written would need a query for each row.
    private func merge(_ reader: Connection) throws(LedgerError) -> [Tier] {
        let table = Key.table
        let merged = TierPlan(earlier).merged
        guard !merged.isEmpty else { return earlier }
        // SQLite merges the sorted selections; nothing is sorted again.
        let selections = merged.map { "SELECT \(table.columns) FROM \(table.rawValue) WHERE tier=\($0.number)" }
        let rows = try Statement(reader, selections.joined(separator: " UNION ALL ") + " ORDER BY \(table.key)")
        let batch = try RowBatch(connection, table, tier: tier &+ 1)
        // Checksums are copied, so that damage is still noticed when a row is read.
        while try rows.step() { try batch.add { $0.bind(row: rows, from: $1) } }
        try batch.write()
        for tier in merged {
            try connection.execute("DELETE FROM \(table.rawValue) WHERE tier=\(tier.number)")
        }
        return earlier.filter { !merged.contains($0) } + [Tier(number: tier &+ 1, rows: batch.added)]
    }
}

/// Inserts rows into a tier, many with one statement: so SQLite appends to the last row instead of searching for each.
private final class RowBatch {
    private static let size: Int32 = 64

    private let connection: Connection
    private let statement: Statement
    private let width: Int32
    /// The number of rows that are bound and not yet written.
    private var pending: Int32 = 0
    /// The number of rows that were inserted. A row whose key the tier already has is not.
    private(set) var added: Int64 = 0

    init(_ connection: Connection, _ table: TieredTable, tier: Int64) throws(LedgerError) {
        self.connection = connection
        let width = table.columnCount
        let rows = (0..<Self.size).map { row in
            "(?1, " + (0..<width).map { "?\(2 + row * width + $0)" }.joined(separator: ", ") + ")"
        }
        self.width = width
        statement = try Statement(
            connection,
            "INSERT OR IGNORE INTO \(table.rawValue)(tier, \(table.columns)) VALUES \(rows.joined(separator: ", "))")
        statement.bind(tier, at: 1)
    }

    /// Adds a row, which may be written later.
    ///
    /// - Parameter bind: binds all columns but the tier, from an index on.
    func add(_ bind: (Statement, Int32) -> Void) throws(LedgerError) {
        bind(statement, 2 + pending * width)
        pending += 1
        if pending == Self.size { try write() }
    }

    /// Writes the pending rows.
    func write() throws(LedgerError) {
        guard pending > 0 else { return }
        // Rows with NULL as key are ignored.
        for row in pending..<Self.size { statement.bindNull(at: 2 + row * width) }
        pending = 0
        try statement.run()
        added += Int64(connection.changes)
    }
}
