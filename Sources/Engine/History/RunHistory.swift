import Checks
public import Encodings
import Files
import Proofs
public import Rules
import Sorting
import Subscriptions
import Synchronization

/// A run's view of earlier runs, and what it stores for later ones. Without a ledger both are empty.
///
/// Every run checks all of its claims: nothing that an earlier run stored stands in for a check. Only the claims'
/// observations under their keys are stored, so that claims are correlated across runs, and the history of findings.
///
/// The thread that runs the stages adds to it; other threads read the earlier data.
public final class RunHistory: Sendable {
    private struct State: @unchecked Sendable {
        /// The history; `nil` in a run without a ledger.
        let history: (any History)?
        var claims: [SortedRun] = []
        var keys: [SortedRun] = []
        var statements: [SortedRun] = []
    }

    /// The format of records. Change it whenever their encoding or meaning changes: a ledger of another one is refused.
    public static let format: UInt8 = 28

    private let state: Mutex<State>
    /// Whether the run stores anything: it has a ledger.
    package let isKept: Bool
    /// Whether earlier runs stored anything.
    let hasEarlier: Bool
    /// This run's number.
    public let run: Int64
    /// The reference time.
    let asOf: Instant
    private let hasReviews: Bool

    /// A run without a history.
    public static var none: RunHistory {
        RunHistory(nil, asOf: Instant(milliseconds: 0))
    }

    public init(_ history: sending (any History)?, asOf: Instant) {
        isKept = history != nil
        hasEarlier = history.map { !$0.isEmpty } ?? false
        run = history?.run ?? 0
        hasReviews = history?.hasReviews ?? false
        state = Mutex(State(history: history))
        self.asOf = asOf
    }

    /// Returns a reader for one thread, of the data before this run; `nil` if there was none.
    func reader() throws -> (any HistoryReader)? {
        guard hasEarlier else { return nil }
        return try state.withLock { state in try state.history?.reader() }
    }

    /// Adds claims and keys that no earlier run had, and new statements of evidence.
    func add(claims: [SortedRun] = [], keys: [SortedRun] = [], statements: [SortedRun] = []) {
        state.withLock { state in
            state.claims += claims
            state.keys += keys
            state.statements += statements
        }
    }

    /// Adds the evidence of earlier runs up to this run's reference time. It also counts for claims that arrive later.
    ///
    /// Every run stores the statements that counted and that no earlier run had. So a run for an earlier day finds the
    /// statements that existed by then.
    ///
    /// - Returns: the number of statements.
    func addStatements(to collector: StatementCollector, isStopped: () -> Bool) throws -> Int {
        var (count, read) = (0, 0)
        try reader()?.forEachStatement { record in
            let statement = try EvidenceStatement(record: record)
            read += 1
            if read & 0xfff == 0, isStopped() { throw Interrupted() }
            guard statement.signedAt <= asOf else { return }
            try collector.add(statement, isKept: true)
            count += 1
        }
        return count
    }
}

extension RunHistory {
    /// Whether a finding was reviewed and has since gained a claim.
    func isAboutMore(_ finding: Finding) throws -> Bool {
        guard hasReviews else { return false }
        let cases = finding.involved.caseIDs
        return try state.withLock { state in
            try state.history?.isAboutMore(rule: finding.ruleID, subject: finding.subject) {
                cases.sorted.map(\.high)
            } ?? false
        }
    }

    /// Whether a review closed a finding of this run as `ok`, before the finding is recorded.
    func isCleared(_ finding: FindingRow) throws -> Bool {
        guard hasReviews else { return false }
        return try state.withLock { try $0.history?.status(of: finding) == .ok }
    }

    /// Calls a body with each review, oldest first.
    public func forEachReview(_ body: (FindingName, ReviewDecision) throws -> Void) throws {
        guard hasReviews else { return }
        try state.withLock { try $0.history?.forEachReview(body) }
    }

    /// Returns how often each rule was right, after the findings of the run were recorded; empty without a ledger.
    public func ruleQuality() throws -> [RuleQuality] {
        guard isKept else { return [] }
        return try state.withLock { try $0.history?.ruleQuality() ?? [] }
    }

