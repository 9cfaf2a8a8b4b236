import Checks
import Encodings
import Engine
import Rules

/// Findings of one rule with equal texts, severity, confidence, status and change.
struct FindingGroup {
    struct Key: Hashable {
        let rule: ExactText
        let severity: Severity
        let confidence: Confidence
        let status: FindingStatus
        let change: ComparedFinding.Change?
        let evidence: ExactText
    }

    /// The maximum number of named findings per group.
    static let maxLines = 20

    let key: Key
    private var named: [(urgency: FindingUrgency, line: QueuedFinding)]
    private(set) var count = 1
    /// Whether the count is a lower bound.
    let isLeast: Bool

    fileprivate init(_ key: Key, _ first: ComparedFinding, _ urgency: FindingUrgency, isLeast: Bool) {
        self.key = key
        self.isLeast = isLeast
        named = [(urgency, QueuedFinding(first))]
    }

    fileprivate mutating func add(_ finding: ComparedFinding, _ urgency: FindingUrgency) {
        count += 1
        let place = named.firstIndex { urgency < $0.urgency } ?? named.count
        guard place < Self.maxLines else { return }
        if named.count == Self.maxLines { named.removeLast() }
        named.insert((urgency, QueuedFinding(finding)), at: place)
    }

    /// The most urgent findings of the group.
    var lines: [QueuedFinding] { named.map(\.line) }

    /// The urgency of its most urgent finding.
    var urgency: FindingUrgency { named[0].urgency }

    /// Whether it is new or reopened.
    var isNews: Bool { urgency.isNews }

    /// Whether a group is more urgent than another. No two findings have the same id, so that later criteria decide
    /// nothing in a run.
    static func precedes(_ a: FindingGroup, _ b: FindingGroup) -> Bool {
        if a.urgency != b.urgency { return a.urgency < b.urgency }
        return (a.key.rule, a.key.evidence) < (b.key.rule, b.key.evidence)
    }
}

/// The most urgent groups of findings, a bounded number of them.
struct FoundGroups {
    private let max: Int
    private var found: [FindingGroup.Key: FindingGroup] = [:]
    /// The least urgent group, if the maximum number is kept.
    private var last: (key: FindingGroup.Key, urgency: FindingUrgency)?
    /// Whether a group was left out.
    private var isIncomplete = false

    init(max: Int) { self.max = max }

    mutating func add(_ compared: ComparedFinding) {
        let urgency = FindingUrgency(compared)
        let finding = compared.finding
        let key = FindingGroup.Key(
            rule: finding.rule, severity: finding.severity, confidence: finding.confidence, status: compared.status,
            change: compared.change, evidence: ExactText(finding.evidence))
        if found[key] != nil {
            found[key]?.add(compared, urgency)
            if last?.key == key { findLast() }
            return
        }
        if let last {
            let wasIncomplete = isIncomplete
            isIncomplete = true
            guard urgency < last.urgency else { return }
            found[last.key] = nil
            found[key] = FindingGroup(key, compared, urgency, isLeast: wasIncomplete)
        } else {
            found[key] = FindingGroup(key, compared, urgency, isLeast: false)
        }
        if found.count >= max { findLast() }
    }

    private mutating func findLast() {
        last = found.values.max(by: FindingGroup.precedes).map { ($0.key, $0.urgency) }
    }

    /// The groups, the most urgent first.
    var inOrder: [FindingGroup] { found.values.sorted(by: FindingGroup.precedes) }
}
