import Checks
public import Encodings
public import Engine
public import Rules

/// The findings of an earlier report, for comparison with those of a run.
public struct Baseline: Sendable {
    private(set) var findings: [FindingName: ComparedFinding] = [:]

    /// The subjects of all findings.
    public var subjects: some Sequence<ExactText> { findings.values.lazy.map(\.finding.subject) }

    /// - Parameter subject: transforms each subject.
    public init(_ findings: [ComparedFinding], subject: (ExactText) -> ExactText = { $0 }) {
        for var finding in findings where finding.change != .resolved {
            finding.finding.subject = subject(finding.finding.subject)
            self.findings[FindingName(rule: finding.finding.rule, subject: finding.finding.subject)] = finding
        }
    }
}

/// Compares findings one by one with those of an earlier report and of earlier runs.
struct Comparison {
    private let baseline: Baseline?
    private let history: RunHistory
    private let asOf: Instant
    private var seen: Set<FindingName> = []
    /// How findings compare with those of earlier runs, regardless of the earlier report.
    private(set) var changesInHistory = ChangeCounts()

    /// - Parameter asOf: the first-seen date of findings that are in neither.
    init(_ baseline: Baseline?, _ history: RunHistory = .none, asOf: Instant) {
        self.baseline = baseline
        self.history = history
        self.asOf = asOf
    }

    mutating func compare(_ finding: FindingRow) throws -> ComparedFinding {
        var compared = compareWithBaseline(finding)
        guard let known = try history.record(finding) else { return compared }
        let change: ComparedFinding.Change? = known.isNew.map { $0 ? .new : .persisting }
        compared.status = known.status
        compared.decision = known.decision
        var inHistory = ComparedFinding(finding, firstSeen: known.firstSeen, change: change)
        inHistory.status = known.status
        changesInHistory.add(inHistory)
        // A run for an earlier day must not make a finding older than the ledger has it.
        let reported = compared.change == .persisting ? compared.firstSeen : nil
        compared.firstSeen = min(reported ?? known.firstSeen, known.firstSeen)
        if baseline == nil { compared.change = change }
        return compared
    }

    private mutating func compareWithBaseline(_ finding: FindingRow) -> ComparedFinding {
        guard let baseline else { return ComparedFinding(finding, firstSeen: asOf) }
        let key = FindingName(rule: finding.rule, subject: finding.subject)
        guard let earlier = baseline.findings[key] else {
            return ComparedFinding(finding, firstSeen: asOf, change: .new)
        }
        seen.insert(key)
        // Additional events, such as a second refund in one subscription, make it new.
        let change: ComparedFinding.Change = finding.events > earlier.finding.events ? .new : .persisting
        return ComparedFinding(finding, firstSeen: earlier.firstSeen, change: change)
    }

    /// Returns the findings of the earlier report, or of the last run if there is no report, that this run could have
    /// made but did not: one of its claims has the subject. In the order of the table.
    ///
    /// - Parameter hasClaim: whether a claim of the run has a subject.
    mutating func resolved(where hasClaim: (ExactText) -> Bool) throws -> [ComparedFinding] {
        let missing = try missing().filter { hasClaim($0.finding.subject) }
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

    /// Returns the findings of the last run that this run has not recorded. A doubtful run says of no finding that it is
    /// resolved.
    private func missing() throws -> [ComparedFinding] {
        guard !history.doubt.exists else { return [] }
        let identities = try IdentityHasher()
        let missing = try history.findingsOfLastRun().map { found in
            let row = FindingRow(
                id: identities.finding(rule: found.rule, subject: found.subject), severity: found.severity,
                confidence: found.confidence, rule: found.rule, subject: found.subject)
            return ComparedFinding(row, firstSeen: found.firstSeen, change: .resolved)
        }
        if let failure = identities.failure { throw failure }
        return missing
    }
}

/// Counts how findings compare with those of an earlier report.
public struct ChangeCounts: Sendable, Equatable {
    public private(set) var persisting = 0
    public private(set) var resolved = 0
    private var newBySeverity = Severity.allCases.map { _ in 0 }
    /// The unresolved findings by status.
    private var counts: [FindingStatus: Int] = [:]
    /// The highest severity of a finding that no review closed.
    public private(set) var worstOpen: Severity?

    public init() {}

    /// Returns the number of findings with a status.
    public func count(of status: FindingStatus) -> Int { counts[status, default: 0] }

    /// The number of findings that reviews closed.
    public var closed: Int { counts.reduce(0) { $0 + ($1.key.isClosed ? $1.value : 0) } }

    /// The total number of new or reopened findings that no review closed.
    public var new: Int { newBySeverity.reduce(0, +) }

    /// Returns their number at one severity.
    public func new(_ severity: Severity) -> Int { newBySeverity[Int(severity.rawValue)] }

    /// Adds findings that are new in other runs of the same day.
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