    /// Records a finding of this run.
    ///
    /// - Returns: its history; `nil` without a ledger.
    public func record(_ finding: FindingRow) throws -> FindingHistoryEntry? {
        try state.withLock { try $0.history?.record(finding) }
    }

    /// Returns the findings of the last run for an earlier day that this run has not recorded: worst first,
    /// then by rule and subject.
    ///
    /// A run reads them twice: at its start, before it has recorded any, for their subjects, and at its end for those
    /// that it has not made. Holding a million of them in between would take some 200 MB beyond the run's budget.
    public func findingsOfLastRun() throws -> [EarlierFinding] {
        try state.withLock { try $0.history?.findingsOfLastRun(limit: ReportedSubjects.limit) ?? [] }
    }

    /// Returns the subjects of the high and critical findings of any earlier run by some rules, in order.
    func subjectsOfSevereFindings(by rules: [ExactText], limit: Int) throws -> [ExactText] {
        guard hasEarlier else { return [] }
        return try state.withLock { try $0.history?.subjectsOfSevereFindings(by: rules, limit: limit) ?? [] }
    }

    /// Counts, by severity, the findings that are new on the day of the run and that only other runs of that day made.
    public func newFindingsOfOtherRuns() throws -> [Severity: Int] {
        try state.withLock { try $0.history?.countNewFindingsOfOtherRuns() ?? [:] }
    }

    /// What this run is doubtful about. Set before the findings are recorded.
    public var doubt: RunDoubt {
        get { state.withLock { $0.history?.doubt ?? RunDoubt() } }
        set { state.withLock { $0.history?.doubt = newValue } }
    }

    /// Writes all new data, flushed to disk.
    ///
    /// - Returns: the size of all data in bytes; 0 without a ledger.
    /// - Parameters:
    ///   - exitCode: the run's exit code.
    ///   - complaints: the reasons for exit code 3.
    ///   - reports: the absolute paths of the reports.
    ///   - told: the hashes of other messages.
    @discardableResult
    public func commit(
        _ tally: Tally, inputs: [String], exitCode: Int32 = 0, complaints: [RunComplaint] = [], reports: [String] = [],
        told: [UInt64] = []
    ) throws -> Int {
        try state.withLock { state in
            guard let history = state.history else { return 0 }
            let (claims, keys, statements) = (state.claims, state.keys, state.statements)
            state.claims = []
            state.keys = []
            state.statements = []
            var outcome = RunOutcome(
                asOf: asOf, inputs: inputs, claims: tally.claims, valid: tally.verdicts[.valid])
            outcome.withDevice = tally.withDevice
            outcome.exitCode = Int(exitCode)
            outcome.firstPresented = tally.firstPresented
            outcome.apps = tally.apps.sorted.map(\.app)
            outcome.complaints = complaints.map(\.text)
            outcome.reports = reports
            outcome.told = told
            let doubt = history.doubt
            try RunMerge.forEachRecord(of: claims) { id, record in
                let known = try ClaimRecord.identity(of: record)
                let app = doubt.apps.isEmpty ? "" : try ClaimRecord.observations(of: record).presented.bundleID
                // What Apple told the company's server is true on any night.
                let isDoubtful = !known.isEvidence && doubt.covers(app)
                try history.put(
                    claim: id, ofCase: known.isEvidence ? nil : known.caseID.high, isDoubtful: isDoubtful,
                    record: record)
            }
            try RunMerge.forEachRecord(of: keys) {
                try history.put(EarlierKey(hash: $0, claim: $1.bigEndian(at: 0)))
            }
            try RunMerge.forEachRecord(of: statements) { _, record in
                let statement = try EvidenceStatement(record: record)
                try history.put(statement: record, by: statement.witness.id.high)
            }
            return try history.commit(outcome)
        }
    }

    /// The latest reference time of an earlier run that counts.
    public var lastAsOf: Instant? { state.withLock { $0.history?.lastAsOf } }

    /// The first presentation among the claims of earlier runs; `nil` if no claim is dated.
    var firstPresented: Instant? { state.withLock { $0.history?.firstPresented } }

    /// The apps of the claims of earlier runs.
    var apps: Set<ExactText> { state.withLock { $0.history?.apps ?? [] } }

    /// Keeps the committed data: the run's reports are in place.
    public func publish() throws { try state.withLock { try $0.history?.publish() } }
}
