import Encodings
import Engine
import Rules

extension Summary {
    /// What the rules found, and what the policy hid.
    static func findings(
        _ tally: FindingTally, _ changes: ChangeCounts?, _ policy: Policy, asOf: Instant
    ) -> [Section] {
        var sections = [
            Section(
                "findings", "Findings", "One finding is one occurrence of a rule on one subject.",
                columns: ["rule", "severity", "findings", "title"], rows: rows(tally)),
            Section(
                "severities", "Findings by severity", "The severity is the rule's, or the policy's.",
                columns: ["severity", "findings"],
                rows: Severity.allCases.reversed().filter { tally.count($0) > 0 }
                    .map { [.code($0.code), .number(tally.count($0))] }),
        ]
        sections[0].keys = 2
        if tally.allowedTotal > 0 {
            sections.append(
                Section(
                    "allowed", "Allowed by the policy",
                    "Findings about subjects on the allow list: counted, not reported.",
                    columns: ["rule", "findings"],
                    rows: RuleBook.ids.indices.filter { tally.allowedCount(ofRule: $0) > 0 }
                        .map { [.code(RuleBook.ids[$0].text), .number(tally.allowedCount(ofRule: $0))] }))
        }
        sections.append(allowList(tally, policy, asOf: asOf))
        if let changes {
            sections.append(
                Section(
                    "changes", "Changes since the earlier report",
                    "Findings are the same if rule and subject are.", columns: ["change", "findings"],
                    rows: [
                        [.code("new"), .number(changes.new)], [.code("persisting"), .number(changes.persisting)],
                        [.code("resolved"), .number(changes.resolved)],
                    ]))
        }
        return sections
    }

    /// Whether entries of the allow list still do anything.
    private static func allowList(_ tally: FindingTally, _ policy: Policy, asOf: Instant) -> Section {
        let used = tally.usedAllowances.count
        let ended = policy.allowances.count { !$0.holds(at: asOf) }
        let entries = [("used", used), ("unused", policy.allowances.count - ended - used), ("ended", ended)]
        return Section(
            "allow_list", "Entries of the allow list",
            "An entry that is unused hid nothing: no rule found anything about its subject, or it is not written as in the table.",
            columns: ["entry", "entries"], rows: entries.filter { $0.1 > 0 }.map { [.code($0.0), .number($0.1)] })
    }

    /// The worst first, then in the order of the rule book.
    private static func rows(_ tally: FindingTally) -> [[Cell]] {
        Severity.allCases.reversed().flatMap { severity in
            RuleBook.rules.enumerated().compactMap { number, rule -> [Cell]? in
                let count = tally.count(ofRule: number, severity)
                guard count > 0 else { return nil }
                let text = rule.documentation
                return [.code(text.id.text), .code(severity.code), .number(count), .code(text.title)]
            }
        }
    }
}
