public import Encodings
import Engine
import Files
import SQLite

/// Selects what to delete from a ledger.
public struct LedgerDeletion: Sendable {
    /// The claims to delete, with their observations; for tokens of evidence, with their statements.
    public var claims: [UInt64] = []
    /// The subjects whose findings are deleted.
    public var subjects: [ExactText] = []
    /// Deletes the evidence texts of findings even if nothing else is deleted: they may contain data that no key leads
    /// to.
    public var texts = false
    /// Deletes the runs with an earlier reference time, with the data that they were the first to add, and findings
    /// that no later run had.
    public var before: Instant?
    /// Deletes a run, with the claims that no other run met, and removes it from the history of findings.
    public var run: Int64?

    public init() {}
}

/// The numbers of rows that were deleted from a ledger.
public struct LedgerDeletionCounts: Sendable, Equatable {
    public internal(set) var claims = 0
    public internal(set) var observations = 0
    /// The statements of tokens of evidence about purchases.
    public internal(set) var statements = 0
    public internal(set) var findings = 0
    public internal(set) var runs = 0
    /// The reports of runs that may still have what was deleted, if they are still there.
    public internal(set) var reports: [String] = []

    public init() {}

    fileprivate var isNothing: Bool { self == LedgerDeletionCounts() }
}

extension Ledger {
    /// Deletes rows and rewrites the ledger, so that no trace of the rows remains. The previous ledger is replaced, too,
    /// and a damaged one that a run replaced is deleted.
    ///
    /// - Parameter path: the path of an existing ledger that nobody has open.
    /// - Returns: `nil` if there was nothing to delete; then nothing changed.
    public static func forget(_ what: LedgerDeletion, in path: String) throws(LedgerError) -> LedgerDeletionCounts? {
        let change = try LedgerChange(path)
        let (connection, runs) = (change.connection, change.runs)
        if let run = what.run, !runs.runs.contains(where: { $0.id == run }) {
            throw .storage(path: path, reason: "it has no run \(run); `audit history` lists its runs")
        }
        var what = what
        if let run = what.run {
            let others = runs.runs.map(\.id).filter { $0 != run }
            what.claims += try MeetingTable(connection).change { met in
                guard met.contains(run) || met.asides.contains(run) else { return false }
                met.remove(run, of: others)
                return true
            }.map(Unsigned.read)
        }
        var forgotten = try LedgerDeletionCounts(deleting: what, from: connection, runs)
        if let run = what.run { forgotten.findings += try StoredFinding.take(run, from: connection, runs.runs) }
        guard !forgotten.isNothing else { return nil }
        // A run that is taken back named nobody who is to be forgotten.
        if what.texts {
            forgotten.reports = Set(runs.runs.flatMap(\.reports)).filter(FileContents.exists).sorted()
        }
        try connection.execute("COMMIT; VACUUM")
        try change.finish()
        try change.publish(keepsPrevious: false)
        try change.replacePrevious()
        return forgotten
    }
}

extension Ledger {
    /// Lets a doubtful run count in later ones.
    ///
    /// - Parameter path: the path of an existing ledger that nobody has open.
    public static func accept(_ run: Int64, in path: String) throws(LedgerError) {
        let change = try LedgerChange(path)
        guard var accepted = change.runs.runs.first(where: { $0.id == run }), accepted.doubt.exists else {
            throw .storage(path: path, reason: "it has no doubtful run \(run); `audit history` lists its runs")
        }
        _ = try MeetingTable(change.connection).change { $0.accept(run) }
        try StoredFinding.accept(accepted, in: change.connection)
        accepted.doubt = RunDoubt()
        try RunTable.write(accepted, to: change.connection)
        try change.finish()
        try change.publish()
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
            findings = try connection.delete("finding WHERE last_run IN past")
            findings += try StoredFinding.deleteDoubtful(of: Set(past), in: connection)
            let failed = table.failures.filter { $0.run.asOf < before }.map(\.id)
            try connection.run("DELETE FROM run WHERE id=?1", for: failed) { $1.bind($0, at: 1) }
        }
        try connection.execute("INSERT INTO gone SELECT id FROM claim WHERE abs(run) IN past")
        try connection.run("INSERT OR IGNORE INTO gone VALUES(?1)", for: what.claims) {
            $1.bind(Unsigned.stored($0), at: 1)
        }
        // One pass over all observations: the keys of a claim are not stored.
        observations = try connection.delete("observation WHERE claim IN gone")
        claims = try connection.delete("claim WHERE id IN gone")
        _ = try connection.delete("meeting WHERE claim IN gone")
        // The first id of an account stays as long as its claims do.
        _ = try connection.delete(
            "account WHERE NOT EXISTS (SELECT 1 FROM observation WHERE observation.key=account.key)")
        statements = try connection.delete("statement WHERE run IN past OR claim IN gone")
        if let run = what.run {
            // A token that another run had, too, is still a claim.
            statements += try connection.delete("statement WHERE run=\(run) AND claim NOT IN (SELECT id FROM claim)")
            try connection.execute("INSERT OR IGNORE INTO past VALUES(\(run))")
        }
        for table in ["finding", "review"] {
            let deleted = try connection.run("DELETE FROM \(table) WHERE subject=?1", for: what.subjects) {
                $1.bind($0.text, at: 1)
            }
            if table == "finding" { findings += deleted }
        }
        runs = try connection.delete("run WHERE id IN past")
        // The text of a finding may name the subject of another. The next run writes it again.
        let isOfPeople = !what.claims.isEmpty || !what.subjects.isEmpty
        guard what.texts || isOfPeople && self != LedgerDeletionCounts() else { return }
        try connection.execute("UPDATE finding SET evidence=''")
        try StoredFinding.forgetRings(in: connection)
    }
}

