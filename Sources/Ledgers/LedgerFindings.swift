public import Encodings

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
    /// By the numbers of the runs that were published, the days of their reference times.
    private let publishedDays: [Int64: Int64]
    /// Those with an earlier day of their reference time than this run, in ascending order.
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
        publishedDays = Dictionary(publishedRuns.map { ($0.id, $0.asOf.day) }, uniquingKeysWith: { first, _ in first })
        publishedBefore = publishedRuns.filter { $0.asOf.day < asOf.day }.map(\.id)
        latest = try FindingTable.latest.selection(connection)
        insertion = try FindingTable.latest.insertion(connection)
        earlierInsertion = try FindingTable.earlier.insertion(connection)
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
        if row.lastRun != run {
            counts[finding.severity, default: 0] += 1
            if row.lastRun != run - 1 {
                row.bind(to: earlierInsertion, in: .earlier)
                try earlierInsertion.run()
                row.sinceRun = run
            }
            row.firstSeen = min(row.firstSeen, asOf.milliseconds)
            if let day = publishedDays[row.lastRun] { row.events.countLast(on: day) }
            row.events.begin(on: asOf.day)
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
            SELECT \(FindingTable.latest.columns) FROM finding
            WHERE last_run>=\(last) AND last_run<\(run)
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
        return try StoredFinding(latest, from: .latest, of: connection, probably: finding)
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
