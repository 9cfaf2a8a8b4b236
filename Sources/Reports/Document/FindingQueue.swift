import Checks
import Encodings
import Engine
import Rules

/// The findings of a run in the order in which a person decides about them (``FindingUrgency``), as many as a page holds;
/// the rest is counted. Those that a review closed are counted, and among the decisions. Each rule has a share, so that none
/// is without rows, and so does what is new.
struct FindingQueue {
    /// The numbers of groups that are kept of a rule, that each rule has on a page at least, and of a page.
    static let maxPerRule = 100
    static let share = 10
    static let maxShown = 1000
    /// How many groups of new and reopened findings are kept.
    static let maxNews = 400

    private var rules: [ExactText: RuleFindings] = [:]
    /// The findings of an earlier report that this run did not make: their number, and the first of them.
    private(set) var resolvedCount = 0
    private(set) var resolved: [QueuedFinding] = []
    private(set) var apps = AppRules()
    private(set) var products = AffectedProducts()
    /// What was decided about findings of the run.
    private(set) var decided = DecidedFindings()
    private var newGroups = FoundGroups(max: maxNews)
    private var newsCounts: [Severity: Int] = [:]

    /// The number of findings, without resolved ones.
    var count: Int { rules.values.reduce(0) { $0 + $1.count } }
    /// The numbers of findings that are new, and that were reopened.
    private(set) var newCount = 0
    private(set) var reopenedCount = 0
    /// The number of those that are either, and that no review closed.
    private(set) var newsCount = 0
    /// The number of new ones that a review closed.
    private(set) var closedNewsCount = 0
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

    /// The rules that found something: those with the worst finding first, then in the order of the rule book.
    var byRule: [RuleFindings] { rules.values.sorted { $0.place < $1.place } }

    /// The most urgent groups of new and reopened findings.
    var news: [FindingGroup] { newGroups.inOrder }

    /// How many findings are new or reopened, by severity, the worst first.
    var newsSeverities: [(severity: Severity, count: Int)] {
        newsCounts.sorted { $0.key > $1.key }.map { (severity: $0.key, count: $0.value) }
    }

    /// The rules with open findings of which they are not sure: those with possible ones first, doubtful ones last.
    var doubtful: [RuleFindings] {
        let found = byRule.filter { $0.openCount(of: .possible) + $0.openCount(of: .doubtful) > 0 }
        return found.filter { $0.openCount(of: .possible) > 0 } + found.filter { $0.openCount(of: .possible) == 0 }
    }

    /// Returns the groups of a page, the most urgent first.
    ///
    /// - Parameter max: how many; each rule has its share nevertheless, and so does what is new.
    func groups(max: Int = maxShown, share: Int = share) -> [FindingGroup] {
        var shown: [FindingGroup.Key: FindingGroup] = [:]
        var rest: [FindingGroup] = []
        // A group of a rule may lack findings that came before another group was left out, as may one of what is new.
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
