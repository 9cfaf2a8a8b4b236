import Checks
public import Encodings
import Files
import Proofs
public import Rules
import Sorting
import Synchronization

/// What a run knows of earlier ones, and what it leaves to later ones. A run without a ledger knows nothing and leaves
/// nothing.
///
/// The map stage is a pure function of a block of claims and of settings; so the result of a block is kept under a hash of
/// both, and a block that comes again is not checked again. What claims say under their keys is kept, too, so that
/// claims are correlated across runs.
///
/// The thread that runs the stages adds to it; other threads read what was there before.
public final class RunHistory: Sendable {
    private struct State: @unchecked Sendable {
        /// `nil` in a run without a ledger.
        let history: (any History)?
        var claims: [SortedRun] = []
        var keys: [SortedRun] = []
        var statements: [SortedRun] = []
        var replayed = 0
    }

    /// What records are written. To be changed whenever what they say or mean does.
    public static let format = "22"

    private let state: Mutex<State>
    /// Whether anything is kept.
    let isKept: Bool
    /// Whether earlier runs left something.
    let hasEarlier: Bool
    /// This run's number.
    public let run: Int64
    /// A hash of everything that the result of a block depends on, except the block.
    let settings: [UInt8]
    /// Whether files are taken for what they were if size, times of modification and change, inode and device are the same.
    let trustsStatus: Bool
    /// When the audit is made for.
    let asOf: Instant
    /// In nanoseconds since the epoch: files that were changed later may be changed again without seeming so.
    let settledBefore: Int64
    private let hasReviews: Bool

    /// A run without a history.
    public static var none: RunHistory {
        let unknown = Instant(milliseconds: 0)
        return RunHistory(nil, settings: [], asOf: unknown, trustsStatus: false, startedAt: unknown)
    }

    /// - Parameters:
    ///   - settings: a hash of everything that the result of a claim depends on, except the claim and the reference time
    ///     (``settings(_:rules:)``).
    ///   - startedAt: when this run began, by the clock.
    public init(
        _ history: sending (any History)?, settings: [UInt8], asOf: Instant, trustsStatus: Bool, startedAt: Instant
    ) {
        isKept = history != nil
        hasEarlier = history.map { !$0.isEmpty } ?? false
        run = history?.run ?? 0
        hasReviews = history?.hasReviews ?? false
        state = Mutex(State(history: history))
        self.settings = settings
        self.asOf = asOf
        self.trustsStatus = trustsStatus
        settledBefore = startedAt.adding(seconds: -2).milliseconds &* 1_000_000
    }

    /// Returns a reader for one thread, of what was there before this run; `nil` if there was nothing.
    func reader() throws -> (any HistoryReader)? {
        guard hasEarlier else { return nil }
        return try state.withLock { state in try state.history?.reader() }
    }

    /// How many claims were in blocks that were not checked again.
    public var replayed: Int { state.withLock { $0.replayed } }

    /// What was damaged and left out, in words; empty if nothing was.
    public var lost: String { state.withLock { $0.history?.lost ?? "" } }

    /// Receives the next block's outcome, in the order of claims.
    func add(_ outcome: BlockOutcome, claims: Int) throws {
        try state.withLock { state in
            switch outcome {
            case .used(let id, let newStatusKey):
                state.replayed += claims
                try state.history?.use(block: id, newStatusKey: newStatusKey)
            case .checked(let block): if let block { try state.history?.put(block) }
            }
        }
    }

    /// Adds claims and keys that no earlier run had, and what evidence said for the first time.
    func add(claims: [SortedRun] = [], keys: [SortedRun] = [], statements: [SortedRun] = []) {
        state.withLock { state in
            state.claims += claims
            state.keys += keys
            state.statements += statements
        }
    }

    /// Adds what evidence of earlier runs said until this run's reference time: it counts for claims that come after it,
    /// too.
    ///
    /// What counted is kept of each run, as far as no earlier run had it. So a run for an earlier day finds what had been
    /// said by then.
    ///
    /// - Returns: how many statements that are.
    func addStatements(to collector: StatementCollector, isStopped: () -> Bool) throws -> Int {
        var (count, read) = (0, 0)
        try reader()?.forEachStatement { record in
            guard let statement = EvidenceStatement(stored: record) else { throw RecordError.malformed }
            read += 1
            if read & 0xfff == 0, isStopped() { throw Interrupted() }
            guard statement.signedAt <= asOf else { return }
            try collector.add(statement, isKept: true)
            count += 1
        }
        return count
    }

    /// Returns a hash of everything that the result of a block of claims depends on, except the block and the reference
    /// time: the format of records, the rule book, and what the caller adds.
    ///
    /// - Parameters:
    ///   - others: versions, trust anchors, the policy, the formats of reports.
    ///   - rules: all rules, by number.
    public static func settings(
        _ others: [String], rules: [RuleDocumentation] = RuleBook.documentation
    ) throws -> [UInt8] {
        let hasher = try ContentHasher()
        let bytes = Array(([format] + RuleBook.lines(of: rules) + others).joined(separator: "\n").utf8)
        let settings = hasher.digest(of: bytes.span).bytes
        if let failure = hasher.failure { throw failure }
        return settings
    }
}

