import Encodings
import Rules

extension ReportDocument {
    /// The maximum number of apps with their own rows.
    private static let maxApps = 20

    /// Returns claims, findings and money by app, the apps with the most findings first.
    func appTotals() throws -> Summary.Section? {
        guard table == nil else { return nil }
        let (apps, count) = try report.byApp(Self.maxApps)
        guard findings.count > 0 || count > 1 else { return nil }
        let atStake = Dictionary(
            (summary[Summary.appsAtStakeID]?.rows ?? []).map { (ExactText($0[0].plainText), $0[1]) },
            uniquingKeysWith: { first, _ in first })
        let severities = findings.severities
        return Summary.Section(
            "apps_found", "Apps",
            "A claim counts under the app in its proof or, without one, the app that it names. Money is that of all"
                + " findings that no review cleared, each transaction once.",
            columns: ["app", "claims", "not_clean", "findings"] + severities.map(\.code) + ["at_stake"],
            rows: apps.map { app in
                let name: Summary.Cell =
                    app.name.map { $0.isEmpty ? .code("no app") : .text($0) } ?? .code("other apps")
                let counts = severities.map { app.severities[$0] ?? 0 }
                return [
                    name, .number(app.claims), app.claims == 0 ? .none : .share(app.notClean, of: app.claims),
                    .number(app.findings),
                ] + counts.map { $0 == 0 ? .none : .number($0) } + [app.name.flatMap { atStake[$0] } ?? .none]
            })
    }

    /// Open doubtful findings by rule.
    var falseAlarms: Summary.Section? {
        let rules = findings.doubtful
        guard !rules.isEmpty else { return nil }
        var section = Summary.Section(
            "false_alarms", "Probable false alarms",
            "Open findings that are doubtful: a known cause of false alarms applies.",
            columns: ["rule", "doubtful", "of"],
            rows: rules.map { rule in
                let name: Summary.Cell = rule.documentation == nil ? .text(rule.rule) : .code(rule.visibleRule)
                return [name, .number(rule.openCount(of: .doubtful)), .number(rule.count)]
            })
        section.leads = rules.map { $0.documentation == nil ? nil : .falseAlarms(of: $0.rule) }
        return section
    }

    /// Returns the first new and reopened findings; `nil` if nothing new is left to decide about.
    func news(_ max: Int) throws -> Summary.Section? {
        let groups = try report.newSinceLast(max)
        guard !groups.isEmpty else { return nil }
        var section = Summary.Section(
            "news", "New", "New and reopened findings: \(newsCounts).",
            columns: ["subject", "rule", "severity", "findings", "evidence"],
            rows: groups.map { group in
                let line = group.lines[0]
                // A claim's id tells a person nothing.
                let isClaim = line.subject.hasPrefix("claim:") && !line.presenter.isEmpty
                return [
                    .text(ExactText(isClaim ? line.presenter : line.subject)), .code(line.rule),
                    .code(line.severity.code), .number(group.count), .text(ExactText(line.evidence)),
                ]
            })
        section.leads = groups.map { .finding($0.lines[0].id) }
        let more = findings.newsCount - groups.reduce(0) { $0 + $1.count }
        let place = "`--report fraud=FILE.csv` has all, with `new` in `change`"
        if more > 0 { section.rest = "and \(grouped(more)) more: \(place)" }
        return section
    }

    /// Returns the number of findings of each rule, by severity, and about the apps with the most.
    ///
    /// - Parameter apps: the maximum number of apps with a column.
    func appRules(_ apps: Int) throws -> (columns: [Summary.Cell], rows: [[Summary.Cell]]) {
        let top = try report.byRuleAndApp(apps)
        let severities = findings.severities
        let columns: [Summary.Cell] =
            [.code("rule"), .code("findings")] + severities.map { .code($0.code) }
            + top.map { app in
                guard let name = app.name else { return .code("other apps") }
                return name.isEmpty ? .code("no app") : .text(ExactText(TextLayout.safe(name, limit: 60)))
            }
        let rows = findings.byRule.map { rule -> [Summary.Cell] in
            let bySeverity = severities.map { rule.count(of: $0) }
            let counts: [Int] = bySeverity + top.map { $0.counts[rule.rule] ?? 0 }
            return [rule.documentation == nil ? .text(rule.rule) : .code(rule.visibleRule), .number(rule.count)]
                + counts.map { $0 == 0 ? .none : .number($0) }
        }
        return (columns, rows)
    }

    /// Returns the products with the most findings.
    func affectedProducts() throws -> Summary.Section? {
        let rows = try report.affectedProducts(Self.maxProducts)
        guard !rows.isEmpty else { return nil }
        return Summary.Section(
            "affected_products", "Products with most findings", columns: ["product", "app", "findings"], rows: rows)
    }

    private static let maxProducts = 10
}
