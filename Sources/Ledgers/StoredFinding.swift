import Encodings

/// The tables of findings. A finding has one row with the latest span of consecutive runs that found it, and one row
/// for each earlier span: so their number grows with the changes, not with the number of runs.
enum FindingTable: String {
    case latest = "finding"
    case earlier = "earlier_finding"

    var columns: String {
        switch self {
        case .latest:
            """
            rule, subject, evidence, severity, confidence, first_seen, events, events_day, events_before, events_last,
            is_about_more, since_run, last_run, seal
            """
        case .earlier: "rule, subject, since_run, last_run, seal"
        }
    }

    /// Inserts a row, or replaces that of the finding.
    func insertion(_ connection: Connection) throws(LedgerError) -> Statement {
        let count = columns.split(separator: ",").count
        let values = (1...count).map { "?\($0)" }.joined(separator: ", ")
        return try Statement(connection, "INSERT OR REPLACE INTO \(rawValue)(\(columns)) VALUES(\(values))")
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
    /// The evidence in the last of the runs; empty once something was forgotten (``Ledger/forget(_:in:)``). Earlier spans
    /// have none, and neither a severity nor a confidence nor a time.
    var evidence = ""
    var severity: Int64 = 0
    var confidence: Int64 = 0
    /// The reference time of the first run that ever found it, in milliseconds.
    var firstSeen: Int64 = 0
    /// How many events it had.
    var events = KnownEvents()
    /// Whether the last run met a claim of it that the run before its last review did not have.
    var isAboutMore = false
    var sinceRun: Int64
    var lastRun: Int64

    /// Reads a row of all the table's columns.
    ///
    /// - Parameter known: a finding whose texts are probably the row's.
    init(
        _ row: Statement, from table: FindingTable, of ledger: Connection, probably known: NamedFinding? = nil
    ) throws(LedgerError) {
        rule = ExactText(row.text(0, known: known?.rule.text ?? ""))
        subject = ExactText(row.text(1, known: known?.subject.text ?? ""))
        var column: Int32 = 2
        if table == .latest {
            evidence = row.text(2, known: known?.evidence ?? "")
            (severity, confidence, firstSeen) = (row.number(3), row.number(4), row.number(5))
            events = KnownEvents(most: row.number(6), day: row.number(7), before: row.number(8), last: row.number(9))
            isAboutMore = row.number(10) != 0
            column = 11
        }
        (sinceRun, lastRun) = (row.number(column), row.number(column + 1))
        guard row.number(column + 2) == seal(in: table) else {
            throw .damaged(path: ledger.name, reason: "checksum mismatch in a finding")
        }
    }

    init(_ finding: NamedFinding, firstSeen: Instant, run: Int64) {
        rule = finding.rule
        subject = finding.subject
        evidence = finding.evidence
        severity = Int64(finding.severity)
        confidence = Int64(finding.confidence)
        self.firstSeen = firstSeen.milliseconds
        events = KnownEvents(day: firstSeen.day, last: finding.events)
        isAboutMore = finding.isAboutMore
        (sinceRun, lastRun) = (run, run)
    }

    func bindName(to statement: Statement) {
        statement.bind(rule.text, at: 1)
        statement.bind(subject.text, at: 2)
    }

    /// Binds all the table's columns.
    func bind(to statement: Statement, in table: FindingTable) {
        bindName(to: statement)
        var column: Int32 = 3
        if table == .latest {
            statement.bind(evidence, at: column)
            column += 1
        }
        forEachNumber(in: table) { number in
            statement.bind(number, at: column)
            column += 1
        }
        statement.bind(seal(in: table), at: column)
    }

    /// Calls a body with the number in each column behind the texts, but for the checksum.
    private func forEachNumber(in table: FindingTable, _ body: (Int64) -> Void) {
        if table == .latest {
            body(severity)
            body(confidence)
            body(firstSeen)
            body(events.most)
            body(events.day)
            body(events.before)
            body(events.last)
            body(isAboutMore ? 1 : 0)
        }
        body(sinceRun)
        body(lastRun)
    }

    /// Returns the checksum of a row.
    func seal(in table: FindingTable) -> Int64 {
        var sum = Checksum().adding(rule.text).adding(subject.text)
        if table == .latest { sum = sum.adding(evidence) }
        forEachNumber(in: table) { sum = sum.adding($0) }
        return sum.value
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

/// How many events a finding had: the distinct transactions concerned. Only published runs count, and whether a run is
/// published is known when the next one begins.
struct KnownEvents: Equatable {
    /// The most of any published run before the last one.
    var most: Int64 = 0
    /// The latest day, in days since 1970 (UTC), of the reference time of a run that found it.
    var day: Int64 = 0
    /// The most of any published run before the last one with an earlier day.
    var before: Int64 = 0
    /// The number in the last run that found it, published or not.
    var last: Int64 = 0

    /// Counts the last run, which was published.
    ///
    /// - Parameter day: that of its reference time.
    mutating func countLast(on day: Int64) {
        most = max(most, last)
        if day < self.day { before = max(before, last) }
    }

    /// Begins another run.
    ///
    /// - Parameter day: that of its reference time.
    mutating func begin(on day: Int64) {
        last = 0
        guard day > self.day else { return }
        (before, self.day) = (most, day)
    }
}
