import Checks
import Encodings
import Engine
import Rules

/// The findings of a run in the order for review (``FindingUrgency``), as many as fit on a page; the others are
/// counted. Findings closed by a review are counted, and listed among the decisions. Each rule has a minimum share, so
/// that none is without rows, and so do new findings.
struct FindingQueue {
    /// The maximum number of kept groups per rule, the minimum number of groups per rule on a page, and the maximum per
    /// page.
    static let maxPerRule = 100
    static let share = 10
    static let maxShown = 1000
    /// The maximum number of kept groups of new and reopened findings.
    static let maxNews = 400

    private var rules: [ExactText: RuleFindings] = [:]
    /// The number of findings of an earlier report that this run did not make, and the first of them.
    private(set) var resolvedCount = 0
    private(set) var resolved: [QueuedFinding] = []
    private(set) var apps = AppRules()
    private(set) var products = AffectedProducts()
    /// The decisions about findings of the run.
    private(set) var decided = DecidedFindings()
    private var newGroups = FoundGroups(max: maxNews)
    private var newsCounts: [Severity: Int] = [:]

    /// The number of findings, without resolved ones.
    var count: Int { rules.values.reduce(0) { $0 + $1.count } }
    /// The numbers of new and of reopened findings.
    private(set) var newCount = 0
    private(set) var reopenedCount = 0
    /// The number of new or reopened findings that no review closed.
    private(set) var newsCount = 0
    /// The number of new ones that a review closed.
    private(set) var closedNewsCount = 0
    /// The number of findings that a review closed.
    private(set) var closedCount = 0
    /// The number of findings that a review closed as `ok`.
    private(set) var clearedCount = 0
    /// The number of findings to review.
    var openCount: Int { count - closedCount }

    /// The text for an empty queue.
    var noneText: String {
        closedCount > 0 ? "None to decide about: reviews closed all \(grouped(closedCount)) findings." : "None."
    }

    /// Says that nothing is new, or nothing that is left to decide about.
    var noNewsText: String {
        guard closedNewsCount > 0 else { return "Nothing is new" }
        return "Nothing new to decide about: reviews closed \(counted(closedNewsCount, "new finding", grouped))"
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
        let isNews = compared.change == .new || compared.status == .reopened
        if isNews, !compared.status.isClosed {
            newsCount += 1
            newsCounts[finding.severity, default: 0] += 1
            newGroups.add(compared)
        }
        if compared.status.isClosed { closedCount += 1 }
        if isNews, compared.status.isClosed { closedNewsCount += 1 }
        if compared.status == .ok { clearedCount += 1 }
        decided.add(compared)
        apps.add(finding)
        products.add(finding)
        rules[finding.rule, default: RuleFindings(rule: finding.rule)].add(compared)
    }

    /// The rules with findings: by worst finding, then in the order of the rule book.
    var byRule: [RuleFindings] { rules.values.sorted { $0.place < $1.place } }

    /// The most urgent groups of new and reopened findings.
    var news: [FindingGroup] { newGroups.inOrder }

    /// The number of new or reopened findings by severity, the worst first.
    var newsSeverities: [(severity: Severity, count: Int)] {
        newsCounts.sorted { $0.key > $1.key }.map { (severity: $0.key, count: $0.value) }
    }

    /// The rules with open uncertain findings: those with possible ones first, those with doubtful ones last.
    var doubtful: [RuleFindings] {
        let found = byRule.filter { $0.openCount(of: .possible) + $0.openCount(of: .doubtful) > 0 }
        return found.filter { $0.openCount(of: .possible) > 0 } + found.filter { $0.openCount(of: .possible) == 0 }
    }

    /// Returns the groups of a page, the most urgent first.
    ///
    /// - Parameter max: the maximum number. Each rule and the new findings still get their minimum shares.
    func groups(max: Int = maxShown, share: Int = share) -> [FindingGroup] {
        var shown: [FindingGroup.Key: FindingGroup] = [:]
        var rest: [FindingGroup] = []
        // A group may lack findings that came before another group was dropped, for rules and for new findings alike.
        let add = { (group: FindingGroup) in
            if let other = shown[group.key], other.count >= group.count { return }
            shown[group.key] = group
        }
        for group in news.prefix(max) { add(group) }
        for rule in byRule {
            let groups = rule.groups
            for group in groups.prefix(share) { add(group) }
            rest += groups.dropFirst(share)
        }
        for group in rest.sorted(by: FindingGroup.precedes) {
            if shown[group.key] != nil || shown.count < max { add(group) }
        }
        return shown.values.sorted(by: FindingGroup.precedes)
    }
}
