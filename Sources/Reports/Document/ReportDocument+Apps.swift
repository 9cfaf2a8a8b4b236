import Encodings
import Rules

extension ReportDocument {
    /// The maximum number of apps with their own rows.
    private static let maxApps = 20

    /// The claims, findings and money of one app.
    fileprivate struct AppTotals {
        var classes = ClaimCounts.Classes()
        var findings = 0
        var severities: [Severity: Int] = [:]
        var atStake: AmountAtStake?
    }

    /// Claims, findings and money by app, the apps with the most findings first.
    var appTotals: Summary.Section? {
        guard let claims = claimCounts, findings.count > 0 || claims.apps.count > 1 else { return nil }
        var apps: [String: AppTotals] = [:]
        for (name, classes) in claims.apps { apps[name, default: AppTotals()].classes.add(classes) }
        var others = AppTotals()
        others.classes = claims.otherApps
        for app in findings.apps.top(.max - 1) {
            var totals = app.name.map { apps[visible($0)] ?? AppTotals() } ?? others
            totals.findings += app.total
            totals.severities.merge(app.severities, uniquingKeysWith: +)
            if let name = app.name { apps[visible(name)] = totals } else { others = totals }
        }
        for (name, amount) in summary.appsAtStake { apps[visible(name), default: AppTotals()].atStake = amount }
        let sorted = apps.sorted { a, b in
            (b.value.findings, b.value.classes.total, a.key) < (a.value.findings, a.value.classes.total, b.key)
        }
        for (_, totals) in sorted.dropFirst(Self.maxApps) { others.add(totals) }
        var rows = sorted.prefix(Self.maxApps).map { name, totals in
            cells(name.isEmpty ? .code("no app") : .text(ExactText(name)), totals)
        }
        if others.classes.total + others.findings > 0 { rows.append(cells(.code("other apps"), others)) }
        return Summary.Section(
            "apps_found", "Apps",
            "A claim counts under the app in its proof or, without one, the app that it names. Money counts each"
                + " transaction once.",
            columns: ["app", "claims", "not_clean", "findings"] + severitiesFound.map(\.code) + ["at_stake"], rows: rows
        )
    }

    private func visible(_ name: ExactText) -> String { name.isEmpty ? "" : TextLayout.safe(name, limit: 200) }

    private func cells(_ name: Summary.Cell, _ totals: AppTotals) -> [Summary.Cell] {
        let counts = severitiesFound.map { totals.severities[$0] ?? 0 }
        let (notClean, total) = (totals.classes.notClean, totals.classes.total)
        return [name, .number(total), total == 0 ? .none : .share(notClean, of: total), .number(totals.findings)]
            + counts.map { $0 == 0 ? .none : .number($0) } + [Summary.Cell(totals.atStake)]
    }

    /// Uncertain findings by rule, doubtful ones last.
    var falseAlarms: Summary.Section? {
        let rules = findings.doubtful
        guard !rules.isEmpty else { return nil }
        return Summary.Section(
            "false_alarms", "Probable false alarms",
            "Findings that are not likely and that no review closed: in how many a known cause of false alarms applies.",
            columns: ["rule", "possible", "doubtful", "of"],
            rows: rules.map { rule in
                let name: Summary.Cell = rule.documentation == nil ? .text(rule.rule) : .code(rule.visibleRule)
                return [
                    name, .number(rule.openCount(of: .possible)), .number(rule.openCount(of: .doubtful)),
                    .number(rule.count),
                ]
            })
    }
}

extension ReportDocument.AppTotals {
    fileprivate mutating func add(_ other: Self) {
        classes.add(other.classes)
        findings += other.findings
        severities.merge(other.severities, uniquingKeysWith: +)
    }
}