extension Connection {
    /// - Returns: the number of deleted rows.
    fileprivate func delete(_ rows: String) throws(LedgerError) -> Int {
        try Statement(self, "DELETE FROM \(rows)").run()
        return changes
    }
}

extension StoredFinding {
    /// Removes the rings of findings: the id of a ring is a hash of its subject.
    fileprivate static func forgetRings(in connection: Connection) throws(LedgerError) {
        let insertion = try insertion(connection)
        try forEach(in: connection) { (row: StoredFinding) throws(LedgerError) in
            guard row.ring != nil else { return }
            var left = row
            left.ring = nil
            try left.write(by: insertion)
        }
    }

    /// Deletes the findings that only doubtful runs made, all of them among some runs.
    ///
    /// - Returns: the number of deleted findings.
    fileprivate static func deleteDoubtful(of past: Set<Int64>, in connection: Connection) throws(LedgerError) -> Int {
        let rows = try Rows(connection, "WHERE last_run=0")
        var gone: [StoredFinding] = []
        while let row = try rows.next() { if row.runs.asides.allSatisfy(past.contains) { gone.append(row) } }
        return try delete(gone, from: connection)
    }

    private static func delete(_ rows: [StoredFinding], from connection: Connection) throws(LedgerError) -> Int {
        try connection.run("DELETE FROM finding WHERE subject=?1 AND rule=?2", for: rows) {
            $1.bind(texts: $0.subject.text, $0.rule.text)
        }
    }

    /// Calls a body, which may write, with each finding.
    private static func forEach(
        in connection: Connection, _ body: (StoredFinding) throws(LedgerError) -> Void
    ) throws(LedgerError) {
        let findings = try Rows(connection, "WHERE subject=?1 AND rule=?2")
        try connection.forEachRow(of: "SELECT subject, rule FROM finding") { (row: Statement) throws(LedgerError) in
            try findings.first(ExactText(row.text(0)), ExactText(row.text(1))).map(body)
        }
    }

    /// Removes a run from a ledger's history of findings. A finding of that run alone is deleted; others get the
    /// last-found and first-seen dates of the remaining runs.
    ///
    /// - Parameter runs: all committed runs.
    /// - Returns: the number of deleted findings.
    fileprivate static func take(
        _ run: Int64, from connection: Connection, _ runs: [LedgerRun]
    ) throws(LedgerError) -> Int {
        let others = runs.filter { $0.id != run }
        let insertion = try insertion(connection)
        var deleted = 0
        try forEach(in: connection) { (row: StoredFinding) throws(LedgerError) in
            guard row.runs.contains(run) || row.runs.asides.contains(run) else { return }
            if let left = row.without(run, of: others) {
                try left.write(by: insertion)
            } else {
                deleted += try delete([row], from: connection)
            }
        }
        return deleted
    }

    /// Returns the finding without a run; `nil` if no other run made it.
    private func without(_ run: Int64, of others: [LedgerRun]) -> StoredFinding? {
        var row = self
        row.runs.remove(run, of: others.map(\.id))
        guard !row.runs.isEmpty else { return nil }
        if runs.first == run, let first = others.first(where: { $0.id == row.runs.first }) {
            row.firstSeen = max(firstSeen, first.asOf)
        }
        if lastRun == run {
            // The previous run's number was counted when this run began.
            row.events.last = row.events.most
            row.evidence = ""
        }
        return row
    }

    /// Lets a doubtful run count: its findings are as if they had been found without a doubt.
    fileprivate static func accept(_ run: LedgerRun, in connection: Connection) throws(LedgerError) {
        let insertion = try insertion(connection)
        try forEach(in: connection) { (row: StoredFinding) throws(LedgerError) in
            var row = row
            let wasCounted = row.runs.counts
            guard row.runs.accept(run.id) else { return }
            row.firstSeen = wasCounted ? min(row.firstSeen, run.asOf) : run.asOf
            try row.write(by: insertion)
        }
    }
}
