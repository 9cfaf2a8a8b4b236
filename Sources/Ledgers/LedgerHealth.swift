/// The state of a ledger: whether each row is intact and the tables are consistent, and how many rows there are.
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

    /// The first problem; `nil` if there is none.
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
            Self.table("claims", connection) { table, losses throws(LedgerError) in
                try losses.findClaims(in: connection, &table.rows)
            },
            Self.table("observations", connection) { table, losses throws(LedgerError) in
                try losses.findObservations(in: connection, &table.rows)
            },
            Self.table("statements", connection) { table, losses throws(LedgerError) in
                try losses.findStatements(in: connection, &table.rows)
            },
            Self.table("findings", connection) { table, losses throws(LedgerError) in
                try losses.findFindings(in: connection, &table.rows)
            },
            Self.table("reviews", connection) { table, losses throws(LedgerError) in
                let rows = try Review.Rows(connection, losses, "")
                while try rows.next() != nil { table.rows += 1 }
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
        let losses = Losses()
        do throws(LedgerError) { try count(&table, losses) } catch .damaged { table.damaged += 1 }
        table.damaged += losses.count
        return table
    }
}
