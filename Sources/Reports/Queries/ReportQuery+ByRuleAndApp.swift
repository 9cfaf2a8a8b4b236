import Checks
import Encodings
import Engine
import Rules
import SQLite

extension ReportQuery {
    static let byRuleAndApp = ReportQuery(
        name: "by_rule_and_app",
        meaning: "How many findings each rule has about each app, by severity, confidence, status and change.",
        columns: [
            ("app", "TEXT", "the app; NULL if none is known"), ("findings", "INTEGER", "the number of findings"),
        ],
        tables: [("f", "fraud")],
        sql: """
            SELECT f.rule, f.bundle_id AS app, f.severity, f.confidence, f.status, f.change, count(*) AS findings
            FROM fraud AS f WHERE f.change IS NOT 'resolved'
            GROUP BY f.rule, f.bundle_id, f.severity, f.confidence, f.status, f.change
            """)
}

/// The number of findings of one rule.
struct RuleFindings {
    let rule: ExactText
    fileprivate(set) var count = 0
    private var counts: [Severity: Int] = [:]
    /// The uncertain findings that no review closed, by confidence.
    private var doubts: [Confidence: Int] = [:]

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

    /// The order of rules.
    fileprivate var place: (Int, Int, ExactText) {
        (-Int((counts.keys.max() ?? .info).rawValue), RuleBook.ids.firstIndex(of: rule) ?? .max, rule)
    }

    fileprivate mutating func add(_ findings: Int, _ severity: Severity, _ confidence: Confidence, isClosed: Bool) {
        count += findings
        counts[severity, default: 0] += findings
        if !isClosed { doubts[confidence, default: 0] += findings }
    }
}

/// The numbers of findings of a run, without resolved ones.
struct FindingTotals {
    private var rules: [ExactText: RuleFindings] = [:]
    private var newsCounts: [Severity: Int] = [:]
    /// The numbers of findings that no review closed, by a column and its value.
    private var open: [String: Int] = [:]
    /// The number of findings of an earlier report that this run did not make.
    fileprivate(set) var resolvedCount = 0
    /// The numbers of new and of reopened findings.
    private(set) var newCount = 0
    private(set) var reopenedCount = 0
    /// The number of new or reopened findings that no review closed, and of new ones that a review closed.
    private(set) var newsCount = 0
    private(set) var closedNewsCount = 0
    /// The number of findings that a review closed, and of those that it closed as `ok`.
    private(set) var closedCount = 0
    private(set) var clearedCount = 0

    var count: Int { rules.values.reduce(0) { $0 + $1.count } }
    /// The number of findings to review.
    var openCount: Int { count - closedCount }

    /// The text for an empty queue.
    var noneText: String {
        closedCount > 0 ? "None is open: reviews closed all \(grouped(closedCount)) findings." : "None."
    }

    /// Says that nothing is new, or nothing that is left to decide about.
    var noNewsText: String {
        guard closedNewsCount > 0 else { return "Nothing is new" }
        return "Nothing new is open: reviews closed \(counted(closedNewsCount, "new finding", grouped))"
    }

    /// The rules with findings: by worst finding, then in the order of the rule book.
    var byRule: [RuleFindings] { rules.values.sorted { $0.place < $1.place } }

    /// The number of new or reopened findings by severity, the worst first.
    var newsSeverities: [(severity: Severity, count: Int)] {
        newsCounts.sorted { $0.key > $1.key }.map { (severity: $0.key, count: $0.value) }
    }

    /// The rules with open doubtful findings.
    var doubtful: [RuleFindings] { byRule.filter { $0.openCount(of: .doubtful) > 0 } }

    /// The number of open findings of each severity, the worst first.
    var openSeverities: [(severity: Severity, count: Int)] {
        Severity.allCases.reversed().compactMap { severity in
            open["severity \(severity.code)"].map { (severity: severity, count: $0) }
        }
    }

