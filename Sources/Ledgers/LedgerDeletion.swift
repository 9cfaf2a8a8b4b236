public import Encodings

/// What to delete from a ledger.
public struct LedgerDeletion: Sendable {
    /// The claims to delete, with their observations; tokens of evidence, with what they said.
    public var claims: [UInt64] = []
    /// The subjects whose findings are deleted.
    public var subjects: [ExactText] = []
    /// Deletes the blocks even if nothing else is deleted: their rows have what no key leads to.
    public var blocks = false
    /// Deletes the runs with an earlier reference time, what they were the first to add, and findings that no later run
    /// had.
    public var before: Instant?

    public init() {}
}

/// The numbers of rows that were deleted from a ledger.
public struct LedgerDeletionCounts: Sendable, Equatable {
    public internal(set) var claims = 0
    public internal(set) var observations = 0
    /// What tokens of evidence said of purchases.
    public internal(set) var statements = 0
    public internal(set) var findings = 0
    public internal(set) var runs = 0
    /// All blocks, if anything else was deleted: they hold rows of all claims. The next run makes them again.
    public internal(set) var blocks = 0

    public init() {}
}

extension Ledger {
    /// Deletes rows and rewrites the ledger's files, so that no trace of the rows is left.
    ///
    /// - Parameter path: the path of an existing ledger that nobody has open.
    public static func forget(_ what: LedgerDeletion, in path: String) throws(LedgerError) -> LedgerDeletionCounts {
        let files = try LedgerFiles.open(existing: path)
        let connection = files.connection
        let forgotten = try LedgerDeletionCounts(deleting: what, from: connection, files.runs)
        // VACUUM copies the whole database, which memory may not hold.
        try connection.execute("COMMIT; PRAGMA temp_store=FILE; VACUUM")
        guard connection.truncateLog() else {
            throw .storage(
                path: path,
                reason: "it is in use: deleted data is still in its files; run `audit forget` again")
        }
        return forgotten
    }
}

extension LedgerDeletionCounts {
    fileprivate init(
        deleting what: LedgerDeletion, from connection: Connection, _ table: RunTable
    ) throws(LedgerError) {
        try connection.execute(
            "CREATE TEMP TABLE gone(id INTEGER PRIMARY KEY); CREATE TEMP TABLE past(id INTEGER PRIMARY KEY)")
        if let before = what.before {
            let past = table.runs.filter { $0.asOf < before }.map(\.id)
            try connection.run("INSERT INTO past VALUES(?1)", for: past) { $1.bind($0, at: 1) }
            let failed = table.failures.filter { $0.run.asOf < before }.map(\.id)
            try connection.run("DELETE FROM run WHERE id=?1", for: failed) { $1.bind($0, at: 1) }
        }
        try connection.execute("INSERT INTO gone SELECT id FROM claim WHERE run IN past")
        try connection.run("INSERT OR IGNORE INTO gone VALUES(?1)", for: what.claims) {
            $1.bind(Unsigned.stored($0), at: 1)
        }
        // One pass over all observations: the keys of a claim are not stored.
        observations = try connection.delete("observation WHERE claim IN gone")
        claims = try connection.delete("claim WHERE id IN gone")
        statements = try connection.delete("statement WHERE run IN past OR claim IN gone")
        findings = try connection.delete("finding WHERE last_run IN past")
        for table in ["finding", "review"] {
            let deleted = try connection.run("DELETE FROM \(table) WHERE subject=?1", for: what.subjects) {
                $1.bind($0.text, at: 1)
            }
            if table == "finding" { findings += deleted }
        }
        runs = try connection.delete("run WHERE id IN past")
        guard what.blocks || self != LedgerDeletionCounts() else { return }
        // What a finding says may name the subject of another. The next run writes it again.
        if what.blocks || !what.claims.isEmpty || !what.subjects.isEmpty {
            try connection.execute("UPDATE finding SET evidence=''")
        }
        blocks = try connection.delete("block")
    }
}

extension Connection {
    /// - Returns: the number of deleted rows.
    fileprivate func delete(_ rows: String) throws(LedgerError) -> Int {
        try Statement(self, "DELETE FROM \(rows)").run()
        return changes
    }
}
