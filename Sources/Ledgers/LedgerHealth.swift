/// How a ledger is: whether all that is in it is what was written, and how much that is.
public struct LedgerHealth: Sendable {
    /// A table, by what it holds.
    public struct Table: Sendable, Equatable {
        public let name: String
        public internal(set) var rows = 0
        /// How many of them are not what was written.
        public internal(set) var damaged = 0
    }

    public let tables: [Table]
    /// What SQLite finds wrong with how the tables hang together; empty if nothing is.
    public let faults: [String]
    public let lastRun: LedgerRun?
    /// How many bytes its file has, without what was not yet brought home from the log.
    public let size: Int64

    public var isSound: Bool { faults.isEmpty && tables.allSatisfy { $0.damaged == 0 } }

    /// Reads all of a ledger. Somebody may be writing it.
    public init(of path: String) throws(LedgerError) {
        let connection = try LedgerVersion.connection(reading: path)
        try connection.execute("BEGIN")
        let integrity = try Statement(connection, "PRAGMA integrity_check(20)")
        var faults: [String] = []
        while try integrity.step() { faults.append(integrity.text(0)) }
        if faults == ["ok"] { faults = [] }
        self.faults = faults
        var tables: [Table] = []
        for examination in TableExamination.all { tables.append(try examination.run(connection)) }
        self.tables = tables
        let runs = try Statement(connection, RunTable.all)
        var last: LedgerRun?
        while try runs.step() { last = RunTable.run(runs) ?? last }
        lastRun = last
        let pages = try connection.number("PRAGMA page_count") ?? 0
        size = pages.multipliedReportingOverflow(by: try connection.number("PRAGMA page_size") ?? 0).partialValue
    }
}

/// How one table is read, and a row of it held against its seal.
private struct TableExamination {
    let name: String
    let sql: String
    let isSound: (Statement, Connection) -> Bool

    /// Stops where the table cannot be read on: what hangs together wrongly is told apart.
    func run(_ connection: Connection) throws(LedgerError) -> LedgerHealth.Table {
        var table = LedgerHealth.Table(name: name)
        do throws(LedgerError) {
            let statement = try Statement(connection, sql)
            while try statement.step() {
                table.rows += 1
                if !isSound(statement, connection) { table.damaged += 1 }
            }
        } catch .damaged {
            table.damaged += 1
        }
        return table
    }

    static var all: [TableExamination] {
        [
            TableExamination(
                name: "runs", sql: RunTable.all, isSound: { row, _ in RunTable.run(row) != nil }),
            TableExamination(
                name: "blocks",
                sql: """
                    SELECT block.id, seal, key, output FROM block LEFT JOIN block_output ON block_output.id=block.id
                    """,
                isSound: { row, _ in
                    row.number(1) == Checksum.ofBlock(row.number(0), row.bytes(2).span, row.bytes(3).span)
                }),
            TableExamination(
                name: "signatures", sql: "SELECT digest, run, seal, verdict FROM signature",
                isSound: { row, _ in
                    row.number(2) == Checksum.ofSignature(row.bytes(0).span, row.number(1), row.bytes(3).span)
                }),
            TableExamination(
                name: "claims", sql: "SELECT id, run, seal, record FROM claim",
                isSound: { row, _ in
                    row.number(2) == Checksum.ofClaim(Unsigned.read(row.number(0)), row.number(1), row.bytes(3).span)
                }),
            TableExamination(
                name: "observations", sql: "SELECT key, claim, seal FROM observation",
                isSound: { row, _ in
                    row.number(2) == Checksum.ofObservation(Unsigned.read(row.number(0)), Unsigned.read(row.number(1)))
                }),
            TableExamination(
                name: "findings", sql: "SELECT \(FindingRow.columns) FROM finding",
                isSound: { row, ledger in (try? FindingRow(row, of: ledger)) != nil }),
            TableExamination(
                name: "earlier findings", sql: "SELECT \(EarlierFinding.columns) FROM earlier_finding",
                isSound: { row, ledger in (try? EarlierFinding(row, of: ledger)) != nil }),
        ]
    }
}
