/// The state of a ledger: whether each row is intact and the tables are consistent, and how much there is.
public struct LedgerHealth: Sendable {
    /// The rows of one table.
    public struct Table: Sendable, Equatable {
        public let name: String
        public internal(set) var rows = 0
        /// The number of rows whose checksum does not match.
        public internal(set) var damaged = 0
    }

    public let tables: [Table]
    /// The inconsistencies that SQLite reports, in its words.
    public let faults: [String]
    public let lastRun: LedgerRun?
    /// The size of the database in bytes, without its write-ahead log.
    public let size: Int64

    public var isIntact: Bool { fault == nil }

    /// The first thing that is wrong with it; `nil` if nothing is.
    var fault: String? {
        faults.first ?? tables.first { $0.damaged > 0 }.map { "\($0.damaged) of \($0.rows) \($0.name) are damaged" }
    }

    /// Reads a whole ledger. Another process may be writing it.
    public init(of path: String) throws(LedgerError) {
        let connection = try LedgerSchema.connection(reading: path)
        try connection.execute("BEGIN")
        let integrity = try Statement(connection, "PRAGMA integrity_check(20)")
        var faults: [String] = []
        while try integrity.step() { faults.append(integrity.text(0)) }
        self.faults = faults == ["ok"] ? [] : faults
        var last: LedgerRun?
        tables = try [
            Self.table("runs", connection) { table, _ throws(LedgerError) in
                let runs = try RunTable(connection)
                (table.rows, table.damaged) = (runs.runs.count + runs.failures.count, runs.damaged.count)
                last = runs.runs.last
            },
            Self.rows("blocks", connection, "id, record FROM block") { Seal($0.number(0)).opening($0.bytes(1)) != nil },
            Self.rows("claims", connection, "id, run, record FROM claim") {
                LedgerReader.record($0.number(0), $0.number(1), $0.bytes(2)) != nil
            },
            Self.rows("observations", connection, "key, claim, seal FROM observation") { LedgerReader.key($0) != nil },
            Self.rows("statements", connection, "id, claim, run, record FROM statement") {
                LedgerReader.statement($0) != nil
            },
            Self.table("findings", connection) { table, losses throws(LedgerError) in
                let rows = try StoredFinding.Rows(connection, losses, "")
                while try rows.next() != nil { table.rows += 1 }
                table.damaged = losses.count
            },
            Self.table("reviews", connection) { table, losses throws(LedgerError) in
                let rows = try Review.Rows(connection, losses, "")
                while try rows.next() != nil { table.rows += 1 }
                table.damaged = losses.count
            },
        ]
        lastRun = last
        let pages = try connection.number("PRAGMA page_count") ?? 0
        size = pages.multipliedReportingOverflow(by: try connection.number("PRAGMA page_size") ?? 0).partialValue
    }

    /// Counts rows. Stops at the first one that SQLite cannot read: ``faults`` says why.
    private static func table(
        _ name: String, _ connection: Connection, _ count: (inout Table, Losses) throws(LedgerError) -> Void
    ) throws(LedgerError) -> Table {
        var table = Table(name: name)
        do throws(LedgerError) { try count(&table, Losses()) } catch .damaged { table.damaged += 1 }
        return table
    }

    private static func rows(
        _ name: String, _ connection: Connection, _ selection: String, isIntact: (Statement) -> Bool
    ) throws(LedgerError) -> Table {
        try table(name, connection) { table, _ throws(LedgerError) in
            let rows = try Statement(connection, "SELECT \(selection)")
            while try rows.step() {
                table.rows += 1
                if !isIntact(rows) { table.damaged += 1 }
            }
        }
    }
}
