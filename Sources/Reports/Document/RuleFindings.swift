import Checks
import Encodings
import Engine
import Rules

/// The findings of one rule: counts, and the most urgent groups.
struct RuleFindings {
    let rule: ExactText
    private(set) var count = 0
    private(set) var newCount = 0
    private(set) var closedCount = 0
    private var counts: [Severity: Int] = [:]
    /// The uncertain findings that no review closed, by confidence.
    private var doubts: [Confidence: Int] = [:]
    private var found = FoundGroups(max: FindingQueue.maxPerRule)

    init(rule: ExactText) { self.rule = rule }

    /// The documentation of the rule; `nil` if this version has no such rule.
    var documentation: RuleDocumentation? { RuleBook.rule(rule)?.documentation }

    /// The rule's id; an unknown id is untrusted text.
    var visibleRule: String { TextLayout.safe(rule, limit: 100) }

    /// The number of findings by severity, the worst first.
    var severities: [(severity: Severity, count: Int)] {
        counts.sorted { $0.key > $1.key }.map { (severity: $0.key, count: $0.value) }
    }

    func count(of severity: Severity) -> Int { counts[severity] ?? 0 }

    /// Returns the number of findings with a confidence that no review closed.
    func openCount(of confidence: Confidence) -> Int { doubts[confidence] ?? 0 }

    var worst: Severity { counts.keys.max() ?? .info }

    /// The order of rules.
    var place: (Int, Int, ExactText) { (-Int(worst.rawValue), RuleBook.ids.firstIndex(of: rule) ?? .max, rule) }

    /// The groups, the most urgent first.
    var groups: [FindingGroup] { found.inOrder }

    mutating func add(_ compared: ComparedFinding) {
        count += 1
        if compared.change == .new { newCount += 1 }
        if compared.status.isClosed { closedCount += 1 } else { doubts[compared.finding.confidence, default: 0] += 1 }
        counts[compared.finding.severity, default: 0] += 1
        if !compared.status.isClosed { found.add(compared) }
    }
}
