public import Encodings

/// A run that failed, and its row in the table `failure`: nothing else of it is in the ledger.
public struct FailedRun: Sendable, Equatable {
    /// When it failed.
    public let at: Instant
    /// The run's reference time.
    public let asOf: Instant
    /// Why, as its log says.
    public let reason: String

    /// - Parameter reason: its first 1,000 characters are kept.
    public init(at: Instant, asOf: Instant, reason: String) {
        self.at = at
        self.asOf = asOf
        self.reason = String(reason.prefix(1000))
    }
}

extension FailedRun {
    static let columns = "id, at, as_of, reason, seal"

    /// How many are kept, the last ones.
    static let kept = 100

    /// Reads all that are kept, oldest first.
    static func all(in connection: Connection) throws(LedgerError) -> [FailedRun] {
        let statement = try Statement(connection, "SELECT \(columns) FROM failure ORDER BY id")
        var runs: [FailedRun] = []
        while try statement.step() {
            guard let run = FailedRun(statement) else {
                throw .damaged(path: connection.name, reason: "checksum mismatch in a failed run")
            }
            runs.append(run)
        }
        return runs
    }

    /// Reads a row of all columns; `nil` if its checksum does not match.
    init?(_ row: Statement) {
        self.init(
            at: Instant(milliseconds: row.number(1)), asOf: Instant(milliseconds: row.number(2)), reason: row.text(3))
        guard row.number(4) == checksum(row.number(0)) else { return nil }
    }

    private func checksum(_ id: Int64) -> Int64 {
        Checksum().adding(id).adding(at.milliseconds).adding(asOf.milliseconds).adding(reason).value
    }

    fileprivate func write(to connection: Connection) throws(LedgerError) {
        let id = try connection.number("SELECT coalesce(max(id), 0) + 1 FROM failure") ?? 1
        let statement = try Statement(
            connection, "INSERT INTO failure(\(Self.columns)) VALUES(?1, ?2, ?3, ?4, ?5)")
        for (index, number) in [id, at.milliseconds, asOf.milliseconds].enumerated() {
            statement.bind(number, at: Int32(index + 1))
        }
        statement.bind(reason, at: 4)
        statement.bind(checksum(id), at: 5)
        try statement.run()
        try connection.execute("DELETE FROM failure WHERE id <= \(id - Int64(Self.kept))")
    }
}

extension Ledger {
    /// Records in an existing ledger, which nobody has open, that a run failed.
    public static func record(_ failed: FailedRun, in path: String) throws(LedgerError) {
        let files = try LedgerFiles.open(existing: path)
        try failed.write(to: files.connection)
        try files.connection.execute("COMMIT")
        files.connection.truncateLog()
    }
}
