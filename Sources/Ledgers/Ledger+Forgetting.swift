public import Encodings

/// What a ledger is to forget.
public struct LedgerForgetting: Sendable {
    /// These claims, and where they were seen.
    public var claims: [UInt64] = []
    /// Findings about these.
    public var subjects: [ExactText] = []
    /// Runs that were made for a time before this one, what they were the first to record, and findings that no later run
    /// had.
    public var before: Instant?

    public init() {}
}

/// What a ledger has forgotten.
public struct LedgerForgotten: Sendable, Equatable {
    public internal(set) var claims = 0
    public internal(set) var observations = 0
    public internal(set) var signatures = 0
    public internal(set) var findings = 0
    public internal(set) var runs = 0
    /// All blocks, if there was anything else to forget: they hold rows of all claims. The next run makes them anew.
    public internal(set) var blocks = 0

    public init() {}
}

extension Ledger {
    /// Forgets, so that nothing of it is left in the ledger's files: they are written anew.
    ///
    /// - Parameter path: of a ledger that is there and that nobody uses.
    public static func forget(_ what: LedgerForgetting, in path: String) throws(LedgerError) -> LedgerForgotten {
        let files = try LedgerFiles.open(existing: path)
        let connection = files.connection
        let forgotten = try Forgetter(connection).forget(what)
        let meta = LedgerMeta(connection)
        try meta.set("observations", max(0, files.memory.observations - Int64(forgotten.observations)))
        if forgotten != LedgerForgotten() { try TierList(counting: connection).write(to: meta) }
        // A vacuum makes a copy, for which there may be no memory.
        try connection.execute("COMMIT; PRAGMA temp_store=FILE; VACUUM")
        guard connection.shortenLog() else {
            throw .storage(
                path: path,
                reason: "it forgets, but somebody reads it, and its files still hold what they held: forget once more")
        }
        return forgotten
    }
}

/// Deletes rows by what they have to do with.
private struct Forgetter {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    func forget(_ what: LedgerForgetting) throws(LedgerError) -> LedgerForgotten {
        try connection.execute(
            "CREATE TEMP TABLE gone(id INTEGER PRIMARY KEY); CREATE TEMP TABLE past(id INTEGER PRIMARY KEY)")
        if let before = what.before {
            try connection.execute("INSERT INTO past SELECT id FROM run WHERE as_of < \(before.milliseconds)")
        }
        try connection.execute("INSERT INTO gone SELECT id FROM claim WHERE run IN past")
        try each(what.claims, "INSERT OR IGNORE INTO gone VALUES(?1)") { $1.bind(Unsigned.stored($0), at: 1) }
        var forgotten = LedgerForgotten()
        // One pass over all observations; who knows the keys of a claim is not here.
        forgotten.observations = try delete("observation WHERE claim IN gone")
        forgotten.claims = try delete("claim WHERE id IN gone")
        forgotten.signatures = try delete("signature WHERE run IN past")
        forgotten.findings = try delete("finding WHERE last_run IN past")
        _ = try delete("earlier_finding WHERE last_run IN past")
        forgotten.findings += try each(what.subjects, "DELETE FROM finding WHERE subject=?1") {
            $1.bind($0.text, at: 1)
        }
        try each(what.subjects, "DELETE FROM earlier_finding WHERE subject=?1") { $1.bind($0.text, at: 1) }
        forgotten.runs = try delete("run WHERE id IN past")
        if forgotten != LedgerForgotten() {
            _ = try delete("block_output")
            forgotten.blocks = try delete("block")
        }
        return forgotten
    }

    private func delete(_ rows: String) throws(LedgerError) -> Int {
        try Statement(connection, "DELETE FROM \(rows)").run()
        return connection.changes
    }

    /// - Returns: how many rows were changed.
    @discardableResult
    private func each<Value>(
        _ values: [Value], _ sql: String, _ bind: (Value, Statement) -> Void
    ) throws(LedgerError) -> Int {
        let statement = try Statement(connection, sql)
        var count = 0
        for value in values {
            bind(value, statement)
            try statement.run()
            count += connection.changes
        }
        return count
    }
}
