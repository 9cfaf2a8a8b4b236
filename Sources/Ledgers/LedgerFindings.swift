internal import Encodings

/// The tables of findings. A finding has one row with the latest span of consecutive runs that found it, and one row
/// for each earlier span: so their number grows with the changes, not with the number of runs.
enum FindingTable: String {
    case latest = "finding"
    case earlier = "earlier_finding"

    var columns: String {
        switch self {
        case .latest: "rule, subject, severity, first_seen, since_run, last_run, seal"
        case .earlier: "rule, subject, since_run, last_run, seal"
        }
    }

    /// Selects the rows of one finding.
    func selection(_ connection: Connection) throws(LedgerError) -> Statement {
        try Statement(connection, "SELECT \(columns) FROM \(rawValue) WHERE rule=?1 AND subject=?2")
    }
}

/// A finding and a span of consecutive runs that found it.
struct StoredFinding {
    var rule: ExactText
    var subject: ExactText
    /// The severity in the last of the runs. Earlier spans have neither a severity nor a time.
    var severity: Int64 = 0
    /// The reference time of the first run that ever found it, in milliseconds.
    var firstSeen: Int64 = 0
    var sinceRun: Int64
    var lastRun: Int64

    /// Reads a row of all the table's columns.
    init(_ row: Statement, from table: FindingTable, of ledger: Connection) throws(LedgerError) {
        rule = ExactText(row.text(0))
        subject = ExactText(row.text(1))
        var column: Int32 = 2
        if table == .latest {
            (severity, firstSeen) = (row.number(2), row.number(3))
            column = 4
        }
        (sinceRun, lastRun) = (row.number(column), row.number(column + 1))
        guard row.number(column + 2) == numbers(in: table).last else {
            throw .damaged(path: ledger.name, reason: "a finding is not what it was")
        }
    }

    init(rule: ExactText, subject: ExactText, severity: Int64, firstSeen: Int64, run: Int64) {
        self.rule = rule
        self.subject = subject
        self.severity = severity
        self.firstSeen = firstSeen
        (sinceRun, lastRun) = (run, run)
    }

    func bindName(to statement: Statement) {
        statement.bind(rule.text, at: 1)
        statement.bind(subject.text, at: 2)
    }

    /// Binds all the table's columns.
    func bind(to statement: Statement, in table: FindingTable) {
        bindName(to: statement)
        for (index, value) in numbers(in: table).enumerated() { statement.bind(value, at: Int32(index + 3)) }
    }

    /// The numbers in a row, the checksum last.
    private func numbers(in table: FindingTable) -> [Int64] {
        let numbers = (table == .latest ? [severity, firstSeen] : []) + [sinceRun, lastRun]
        let checksum = numbers.reduce(Checksum().adding(rule.text).adding(subject.text)) { $0.adding($1) }
        return numbers + [checksum.value]
    }
}

/// Finds the earlier spans of runs that found a finding.
struct EarlierSpans {
    private let connection: Connection
    private let statement: Statement

    init(_ connection: Connection) throws(LedgerError) {
        self.connection = connection
        statement = try FindingTable.earlier.selection(connection)
    }

    /// Whether there is a span, from a first to a last run, that meets a condition.
    func contains(
        of finding: StoredFinding, where condition: (Int64, Int64) -> Bool
    ) throws(LedgerError) -> Bool {
        finding.bindName(to: statement)
        defer { statement.reset() }
        while try statement.step() {
            let span = try StoredFinding(statement, from: .earlier, of: connection)
            if condition(span.sinceRun, span.lastRun) { return true }
        }
        return false
    }
}

/// Writes the findings of a run.
final class FindingWriter {
    private let connection: Connection
    private let run: Int64
    private let asOf: Instant
    /// The runs that were published, in ascending order.
    private let published: [Int64]
    private let latest: Statement
    private let insertion: Statement
    private let earlierInsertion: Statement
    private let earlierSpans: EarlierSpans
    /// The number of this run's findings by severity.
    private(set) var counts: [UInt8: Int] = [:]

    init(_ connection: Connection, run: Int64, asOf: Instant, after earlier: [LedgerRun]) throws(LedgerError) {
        self.connection = connection
        self.run = run
        self.asOf = asOf
        published = earlier.filter { $0.isPublished }.map(\.id)
        latest = try FindingTable.latest.selection(connection)
        insertion = try Statement(
            connection,
            "INSERT OR REPLACE INTO finding(\(FindingTable.latest.columns)) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)")
        earlierInsertion = try Statement(
            connection,
            "INSERT OR REPLACE INTO earlier_finding(\(FindingTable.earlier.columns)) VALUES(?1, ?2, ?3, ?4, ?5)")
        earlierSpans = try EarlierSpans(connection)
    }

    /// Records a finding of this run.
    ///
    /// - Returns: the reference time of the run that found it first, and whether no published run found it before.
    func record(
        _ rule: ExactText, _ subject: ExactText, _ severity: UInt8
    ) throws(LedgerError) -> (firstSeen: Instant, isNew: Bool) {
        guard var row = try find(rule, subject) else {
            counts[severity, default: 0] += 1
            try insert(
                StoredFinding(
                    rule: rule, subject: subject, severity: Int64(severity), firstSeen: asOf.milliseconds, run: run))
            return (asOf, true)
        }
        var isNew = !isPublished(row.sinceRun, row.lastRun)
        if isNew { isNew = try !earlierSpans.contains(of: row, where: isPublished) }
        if row.lastRun != run {
            counts[severity, default: 0] += 1
            if row.lastRun != run - 1 {
                row.bind(to: earlierInsertion, in: .earlier)
                try earlierInsertion.run()
                row.sinceRun = run
            }
            row.lastRun = run
            row.severity = Int64(severity)
            try insert(row)
        }
        return (Instant(milliseconds: row.firstSeen), isNew)
    }

    private func find(_ rule: ExactText, _ subject: ExactText) throws(LedgerError) -> StoredFinding? {
        latest.bind(rule.text, at: 1)
        latest.bind(subject.text, at: 2)
        guard try latest.step() else { return nil }
        defer { latest.reset() }
        return try StoredFinding(latest, from: .latest, of: connection)
    }

    private func insert(_ finding: StoredFinding) throws(LedgerError) {
        finding.bind(to: insertion, in: .latest)
        try insertion.run()
    }

    /// Whether one of these consecutive runs was published.
    private func isPublished(_ first: Int64, _ last: Int64) -> Bool {
        // From the end: mostly the latest run is the one.
        published.last { $0 <= last }.map { $0 >= first } ?? false
    }
}
