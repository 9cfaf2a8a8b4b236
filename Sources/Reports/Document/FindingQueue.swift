import Checks
import Encodings
import Engine
import Rules

/// The findings of a run in the order in which a person decides about them, as many as a page holds; the rest is counted.
///
/// Those that a review closed are counted, and among the decisions. Of the others the most urgent come first: by severity,
/// then new and reopened ones, then by confidence, then in the order of the rule book. Each rule has a share, so that none is without rows.
struct FindingQueue {
    /// The numbers of groups that are kept of a rule, that each rule has on a page at least, and of a page.
    static let maxPerRule = 100
    static let share = 10
    static let maxShown = 1000

    private var rules: [ExactText: RuleFindings] = [:]
    /// The findings of an earlier report that this run did not make: their number, and the first of them.
    private(set) var resolvedCount = 0
    private(set) var resolved: [QueuedFinding] = []
    private(set) var apps = AppRules()
    private(set) var products = AffectedProducts()
    /// What was decided about findings of the run.
    private(set) var decided = DecidedFindings()

    /// The number of findings, without resolved ones.
    var count: Int { rules.values.reduce(0) { $0 + $1.count } }
    /// The numbers of findings that are new, and that were reopened.
    private(set) var newCount = 0
    private(set) var reopenedCount = 0
    /// The number of those that are either.
    private(set) var newsCount = 0
    /// The number of findings that a review closed.
    private(set) var closedCount = 0
    /// The number of those that it closed as `ok`.
    private(set) var clearedCount = 0
    /// The number of findings to decide about.
    var openCount: Int { count - closedCount }

    /// Says that the queue is empty.
    var noneText: String {
        closedCount > 0 ? "None to decide about: reviews closed all \(grouped(closedCount)) findings." : "None."
    }

    mutating func add(_ compared: ComparedFinding) {
        guard compared.change != .resolved else {
            resolvedCount += 1
            if resolved.count < Self.maxPerRule { resolved.append(QueuedFinding(compared)) }
            return
        }
        let finding = compared.finding
        if compared.change == .new { newCount += 1 }
        if compared.status == .reopened { reopenedCount += 1 }
        if FindingGroup.isNews(compared) { newsCount += 1 }
        if compared.status.isClosed { closedCount += 1 }
        if compared.status == .ok { clearedCount += 1 }
        decided.add(compared)
        apps.add(finding)
        products.add(finding)
        rules[finding.rule, default: RuleFindings(rule: finding.rule)].add(compared)
    }

    /// The rules that found something: those with the worst finding first, then in the order of the rule book.
    var byRule: [RuleFindings] { rules.values.sorted { $0.place < $1.place } }

    /// The first findings of which their rules are not sure, the least likely first.
    var doubtful: [QueuedFinding] {
        let lines = byRule.flatMap { $0.groups.flatMap(\.lines) }
        return [Confidence.doubtful, .possible].flatMap { confidence in
            lines.filter { $0.confidence == confidence.code && $0.status == FindingStatus.open.rawValue }
        }
    }

    /// Returns the groups of a page, the most urgent first.
    ///
    /// - Parameter max: how many; each rule has its share nevertheless.
    func groups(max: Int = maxShown, share: Int = share) -> [FindingGroup] {
        var (shown, rest): ([FindingGroup], [FindingGroup]) = ([], [])
        for rule in byRule {
            let groups = rule.groups
            shown += groups.prefix(share)
            rest += groups.dropFirst(share)
        }
        shown += rest.sorted { $0.isBefore($1) }.prefix(Swift.max(0, max - shown.count))
        return shown.sorted { $0.isBefore($1) }
    }
}

/// What one rule found: counts, and the most urgent groups.
struct RuleFindings {
    let rule: ExactText
    private(set) var count = 0
    private(set) var newCount = 0
    private(set) var closedCount = 0
    private var counts: [Severity: Int] = [:]
    private var found: [FindingGroup.Key: FindingGroup] = [:]
    /// The least urgent of the groups, if there are as many as are kept.
    private var last: FindingGroup.Key?

    init(rule: ExactText) { self.rule = rule }

    /// The documentation of the rule; `nil` if this version has no such rule.
    var documentation: RuleDocumentation? { RuleBook.rule(rule)?.documentation }

    /// The rule's id; an unknown one is untrusted text.
    var visibleRule: String { TextLayout.safe(rule, limit: 100) }

    /// The number of findings by severity, the worst first.
    var severities: [(severity: Severity, count: Int)] {
        counts.sorted { $0.key > $1.key }.map { (severity: $0.key, count: $0.value) }
    }

    var worst: Severity { counts.keys.max() ?? .info }

    /// The order of rules.
    fileprivate var place: (Int, Int, ExactText) {
        (-Int(worst.rawValue), RuleBook.ids.firstIndex(of: rule) ?? .max, rule)
    }

    /// The groups, the most urgent first.
    var groups: [FindingGroup] { found.values.sorted { $0.isBefore($1) } }

