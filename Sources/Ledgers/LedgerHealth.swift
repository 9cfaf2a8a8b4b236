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
        var tables: [Table] = []
        for check in TableCheck.all { tables.append(try check.run(connection)) }
        self.tables = tables
        let runs = try Statement(connection, LedgerRun.select)
        var last: LedgerRun?
        while try runs.step() { last = LedgerRun(runs) ?? last }
        lastRun = last
        let pages = try connection.number("PRAGMA page_count") ?? 0
        size = pages.multipliedReportingOverflow(by: try connection.number("PRAGMA page_size") ?? 0).partialValue
    }
}

/// The query that reads one table, and the check of a row against its checksum.
private struct TableCheck {
    let name: String
    let sql: String
    let isIntact: (Statement, Connection) -> Bool

    /// Stops at the first row that SQLite cannot read: ``LedgerHealth/faults`` says why.
    func run(_ connection: Connection) throws(LedgerError) -> LedgerHealth.Table {
        var table = LedgerHealth.Table(name: name)
        do throws(LedgerError) {
            let statement = try Statement(connection, sql)
            while try statement.step() {
                table.rows += 1
                if !isIntact(statement, connection) { table.damaged += 1 }
            }
        } catch .damaged {
            table.damaged += 1
        }
        return table
    }

    static var all: [TableCheck] {
        [
            TableCheck(name: "values", sql: LedgerMeta.select) { row, _ in LedgerMeta.value(row) != nil },
            TableCheck(name: "runs", sql: LedgerRun.select) { row, _ in LedgerRun(row) != nil },
            TableCheck(
                name: "blocks",
                sql: """
                    SELECT block.id, seal, key, output FROM block LEFT JOIN block_output ON block_output.id=block.id
                    """
            ) { row, _ in
                row.number(1) == Checksum.ofBlock(row.number(0), row.bytes(2).span, row.bytes(3).span)
            },
            TableCheck(name: "signatures", sql: "SELECT digest, run, seal, verdict FROM signature") { row, _ in
                row.number(2) == Checksum.ofSignature(row.bytes(0).span, row.number(1), row.bytes(3).span)
            },
            TableCheck(name: "claims", sql: "SELECT id, run, seal, record FROM claim") { row, _ in
                row.number(2) == Checksum.ofClaim(Unsigned.read(row.number(0)), row.number(1), row.bytes(3).span)
            },
            TableCheck(name: "observations", sql: "SELECT key, claim, seal FROM observation") { row, _ in
                ObservationKey(row) != nil
            },
            TableCheck(
                name: "statements", sql: "SELECT \(TieredTable.statement.columns) FROM statement"
            ) { row, _ in
                LedgerReader.isIntact(statement: row)
            },
            TableCheck(name: "findings", sql: "SELECT \(FindingTable.latest.columns) FROM finding") { row, ledger in
                (try? StoredFinding(row, from: .latest, of: ledger)) != nil
            },
            TableCheck(
                name: "earlier findings", sql: "SELECT \(FindingTable.earlier.columns) FROM earlier_finding"
            ) { row, ledger in
                (try? StoredFinding(row, from: .earlier, of: ledger)) != nil
            },
            TableCheck(name: "reviews", sql: "SELECT \(Review.columns) FROM review") { row, ledger in
                (try? Review(row, of: ledger)) != nil
            },
            TableCheck(name: "failed runs", sql: "SELECT \(FailedRun.columns) FROM failure") { row, _ in
                FailedRun(row) != nil
            },
        ]
    }
}

/// The comparison of a ledger that was just made from the inputs with the one that earlier runs wrote.
///
/// Rows that both have must be the same: so it finds what anybody changed, even with a matching checksum. Rows that
/// only one has mean nothing, as inputs change.
public struct LedgerComparison: Sendable {
    /// The numbers of rows of one kind.
    public struct Count: Sendable, Equatable {
        public internal(set) var compared = 0
        public internal(set) var differing = 0
        /// The number of rows that only the new ledger has.
        public internal(set) var unknown = 0

        mutating func count(isSame: Bool?) {
            guard let isSame else { return unknown += 1 }
            compared += 1
            if !isSame { differing += 1 }
        }
    }

    public private(set) var blocks = Count()
    /// The same blocks, found by the status of their files.
    public private(set) var blocksByStatus = Count()
    public private(set) var signatures = Count()

    public var differing: Int { blocks.differing + blocksByStatus.differing + signatures.differing }
    public var compared: Int { blocks.compared + blocksByStatus.compared + signatures.compared }

    /// - Parameters:
    ///   - new: the path of the ledger that was just made.
    ///   - kept: the path of the other one. Another process may be writing it.
    ///   - isSame: whether the outputs of two blocks with one key, the new one's first, are equivalent; `nil` if they
    ///     cannot be compared.
    ///   - onSignature: called for each signature on which they differ: its digest, and whether the new ledger has it
    ///     as valid.
    public init(
        of new: String, with kept: String, isSame: (_ new: [UInt8], _ kept: [UInt8]) -> Bool?,
        onSignature: (_ digest: [UInt8], _ holds: Bool) -> Void
    ) throws(LedgerError) {
        let connection = try LedgerSchema.connection(reading: new)
        let reader = try LedgerReader(kept)
        let rows = try Statement(
            connection,
            """
            SELECT key, status_key, output FROM block JOIN block_output ON block_output.id=block.id ORDER BY block.id
            """)
        while try rows.step() {
            let (key, statusKey, output) = (rows.bytes(0), rows.bytes(1), rows.bytes(2))
            let found = try reader.block(key: key.span)
            blocks.count(isSame: found.flatMap { isSame(output, $0.output) })
            guard !statusKey.isEmpty, let byStatus = try reader.block(statusKey: statusKey.span) else { continue }
            // Mostly it is the same row, which is not compared again.
            blocksByStatus.count(isSame: byStatus.id == found?.id ? true : isSame(output, byStatus.output))
        }
        let signatures = try Statement(connection, "SELECT digest, verdict FROM signature")
        while try signatures.step() {
            let (digest, verdict) = (signatures.bytes(0), signatures.bytes(1))
            let known = try reader.verdict(ofSignature: digest.span)
            self.signatures.count(isSame: known.map { $0 == verdict })
            if let known, known != verdict { onSignature(digest, verdict == [1]) }
        }
    }
}
