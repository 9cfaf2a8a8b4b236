public import Encodings
import Rules

/// The findings of an earlier report, to compare a run's with.
///
/// A finding is the same if its rule and its subject are.
public struct Baseline: Sendable {
    /// What two reports must have in common for a finding to be the same.
    struct Fingerprint: Hashable, Sendable {
        var rule: String
        var subject: String
    }

    private(set) var findings: [Fingerprint: ComparedFinding] = [:]
    /// As of when this run is made: when findings are first seen that are new.
    let asOf: Instant

    /// - Parameter subject: what to write in place of a subject.
    public init(_ findings: [ComparedFinding], asOf: Instant, subject: (String) -> String = { $0 }) {
        self.asOf = asOf
        for var finding in findings where finding.change != .resolved {
            finding.finding.subject = subject(finding.finding.subject)
            let found = finding.finding
            self.findings[Fingerprint(rule: found.rule, subject: found.subject)] = finding
        }
    }
}

/// Compares findings with those of an earlier report, one by one.
struct Comparison {
    private let baseline: Baseline?
    private var seen: Set<Baseline.Fingerprint> = []

    init(_ baseline: Baseline?) { self.baseline = baseline }

    mutating func compare(_ finding: FindingRow) -> ComparedFinding {
        guard let baseline else { return ComparedFinding(finding) }
        let fingerprint = Baseline.Fingerprint(rule: finding.rule, subject: finding.subject)
        guard let earlier = baseline.findings[fingerprint] else {
            return ComparedFinding(finding, firstSeen: baseline.asOf, change: .new)
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
