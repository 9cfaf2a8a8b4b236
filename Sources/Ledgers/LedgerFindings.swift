public import Encodings

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
    init(_ row: Statement, from table: FindingTable, of ledger: Connection) throws(LedgerError) {
        rule = ExactText(row.text(0))
        subject = ExactText(row.text(1))
        var column: Int32 = 2
        if table == .latest {
            evidence = row.text(2)
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

/// A finding of this run, by its name.
public struct NamedFinding: Sendable {
    public var rule: ExactText
    public var subject: ExactText
    public var severity: UInt8
    public var confidence: UInt8
    /// The number of distinct transactions concerned; 1 if the rule does not count them.
    public var events: Int64
    /// What reports say of it: a sentence or two.
    public var evidence: String
    /// What ``Ledger/isAboutMore(rule:subject:claims:)`` says of it.
    public var isAboutMore = false

    public init(
        rule: ExactText, subject: ExactText, severity: UInt8, confidence: UInt8, events: Int64, evidence: String
    ) {
        self.rule = rule
        self.subject = subject
        self.severity = severity
        self.confidence = confidence
        self.events = events
        self.evidence = evidence
    }
}

/// What a ledger knows of a finding of this run.
public struct FindingHistoryEntry: Sendable, Equatable {
    /// The reference time of the run that found it first.
    public var firstSeen: Instant
    /// Whether no published run with an earlier day of its reference time (UTC) found it, or none with as many events.
    /// A second run for the same day says the same.
    public var isNew: Bool
    /// What reviews say of it.
    public var status = FindingStatus.open
    /// Its last review, whether or not that still holds.
    public var decision: ReviewDecision?
}

/// Writes the findings of a run.
final class FindingWriter {
    private let connection: Connection
    private let run: Int64
    private let asOf: Instant
    /// The runs that were published, in ascending order.
    private let published: [Int64]
    /// The days of their reference times.
    private let publishedDays: [Int64: Int64]
    /// Those of them with an earlier day of their reference time.
    private let publishedBefore: [Int64]
    private let latest: Statement
    private let insertion: Statement
    private let earlierInsertion: Statement
    private let earlierSpans: EarlierSpans
    let reviewed: ReviewedFindings
    /// The number of this run's findings by severity.
    private(set) var counts: [UInt8: Int] = [:]

    init(_ connection: Connection, run: Int64, asOf: Instant, after state: LedgerState) throws(LedgerError) {
        self.connection = connection
        self.run = run
        self.asOf = asOf
        let publishedRuns = state.runs.filter { $0.isPublished }
        published = publishedRuns.map(\.id)
        publishedDays = Dictionary(publishedRuns.map { ($0.id, $0.asOf.day) }, uniquingKeysWith: { first, _ in first })
        publishedBefore = publishedRuns.filter { $0.asOf.day < asOf.day }.map(\.id)
        latest = try FindingTable.latest.selection(connection)
        insertion = try Statement(
            connection,
            """
            INSERT OR REPLACE INTO finding(\(FindingTable.latest.columns))
            VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
            """)
        earlierInsertion = try Statement(
            connection,
            "INSERT OR REPLACE INTO earlier_finding(\(FindingTable.earlier.columns)) VALUES(?1, ?2, ?3, ?4, ?5)")
        earlierSpans = try EarlierSpans(connection)
        reviewed = try ReviewedFindings(connection, asOf: asOf, state.tiers)
    }

    /// Records a finding of this run, once.
    func record(_ finding: NamedFinding) throws(LedgerError) -> FindingHistoryEntry {
        guard var row = try find(finding) else {
            counts[finding.severity, default: 0] += 1
            try insert(StoredFinding(finding, firstSeen: asOf, run: run))
            return FindingHistoryEntry(firstSeen: asOf, isNew: true)
        }
        var isNew = !isPublishedBefore(row.sinceRun, row.lastRun)
        if isNew, !publishedBefore.isEmpty { isNew = try !earlierSpans.contains(of: row, where: isPublishedBefore) }
        row.firstSeen = min(row.firstSeen, asOf.milliseconds)
        if row.lastRun != run {
            if let day = publishedDays[row.lastRun] { row.events.countLast(on: day) }
            row.events.begin(on: asOf.day)
            counts[finding.severity, default: 0] += 1
            if row.lastRun != run - 1 {
                row.bind(to: earlierInsertion, in: .earlier)
                try earlierInsertion.run()
                row.sinceRun = run
            }
            row.lastRun = run
        }
        row.events.last = max(row.events.last, finding.events)
        if finding.events > row.events.before { isNew = true }
        (row.severity, row.confidence) = (Int64(finding.severity), Int64(finding.confidence))
        row.evidence = finding.evidence
        row.isAboutMore = finding.isAboutMore
        try insert(row)
        let review = try reviewed.lastReview(of: row)
        return FindingHistoryEntry(
            firstSeen: Instant(milliseconds: row.firstSeen), isNew: isNew,
            status: review.map { row.status(after: $0, asOf: asOf) } ?? .open, decision: review?.decision)
    }

    /// Calls a body with each finding that the last published run for an earlier day made and this run has not made, as
    /// far as it is recorded: worst first, then by rule and subject.
    func forEachOfLastRun(_ body: (LedgerFinding) throws -> Void) throws {
        guard let last = publishedBefore.last else { return }
        let rows = try Statement(
            connection,
            """
            SELECT \(FindingTable.latest.columns) FROM finding WHERE last_run>=\(last) AND last_run<\(run)
            ORDER BY severity DESC, rule, subject
            """)
        while try rows.step() {
            let row = try StoredFinding(rows, from: .latest, of: connection)
            // Later runs, which were not published, may have found it too, or they alone.
            if row.sinceRun > last {
                guard try earlierSpans.contains(of: row, where: { $0 <= last && last <= $1 }) else { continue }
            }
            try body(
                LedgerFinding(
                    rule: row.rule, subject: row.subject, severity: UInt8(truncatingIfNeeded: row.severity),
                    confidence: UInt8(truncatingIfNeeded: row.confidence), evidence: "",
                    firstSeen: Instant(milliseconds: row.firstSeen)))
        }
    }

    /// Counts by severity the findings that are new on the day of this run and that this run has not made, as far as it
    /// is recorded: those of other runs of the same day, without those that a review closed.
    func countNewOfOtherRuns() throws(LedgerError) -> [UInt8: Int] {
        let rows = try Statement(
            connection,
            """
            SELECT \(FindingTable.latest.columns) FROM finding
            WHERE last_run<\(run) AND events_day=\(asOf.day) AND events>events_before
            """)
        var counts: [UInt8: Int] = [:]
        while try rows.step() {
            let row = try StoredFinding(rows, from: .latest, of: connection)
            if try reviewed.status(of: row).isClosed { continue }
            counts[UInt8(truncatingIfNeeded: row.severity), default: 0] += 1
        }
        return counts
    }

    private func find(_ finding: NamedFinding) throws(LedgerError) -> StoredFinding? {
        latest.bind(finding.rule.text, at: 1)
        latest.bind(finding.subject.text, at: 2)
        guard try latest.step() else { return nil }
        defer { latest.reset() }
        return try StoredFinding(latest, from: .latest, of: connection)
    }

    private func insert(_ finding: StoredFinding) throws(LedgerError) {
        finding.bind(to: insertion, in: .latest)
        try insertion.run()
    }

    /// Whether one of these consecutive runs was published for an earlier day.
    private func isPublishedBefore(_ first: Int64, _ last: Int64) -> Bool {
        // From the end: mostly the latest run is the one.
        publishedBefore.last { $0 <= last }.map { $0 >= first } ?? false
    }
}
