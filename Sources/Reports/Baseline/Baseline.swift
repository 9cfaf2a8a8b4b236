public import Encodings
public import Engine
public import Rules

/// The findings of an earlier report, with which those of a run are compared.
///
/// Two findings are the same if their rules and subjects are.
public struct Baseline: Sendable {
    /// Identifies a finding across reports.
    struct FindingKey: Hashable, Sendable {
        private let rule: ExactText
        private let subject: ExactText

        init(_ finding: FindingRow) {
            rule = finding.rule
            subject = finding.subject
        }
    }

    private(set) var findings: [FindingKey: ComparedFinding] = [:]

    /// The subjects of all findings.
    public var subjects: some Sequence<ExactText> { findings.values.lazy.map(\.finding.subject) }

    /// - Parameter subject: changes each subject.
    public init(_ findings: [ComparedFinding], subject: (ExactText) -> ExactText = { $0 }) {
        for var finding in findings where finding.change != .resolved {
            finding.finding.subject = subject(finding.finding.subject)
            self.findings[FindingKey(finding.finding)] = finding
        }
    }
}

/// The findings of earlier runs in a ledger.
public protocol FindingHistory {
    /// Records that this run made the finding.
    ///
    /// - Returns: when it was found first, whether no earlier run made it, and what reviews say of it.
    func record(_ finding: FindingRow) throws -> FindingHistoryEntry
    /// Calls a body with each review, oldest first.
    func forEachReview(_ body: (RecordedReview) throws -> Void) throws
    /// Counts how often each rule was right, once all findings are recorded.
    func ruleQuality() throws -> [RuleQuality]
    /// Returns the findings of the last run that this run has not recorded, worst first, then by rule and subject.
    func missing() throws -> [ComparedFinding]
}

/// Compares findings one by one with those of an earlier report and of earlier runs.
struct Comparison {
    private let baseline: Baseline?
    private let history: (any FindingHistory)?
    private let asOf: Instant
    private var seen: Set<Baseline.FindingKey> = []
    /// How findings compare with those of earlier runs, whatever the earlier report has.
    private(set) var changesInHistory = ChangeCounts()

    /// - Parameter asOf: when findings were first seen that are in neither.
    init(_ baseline: Baseline?, _ history: (any FindingHistory)? = nil, asOf: Instant) {
        self.baseline = baseline
        self.history = history
        self.asOf = asOf
    }

    mutating func compare(_ finding: FindingRow) throws -> ComparedFinding {
        var compared = compareWithBaseline(finding)
        guard let known = try history?.record(finding) else { return compared }
        let change: ComparedFinding.Change = known.isNew ? .new : .persisting
        compared.status = known.status
        compared.decision = known.decision
        var inHistory = ComparedFinding(finding, firstSeen: known.firstSeen, change: change)
        inHistory.status = known.status
        changesInHistory.add(inHistory)
        // A run for an earlier day makes nothing older than the ledger says.
        let reported = compared.change == .persisting ? compared.firstSeen : nil
        compared.firstSeen = min(reported ?? known.firstSeen, known.firstSeen)
        if baseline == nil { compared.change = change }
        return compared
    }

    private mutating func compareWithBaseline(_ finding: FindingRow) -> ComparedFinding {
        guard let baseline else { return ComparedFinding(finding, firstSeen: asOf) }
        let key = Baseline.FindingKey(finding)
        guard let earlier = baseline.findings[key] else {
            return ComparedFinding(finding, firstSeen: asOf, change: .new)
        }
        seen.insert(key)
        // More events than before, such as a second refund in one subscription, make it new.
        let change: ComparedFinding.Change = finding.events > earlier.finding.events ? .new : .persisting
        return ComparedFinding(finding, firstSeen: earlier.firstSeen, change: change)
    }

    /// The findings of the earlier report, or else of the last run, that the run did not make though it could have: a
    /// claim of it has the subject. In the order of the table.
    ///
    /// - Parameter hasClaim: whether a claim of the run has a subject.
    mutating func resolved(where hasClaim: (ExactText) -> Bool) throws -> [ComparedFinding] {
        let missing = try history?.missing().filter { hasClaim($0.finding.subject) } ?? []
        for finding in missing { changesInHistory.add(finding) }
        guard let baseline else { return missing }
        let gone = baseline.findings.filter {
            !seen.contains($0.key) && hasClaim($0.value.finding.subject)
        }.values
        return gone.map { ComparedFinding($0.finding, firstSeen: $0.firstSeen, change: .resolved) }.sorted {
            ($1.finding.severity, $0.finding.rule, $0.finding.subject)
                < ($0.finding.severity, $1.finding.rule, $1.finding.subject)
        }
    }
}

/// Counts how findings compare with those of an earlier report.
public struct ChangeCounts: Sendable, Equatable {
    public private(set) var persisting = 0
    public private(set) var resolved = 0
    private var newBySeverity = Severity.allCases.map { _ in 0 }
    /// By status, those that were not resolved.
    private var counts: [FindingStatus: Int] = [:]
    /// The highest severity of a finding that no review closed.
    public private(set) var worstOpen: Severity?

    public init() {}

    /// How many findings have a status.
    public func count(of status: FindingStatus) -> Int { counts[status, default: 0] }

    /// How many findings reviews closed.
    public var closed: Int { counts.reduce(0) { $0 + ($1.key.isClosed ? $1.value : 0) } }

    /// How many findings are new or were reopened, and no review closed them, in all.
    public var new: Int { newBySeverity.reduce(0, +) }

    /// How many of them there are at one severity.
    public func new(_ severity: Severity) -> Int { newBySeverity[Int(severity.rawValue)] }

    /// Adds findings that are new by other runs of the same day.
    public mutating func add(newOfOtherRuns counts: [Severity: Int]) {
        for (severity, count) in counts { newBySeverity[Int(severity.rawValue)] += count }
    }

    /// The highest severity of a new finding.
    public var worstNew: Severity? { Severity.allCases.last { new($0) > 0 } }

    mutating func add(_ compared: ComparedFinding) {
        let severity = compared.finding.severity
        if compared.change != .resolved {
            counts[compared.status, default: 0] += 1
            if !compared.status.isClosed { worstOpen = max(worstOpen ?? severity, severity) }
        }
        switch compared.change {
        case .resolved: resolved += 1
        case .new where !compared.status.isClosed, .persisting where compared.status == .reopened:
            newBySeverity[Int(severity.rawValue)] += 1
        case .new, .persisting: persisting += 1
        case nil: break
        }
    }
}
