internal import Encodings

/// Notes findings: since which run each is found without a gap, and before that.
///
/// So what a ledger says of findings grows with what changes, not with the number of runs.
final class FindingWriter {
    private let connection: Connection
    private let run: Int64
    private let asOf: Instant
    /// The run before this one, and those that were published.
    private let previous: Int64
    private let published: [Int64]
    private let looking: Statement
    private let putting: Statement
    private let lookingEarlier: Statement
    private let puttingEarlier: Statement
    /// How many findings of each severity this run has.
    private(set) var counts: [UInt8: Int] = [:]

    init(_ connection: Connection, run: Int64, asOf: Instant, after earlier: [LedgerRun]) throws(LedgerError) {
        self.connection = connection
        self.run = run
        self.asOf = asOf
        previous = run - 1
        published = earlier.filter { $0.isPublished }.map(\.id)
        looking = try Statement(
            connection, "SELECT \(FindingRow.columns) FROM finding WHERE rule=?1 AND subject=?2")
        putting = try Statement(
            connection, "INSERT OR REPLACE INTO finding(\(FindingRow.columns)) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)")
        lookingEarlier = try Statement(
            connection, "SELECT \(EarlierFinding.columns) FROM earlier_finding WHERE rule=?1 AND subject=?2")
        puttingEarlier = try Statement(
            connection, "INSERT OR REPLACE INTO earlier_finding(\(EarlierFinding.columns)) VALUES(?1, ?2, ?3, ?4, ?5)")
    }

    func note(
        _ rule: ExactText, _ subject: ExactText, _ severity: UInt8
    ) throws(LedgerError) -> (firstSeen: Instant, isNew: Bool) {
        guard var row = try find(rule, subject) else {
            counts[severity, default: 0] += 1
            try put(
                FindingRow(
                    rule: rule, subject: subject, severity: Int64(severity), firstSeen: asOf.milliseconds, run: run))
            return (asOf, true)
        }
        let isNew = try !wasPublished(row)
        if row.lastRun != run {
            counts[severity, default: 0] += 1
            if row.lastRun != previous {
                EarlierFinding(of: row).bind(to: puttingEarlier)
                try puttingEarlier.run()
                row.sinceRun = run
            }
            row.lastRun = run
            row.severity = Int64(severity)
            try put(row)
        }
        return (Instant(milliseconds: row.firstSeen), isNew)
    }

    private func find(_ rule: ExactText, _ subject: ExactText) throws(LedgerError) -> FindingRow? {
        looking.bind(rule.text, at: 1)
        looking.bind(subject.text, at: 2)
        guard try looking.step() else { return nil }
        defer { looking.reset() }
        return try FindingRow(looking, of: connection)
    }

    private func put(_ row: FindingRow) throws(LedgerError) {
        row.bind(to: putting)
        try putting.run()
    }

    private func wasPublished(_ row: FindingRow) throws(LedgerError) -> Bool {
        if isPublished(row.sinceRun, row.lastRun) { return true }
        lookingEarlier.bind(row.rule.text, at: 1)
        lookingEarlier.bind(row.subject.text, at: 2)
        defer { lookingEarlier.reset() }
        while try lookingEarlier.step() {
            let earlier = try EarlierFinding(lookingEarlier, of: connection)
            if isPublished(earlier.sinceRun, earlier.lastRun) { return true }
        }
        return false
    }

    /// Whether one of these runs was published.
    private func isPublished(_ first: Int64, _ last: Int64) -> Bool {
        // The latest ones are those that matter, and are at the end.
        published.last { $0 <= last }.map { $0 >= first } ?? false
    }
}