    /// The numbers of open findings by what a page filters them: lines such as `severity critical 12`.
    var openTotals: String {
        open.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: "\n")
    }

    /// The severities that findings have, the worst first.
    var severities: [Severity] {
        Severity.allCases.reversed().filter { severity in rules.values.contains { $0.count(of: severity) > 0 } }
    }

    fileprivate mutating func add(_ row: DatabaseReader.Cells) {
        let (rule, findings) = (ExactText(row.text("rule")), row.number("findings"))
        let severity = Severity(code: ExactText(row.text("severity"))) ?? .info
        let status = FindingStatus(rawValue: row.text("status")) ?? .open
        let isNew = row.text("change") == "new"
        if isNew { newCount += findings }
        if status == .reopened { reopenedCount += findings }
        if status.isClosed { closedCount += findings }
        if status == .ok { clearedCount += findings }
        if isNew || status == .reopened {
            if status.isClosed { closedNewsCount += findings } else { newsCount += findings }
            if !status.isClosed { newsCounts[severity, default: 0] += findings }
        }
        if !status.isClosed {
            let isKnown = RuleBook.rule(rule) != nil
            for name in ["severity", "status", "change", "confidence"] + (isKnown ? ["rule"] : [])
            where !row.isNull(name) {
                open["\(name) \(row.safe(name))", default: 0] += findings
            }
        }
        rules[rule, default: RuleFindings(rule: rule)].add(
            findings, severity, Confidence(code: ExactText(row.text("confidence"))) ?? .likely,
            isClosed: status.isClosed)
    }
}

/// The number of findings of each rule about an app.
struct AppRules {
    /// The app; empty if none is known; `nil` for all other apps.
    let name: ExactText?
    fileprivate(set) var total = 0
    /// The number of findings by rule.
    fileprivate(set) var counts: [ExactText: Int] = [:]
}

extension StoredReport {
    func findingCounts() throws -> FindingTotals {
        var counts = FindingTotals()
        try reader.forEachRow(
            """
            SELECT rule, severity, confidence, status, change, sum(findings) AS findings FROM by_rule_and_app
            GROUP BY rule, severity, confidence, status, change
            """
        ) { counts.add($0) }
        counts.resolvedCount = try count("fraud", where: "change = 'resolved'")
        return counts
    }

    /// Returns the apps with the most findings, and the sum of the others.
    func byRuleAndApp(_ max: Int) throws -> [AppRules] {
        let apps = "SELECT app FROM by_rule_and_app GROUP BY app"
        // One more app takes no more space than a row for the others.
        let shown = try number("SELECT count(*) FROM (\(apps))") == max + 1 ? max + 1 : max
        let top = "\(apps) ORDER BY sum(findings) DESC, app LIMIT \(shown)"
        var found: [AppRules] = []
        try reader.forEachRow(top) { found.append(AppRules(name: ExactText($0.text("app")))) }
        let places = Dictionary(uniqueKeysWithValues: found.enumerated().map { ($1.name ?? "", $0) })
        var others = AppRules(name: nil)
        let add = { (counts: inout AppRules, row: DatabaseReader.Cells) in
            counts.total += row.number("findings")
            counts.counts[ExactText(row.text("rule")), default: 0] += row.number("findings")
        }
        try reader.forEachRow(
            """
            WITH top AS MATERIALIZED (\(top))
            SELECT CASE WHEN is_top THEN app END AS app, is_top, rule, sum(findings) AS findings
            FROM (SELECT *, coalesce(app, '') IN (SELECT coalesce(app, '') FROM top) AS is_top FROM by_rule_and_app)
            GROUP BY 1, 2, 3
            """
        ) { row in
            if row.number("is_top") > 0, let place = places[ExactText(row.text("app"))] {
                add(&found[place], row)
            } else {
                add(&others, row)
            }
        }
        return found + (others.total > 0 ? [others] : [])
    }
}
