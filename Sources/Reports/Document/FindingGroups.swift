import Encodings
import Rules

/// Findings by rule, as many as a person reads; the rest is counted.
struct FindingGroups {
    /// So many of each rule.
    static let maxPerRule = 100
    /// So many in all.
    static let most = 1000

    private var taken: [FindingGroup] = []
    /// What an earlier report found and this run did not.
    private(set) var resolved = FindingGroup(rule: "")
    private var places: [ExactText: Int] = [:]
    private var kept = 0

    /// Those with the worst finding first, then in the order of the rule book, as in the summary.
    var groups: [FindingGroup] {
        taken.enumerated().sorted { a, b in
            let (first, second) = (a.element.worst, b.element.worst)
            return first == second ? Self.place(of: a) < Self.place(of: b) : first > second
        }.map(\.element)
    }

    /// How many there are, and how many of them are not kept.
    var count: Int { taken.reduce(resolved.count) { $0 + $1.count } }
    var omitted: Int { taken.reduce(resolved.omitted) { $0 + $1.omitted } }

    private static func place(of group: (offset: Int, element: FindingGroup)) -> Int {
        RuleBook.ids.firstIndex(of: group.element.rule) ?? RuleBook.ids.count + group.offset
    }

    mutating func take(_ finding: ComparedFinding) {
        guard finding.change != .resolved else {
            resolved.take(finding, isKept: resolved.rows.count < Self.maxPerRule)
            return
        }
        let rule = finding.finding.rule
        let place = places[rule] ?? taken.count
        if place == taken.count {
            places[rule] = place
            taken.append(FindingGroup(rule: rule))
        }
        let isKept = kept < Self.most && taken[place].rows.count < Self.maxPerRule
        taken[place].take(finding, isKept: isKept)
        if isKept { kept += 1 }
    }
}

/// The findings of one rule.
struct FindingGroup {
    let rule: ExactText
    private(set) var rows: [FindingLine] = []
    private(set) var count = 0
    private var counts: [Severity: Int] = [:]

    init(rule: ExactText) { self.rule = rule }

    /// What a person should know of the rule; `nil` if this version has no such rule.
    var documentation: RuleDocumentation? { RuleBook.rule(rule)?.documentation }

    /// The rule's id; an unknown one is a stranger's text.
    var visibleRule: String { TextLayout.safe(rule, limit: 100) }

    /// The worst first.
    var severities: [(severity: Severity, count: Int)] {
        counts.sorted { $0.key > $1.key }.map { (severity: $0.key, count: $0.value) }
    }

    fileprivate var worst: Severity { counts.keys.max() ?? .info }

    /// How many are not among ``rows``.
    var omitted: Int { count - rows.count }

    /// What to say of those.
    var omissionNote: String? {
        omitted > 0 ? "and \(grouped(omitted)) more of \(grouped(count)): all are in `--report fraud=FILE.csv`" : nil
    }

    fileprivate mutating func take(_ finding: ComparedFinding, isKept: Bool) {
        count += 1
        counts[finding.finding.severity, default: 0] += 1
        if isKept { rows.append(FindingLine(finding)) }
    }
}

/// A finding as a person reads it. Strangers' text is cut to a length, and shows its control characters.
struct FindingLine {
    let severity: Severity
    let rule: String
    let subject: String
    let counts: [Int]
    let sources: [String]
    let evidence: String
    let firstSeen: String
    let change: String

    init(_ compared: ComparedFinding) {
        let finding = compared.finding
        severity = finding.severity
        rule = TextLayout.safe(finding.rule, limit: 100)
        subject = TextLayout.safe(finding.subject, limit: 200)
        counts = [finding.claims, finding.devices, finding.accounts]
        sources = finding.sources.map { TextLayout.safe($0, limit: 120) }
        evidence = TextLayout.safe(finding.evidence)
        firstSeen = compared.firstSeen.map { String($0.description.prefix(10)) } ?? ""
        change = compared.change?.rawValue ?? ""
    }
}