extension RunHistory {
    /// Whether a finding was reviewed, and a claim of it was first met after that.
    func isAboutMore(_ finding: Finding) throws -> Bool {
        guard hasReviews else { return false }
        let claims = finding.involved.claimIDs
        return try state.withLock { state in
            try state.history?.isAboutMore(rule: finding.ruleID, subject: finding.subject) {
                claims.sorted.map(\.high)
            } ?? false
        }
    }

    /// Whether a review closed a finding of this run as `ok`, before it is recorded.
    func isCleared(_ finding: FindingRow) throws -> Bool {
        guard hasReviews else { return false }
        return try state.withLock { try $0.history?.status(of: finding) == .ok }
    }

    /// Calls a body with each review, oldest first.
    public func forEachReview(_ body: (RecordedReview) throws -> Void) throws {
        guard hasReviews else { return }
        try state.withLock { try $0.history?.forEachReview(body) }
    }

    /// How often each rule was right, once the findings of the run are recorded; empty without a ledger.
    public func ruleQuality() throws -> [RuleQuality] {
        guard isKept else { return [] }
        return try state.withLock { try $0.history?.ruleQuality() ?? [] }
    }

    /// Records a finding of this run.
    ///
    /// - Returns: what earlier runs know of it; `nil` without a ledger.
    public func record(_ finding: FindingRow) throws -> FindingHistoryEntry? {
        try state.withLock { try $0.history?.record(finding) }
    }

    /// The findings that the last published run for an earlier day made and this run has not made, as far as they are
    /// recorded: worst first, then by rule and subject.
    ///
    /// A run reads them twice: at its start, when it has recorded none, for their subjects, and at its end for those that
    /// it has not made. Held meanwhile, a million of them would take some 200 MB beyond the run's budget.
    public func findingsOfLastRun() throws -> [EarlierFinding] {
        try state.withLock { try $0.history?.findingsOfLastRun(limit: ReportedSubjects.limit) ?? [] }
    }

    /// Counts by severity the findings that are new on the day of the run and that only other runs of that day made.
    public func newFindingsOfOtherRuns() throws -> [Severity: Int] {
        try state.withLock { try $0.history?.countNewFindingsOfOtherRuns() ?? [:] }
    }

    /// Writes down what is new, flushed to disk.
    ///
    /// - Parameters:
    ///   - exitCode: what the run ends with.
    ///   - complaints: why, if that is 3. Of a run in which devices are missing only evidence is kept: its claims would
    ///     count against those that have a device. So it is of one that is for a wrong day: its findings would hide what
    ///     is new on the right one.
    public func commit(
        _ tally: Tally, inputs: [String], exitCode: Int32 = 0, complaints: [RunComplaint] = []
    ) throws {
        try state.withLock { state in
            guard let history = state.history else { return }
            var (claims, keys, statements) = (state.claims, state.keys, state.statements)
            (state.claims, state.keys, state.statements) = ([], [], [])
            var outcome = RunOutcome(
                asOf: asOf, inputs: inputs, claims: tally.claims, valid: tally.verdicts[.valid])
            (outcome.withDevice, outcome.exitCode) = (tally.withDevice, Int(exitCode))
            outcome.firstPresented = tally.firstPresented
            outcome.complaints = complaints.map(\.text)
            outcome.keepsOnlyEvidence = complaints.contains { $0.kind == .fewDevices || $0.kind == .afterAsOf }
            if outcome.keepsOnlyEvidence {
                try history.discard()
                (claims, keys) = ([], [])
            }
            try RunMerge.forEachRecord(of: claims) { try history.put(claim: $0, record: $1) }
            try RunMerge.forEachRecord(of: keys) {
                try history.put(EarlierKey(hash: $0, claim: $1.bigEndian(at: 0)))
            }
            try RunMerge.forEachRecord(of: statements) { _, record in
                guard let statement = EvidenceStatement(stored: record) else { throw RecordError.malformed }
                try history.put(statement: record, by: statement.witness.high)
            }
            try history.commit(outcome)
        }
    }

    /// How many claims the last run for an earlier day had over the same inputs, and how many of them had a device; `nil`
    /// if there was none. Runs in which devices were missing do not count.
    public func devicesOfLastRun(of inputs: [String]) -> DeviceShare? {
        state.withLock { $0.history?.devicesOfLastRun(of: inputs) }
    }

    /// When the first claim of earlier runs was presented; `nil` if no claim has a date.
    var firstPresented: Instant? { state.withLock { $0.history?.firstPresented } }

    /// Says that the run's reports are in place.
    public func publish() throws { try state.withLock { try $0.history?.publish() } }
}
