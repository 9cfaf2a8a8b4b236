public import Encodings
public import Rules

/// The findings of an earlier report, to compare a run's with.
///
/// A finding is the same if its rule and its subject are.
public struct Baseline: Sendable {
    /// What two reports must have in common for a finding to be the same.
    struct Fingerprint: Hashable, Sendable {
        private let rule: ExactText
        private let subject: ExactText

        init(_ finding: FindingRow) {
            rule = finding.rule
            subject = finding.subject
        }
    }

    private(set) var findings: [Fingerprint: ComparedFinding] = [:]
    /// As of when this run is made: when findings are first seen that are new.
    let asOf: Instant

    /// - Parameter subject: what to write in place of a subject.
    public init(_ findings: [ComparedFinding], asOf: Instant, subject: (ExactText) -> ExactText = { $0 }) {
        self.asOf = asOf
        for var finding in findings where finding.change != .resolved {
            finding.finding.subject = subject(finding.finding.subject)
            self.findings[Fingerprint(finding.finding)] = finding
        }
    }
}

/// What earlier runs found, as a ledger tells.
public protocol FindingHistory {
    /// Notes that this run found it, too; says when it was found first, and whether no earlier run told of it.
    func note(_ finding: FindingRow) throws -> (firstSeen: Instant, isNew: Bool)
}

/// Compares findings with those of an earlier report and of earlier runs, one by one.
struct Comparison {
    private let baseline: Baseline?
    private let history: (any FindingHistory)?
    private let asOf: Instant
    private var seen: Set<Baseline.Fingerprint> = []
    /// What earlier runs tell, apart from what an earlier report does.
    private(set) var changesInHistory = ChangeCounts()

    /// - Parameter asOf: when findings are first seen of which nobody tells anything else.
    init(_ baseline: Baseline?, _ history: (any FindingHistory)? = nil, asOf: Instant) {
        self.baseline = baseline
        self.history = history
        self.asOf = asOf
    }

    mutating func compare(_ finding: FindingRow) throws -> ComparedFinding {
        var compared = compareWithBaseline(finding)
        guard let known = try history?.note(finding) else { return compared }
        changesInHistory.count(
            ComparedFinding(finding, firstSeen: known.firstSeen, change: known.isNew ? .new : .persisting))
        compared.firstSeen = min(compared.firstSeen ?? known.firstSeen, known.firstSeen)
        return compared
    }

    private mutating func compareWithBaseline(_ finding: FindingRow) -> ComparedFinding {
        guard let baseline else { return ComparedFinding(finding, firstSeen: asOf) }
        let fingerprint = Baseline.Fingerprint(finding)
        guard let earlier = baseline.findings[fingerprint] else {
            return ComparedFinding(finding, firstSeen: asOf, change: .new)
        }
        seen.insert(fingerprint)
        return ComparedFinding(finding, firstSeen: earlier.firstSeen, change: .persisting)
    }

    /// What the earlier report found and the run did not, in the order of the table.
    var resolved: [ComparedFinding] {
        guard let baseline else { return [] }
        let gone = baseline.findings.filter { !seen.contains($0.key) }.values
        return gone.map { ComparedFinding($0.finding, firstSeen: $0.firstSeen, change: .resolved) }.sorted {
            ($1.finding.severity, $0.finding.rule, $0.finding.subject)
                < ($0.finding.severity, $1.finding.rule, $1.finding.subject)
        }
    }
}
