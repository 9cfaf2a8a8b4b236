import Encodings
import Rules

/// Groups findings by rule, up to a number that a person reads, and counts the rest.
struct FindingGroups {
    /// The number of findings shown for each rule.
    static let maxPerRule = 100
    /// The number of findings shown in all.
    static let maxTotal = 1000

    private var groupsByArrival: [FindingGroup] = []
    /// The findings of an earlier report that this run did not make.
    private(set) var resolved = FindingGroup(rule: "")
    private var indices: [ExactText: Int] = [:]
    private var shown = 0

    /// The groups, those with the worst finding first, then in the order of the rule book, as in the summary.
    var groups: [FindingGroup] {
        groupsByArrival.enumerated().sorted { a, b in
            let (first, second) = (a.element.worst, b.element.worst)
            return first == second ? Self.rank(of: a) < Self.rank(of: b) : first > second
        }.map(\.element)
    }

    /// The number of findings, and of those that are not shown.
    var count: Int { groupsByArrival.reduce(resolved.count) { $0 + $1.count } }
    var omitted: Int { groupsByArrival.reduce(resolved.omitted) { $0 + $1.omitted } }

    private static func rank(of group: (offset: Int, element: FindingGroup)) -> Int {
        RuleBook.ids.firstIndex(of: group.element.rule) ?? RuleBook.ids.count + group.offset
    }

    mutating func add(_ finding: ComparedFinding) {
        guard finding.change != .resolved else {
            resolved.add(finding, isShown: resolved.rows.count < Self.maxPerRule)
            return
        }
        let rule = finding.finding.rule
        let index = indices[rule] ?? groupsByArrival.count
        if index == groupsByArrival.count {
            indices[rule] = index
            groupsByArrival.append(FindingGroup(rule: rule))
        }
        let isShown = shown < Self.maxTotal && groupsByArrival[index].rows.count < Self.maxPerRule
        groupsByArrival[index].add(finding, isShown: isShown)
        if isShown { shown += 1 }
    }
}

/// The findings of one rule.
struct FindingGroup {
    let rule: ExactText
    private(set) var rows: [FindingLine] = []
    private(set) var count = 0
    private var counts: [Severity: Int] = [:]

    init(rule: ExactText) { self.rule = rule }

    /// The documentation of the rule; `nil` if this version has no such rule.
    var documentation: RuleDocumentation? { RuleBook.rule(rule)?.documentation }

    /// The rule's id; an unknown one is untrusted text.
    var visibleRule: String { TextLayout.safe(rule, limit: 100) }

    /// The number of findings by severity, the worst first.
    var severities: [(severity: Severity, count: Int)] {
        counts.sorted { $0.key > $1.key }.map { (severity: $0.key, count: $0.value) }
    }

    fileprivate var worst: Severity { counts.keys.max() ?? .info }

    /// The number of findings that are not among ``rows``.
    var omitted: Int { count - rows.count }

    /// A note for those.
    var omissionNote: String? {
        omitted > 0 ? "and \(grouped(omitted)) more of \(grouped(count)): all are in `--report fraud=FILE.csv`" : nil
    }

    fileprivate mutating func add(_ finding: ComparedFinding, isShown: Bool) {
        count += 1
        counts[finding.finding.severity, default: 0] += 1
        if isShown { rows.append(FindingLine(finding)) }
    }
}

/// A finding for people: untrusted text is cut, and its control characters are shown.
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
