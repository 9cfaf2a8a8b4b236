import Encodings
import Engine
import Rules
import SQLite

/// Writes the findings of a run.
final class FindingWriter {
    private let connection: Connection
    private let run: Int64
    /// Whether this run may set an earlier first-seen date than the ledger has.
    var rewritesHistory = false
    /// The number of the last committed run.
    private let lastRun: Int64
    private let asOf: Instant
    /// The reference days of the runs, by run number.
    private let days: [Int64: Int64]
    /// The runs with an earlier reference day than this run, in ascending order.
    private let runsBefore: [Int64]
    /// The first of them whose findings may count as those of the last run: no run after it is without doubts.
    private let firstOfLast: Int64?
    private let known: StoredFinding.Rows
    private let insertion: Statement
    let reviewed: ReviewedFindings
    /// The number of this run's findings by severity.
    var counts: [Severity: Int] = [:]

    init(
        _ connection: Connection, run: Int64, asOf: Instant, after runs: [LedgerRun]
    ) throws(LedgerError) {
        self.connection = connection
        self.run = run
        self.asOf = asOf
        lastRun = runs.last?.id ?? 0
        days = Dictionary(runs.map { ($0.id, $0.asOf.day) }, uniquingKeysWith: { first, _ in first })
        let before = runs.filter { $0.asOf.day < asOf.day && !$0.doubt.isAboutAll }
        runsBefore = before.map(\.id)
        firstOfLast = (before.last { !$0.doubt.exists } ?? before.first)?.id
        known = try StoredFinding.Rows(connection, "WHERE subject=?1 AND rule=?2")
        insertion = try StoredFinding.insertion(connection)
        reviewed = try ReviewedFindings(connection, asOf: asOf)
    }

    /// Records a finding of this run, once.
    ///
    /// - Parameter isDoubtful: whether the run is doubtful about the finding's app. It then changes nothing that is known.
    func record(_ finding: FindingRow, isDoubtful: Bool) throws(LedgerError) -> FindingHistoryEntry {
        let found = try known.first(finding.subject, finding.rule, probably: finding)
        let (row, isNew, isFirst) = isDoubtful ? aside(finding, found) : merged(finding, found)
        if isFirst { counts[finding.severity, default: 0] += 1 }
        try row.write(by: insertion)
        let review = try found.flatMap { (row) throws(LedgerError) in try reviewed.lastReview(of: row.rule, row.subject)
        }
        return FindingHistoryEntry(
            firstSeen: row.firstSeen, isNew: isNew, status: review.map { row.status(after: $0, asOf: asOf) } ?? .open,
            decision: review?.decision)
    }

    /// Returns the status that a finding of this run will have once it is recorded.
    func status(of finding: FindingRow) throws(LedgerError) -> FindingStatus {
        guard let review = try reviewed.lastReview(of: finding.rule, finding.subject),
            let found = try known.first(finding.subject, finding.rule, probably: finding)
        else { return .open }
        return merged(finding, found).row.status(after: review, asOf: asOf)
    }

    /// A finding as it will be stored, whether it is new, and whether the run has not recorded it yet.
    private typealias Update = (row: StoredFinding, isNew: Bool?, isFirst: Bool)

    /// Returns a stored finding that this run, which is doubtful about it, found, too.
    private func aside(_ finding: FindingRow, _ found: StoredFinding?) -> Update {
        var row = found ?? StoredFinding(finding, at: asOf)
        let isFirst = row.runs.asides.last != run
        row.runs.add(run, after: lastRun, isDoubtful: true)
        return (row, nil, isFirst)
    }

    /// Returns a stored finding updated with this run's.
    ///
    /// - Parameter found: `nil` if it was never found before.
    private func merged(_ finding: FindingRow, _ found: StoredFinding?) -> Update {
        guard var row = found, row.runs.counts else {
            var fresh = StoredFinding(finding, at: asOf)
            if let found {
                // Only doubtful runs found it, which count for nothing.
                fresh.runs = found.runs
                fresh.isAboutMore = false
            }
            fresh.runs.add(run, after: lastRun, isDoubtful: false)
            return (fresh, true, true)
        }
        var isNew = !row.runs.contains(where: isBefore)
        let isFirst = row.lastRun != run
        if isFirst {
            if rewritesHistory { row.firstSeen = min(row.firstSeen, asOf) }
            if let day = days[row.lastRun] { row.events.countLast(on: day) }
            row.events.begin(on: asOf.day)
            row.runs.add(run, after: lastRun, isDoubtful: false)
        }
        let events = Int64(finding.events)
        row.events.last = max(row.events.last, events)
        if events > row.events.before { isNew = true }
        row.severity = finding.severity
        row.confidence = finding.confidence
        row.evidence = finding.evidence
        row.isAboutMore = finding.isAboutMore
        row.ring = finding.ring
        return (row, isNew, isFirst)
    }

    /// Returns the findings of the last run for an earlier day that this run has not recorded: worst first,
    /// then by rule and subject. Without evidence, which would need too much memory.
    ///
    /// - Parameter limit: the maximum number of findings.
    func findingsOfLastRun(limit: Int) throws(LedgerError) -> [EarlierFinding] {
        guard let first = firstOfLast, let last = runsBefore.last else { return [] }
        let rows = try StoredFinding.Rows(
            connection, "WHERE last_run>=\(first) AND last_run<>\(run) ORDER BY subject, rule")
        var found: [EarlierFinding] = []
        while let row = try rows.next() {
            // Later runs for the same day may also have found it, or only they.
            guard found.count < limit, row.runs.contains(where: { $0.since <= last && first <= $0.last }) else {
                continue
            }
            var finding = EarlierFinding(row)
            finding.evidence = ""
            found.append(finding)
        }
        return found.sorted(by: EarlierFinding.isWorse)
    }

    /// Returns the subjects of the high and critical findings by some rules, each once, in order.
    func subjectsOfSevere(by rules: [ExactText], limit: Int) throws(LedgerError) -> [ExactText] {
        let rows = try StoredFinding.Rows(connection, "ORDER BY subject, rule")
        let wanted = Set(rules)
        var found: [ExactText] = []
        while found.count < limit, let row = try rows.next() {
            guard row.runs.counts, row.severity >= .high, wanted.contains(row.rule), found.last != row.subject else {
                continue
            }
            found.append(row.subject)
        }
        return found
    }

    /// Counts, by severity, the findings that are new on the day of this run and that this run has not recorded: those
    /// of other runs of the same day, without those that a review closed.
    func countNewOfOtherRuns() throws(LedgerError) -> [Severity: Int] {
        let rows = try StoredFinding.Rows(connection, "WHERE last_run<>\(run)")
        var counts: [Severity: Int] = [:]
        while var row = try rows.next() {
            guard row.runs.counts, row.events.day == asOf.day else { continue }
            if days[row.lastRun] != nil { row.events.countLast(on: asOf.day) }
            guard row.events.most > row.events.before else { continue }
            if try reviewed.status(of: row).isClosed { continue }
            counts[row.severity, default: 0] += 1
        }
        return counts
    }

    /// Whether one of these consecutive runs was for an earlier day.
    private func isBefore(_ span: RunSpans.Span) -> Bool {
        // From the end, because it is mostly the latest run.
        runsBefore.last { $0 <= span.last }.map { $0 >= span.since } ?? false
    }
}

extension EarlierFinding {
    init(_ row: StoredFinding) {
        self.init(
            rule: row.rule, subject: row.subject, severity: row.severity, confidence: row.confidence,
            evidence: row.evidence, firstSeen: row.firstSeen)
    }
}