    fileprivate mutating func add(_ compared: ComparedFinding) {
        count += 1
        if compared.change == .new { newCount += 1 }
        if compared.status.isClosed { closedCount += 1 }
        counts[compared.finding.severity, default: 0] += 1
        guard !compared.status.isClosed else { return }
        let urgency = FindingGroup.urgency(of: compared)
        // A group that was dropped is less urgent than all that are kept, and stays so.
        if let last, urgency < last.urgency { return }
        let key = FindingGroup.Key(
            urgency: urgency, status: compared.status, change: compared.change,
            evidence: TextLayout.safe(compared.finding.evidence))
        if found[key] != nil {
            found[key]?.add(compared)
            return
        }
        if let last {
            guard urgency > last.urgency else { return }
            found[last] = nil
        }
        found[key] = FindingGroup(key, compared, arrival: count)
        last = found.count < FindingQueue.maxPerRule ? nil : found.values.max { $0.isBefore($1) }?.key
    }
}

/// Findings of one rule that say the same, with the same severity, confidence and status.
struct FindingGroup {
    struct Key: Hashable {
        let urgency: Int
        let status: FindingStatus
        let change: ComparedFinding.Change?
        let evidence: String
    }

    /// How many findings of a group are named.
    static let maxLines = 20

    let key: Key
    /// The first findings of the group.
    private(set) var lines: [QueuedFinding]
    private(set) var count = 1
    /// The place of the rule in the book, and when the first finding came among those of the rule.
    private let order: (rule: Int, arrival: Int)

    fileprivate init(_ key: Key, _ first: ComparedFinding, arrival: Int) {
        self.key = key
        lines = [QueuedFinding(first)]
        order = (RuleBook.ids.firstIndex(of: first.finding.rule) ?? .max, arrival)
    }

    fileprivate mutating func add(_ finding: ComparedFinding) {
        count += 1
        if lines.count < Self.maxLines { lines.append(QueuedFinding(finding)) }
    }

    /// Whether it is new, or came back.
    var isNews: Bool { key.change == .new || key.status == .reopened }

    fileprivate static func isNews(_ compared: ComparedFinding) -> Bool {
        compared.change == .new || compared.status == .reopened
    }

    static func urgency(of compared: ComparedFinding) -> Int {
        let isNew = isNews(compared)
        let finding = compared.finding
        return (compared.status.isClosed ? 0 : 1000) + Int(finding.severity.rawValue) * 100 + (isNew ? 10 : 0)
            + Int(finding.confidence.rawValue)
    }

    func isBefore(_ other: FindingGroup) -> Bool {
        if key.urgency != other.key.urgency { return key.urgency > other.key.urgency }
        return order < other.order
    }
}

/// A finding for people: untrusted text is cut, and its control characters are shown.
struct QueuedFinding {
    let id: FindingID
    let severity: Severity
    let confidence: String
    let rule: String
    let subject: String
    /// The subject for copying, if it shows otherwise.
    let exact: String?
    /// The account and the device that the finding is about, each if it is the only one; empty if the subject says it.
    let presenter: String
    let counts: [Int]
    let sources: [String]
    let evidence: String
    let firstSeen: String
    let change: String
    let status: String
    let app: String
    let product: String
    let atStake: Summary.Cell

    init(_ compared: ComparedFinding, maxEvidence: Int = 400) {
        let finding = compared.finding
        id = finding.id
        severity = finding.severity
        confidence = finding.confidence.code
        rule = TextLayout.safe(finding.rule, limit: 100)
        subject = TextLayout.safe(finding.subject, limit: 200)
        exact = CopiedText.encoded(finding.subject, shown: subject)
        presenter = [("account", finding.accountID), ("device", finding.deviceID)]
            .filter { !$0.1.isEmpty && finding.subject != "\($0.0):\($0.1.text)" }
            .map { "\($0.0) \(TextLayout.safe($0.1, limit: 100))" }.joined(separator: ", ")
        counts = [finding.claims, finding.devices, finding.accounts]
        sources = finding.sources.prefix(3).map { TextLayout.safe($0, limit: 120) }
        evidence = TextLayout.safe(finding.evidence, limit: maxEvidence)
        firstSeen = compared.firstSeen.map { String($0.description.prefix(10)) } ?? ""
        change = compared.change?.rawValue ?? ""
        status = compared.status.rawValue
        app = TextLayout.safe(finding.bundleID, limit: 100)
        product = TextLayout.safe(finding.productID, limit: 100)
        atStake = Summary.Cell(finding.atStake)
    }
}

extension Summary.Cell {
    /// An amount for people. A currency that is no code of three letters is a token's untrusted text, and not shown.
    init(_ amount: AmountAtStake?) {
        guard let amount else {
            self = .none
            return
        }
        let currency = amount.currency.utf8
        let isCode = currency.count == 3 && currency.allSatisfy { (0x41...0x5a).contains($0) }
        if isCode, !amount.isLeast {
            self = .money(amount.millionths, currency: amount.currency)
        } else {
            let number = Self.decimal(Int(amount.millionths / 10_000), digits: 2)
            self = .code(
                (amount.isLeast ? "at least " : "") + number
                    + (isCode ? " " + amount.currency.text : " of no ISO currency"))
        }
    }
}
