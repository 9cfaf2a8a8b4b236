public import Rules

/// Writes `docs/rules.md`: the rule book as a page.
public enum RuleTextMarkdown {
    public static func text(of rules: [any Rule.Type] = RuleBook.rules) -> String {
        let head = [
            "# The rules", "",
            "<!-- Made from the rule book by `make docs`; change the rules in Sources/Rules instead. -->", "",
            "What counts as a finding. `audit rules RULE` shows one of these sections. A policy changes severities and limits and",
            "switches rules off: [jobs/policy.example.yml](../jobs/policy.example.yml). Purchases count as evidence only from",
            "receipts whose signature and chain hold.", "",
            "| rule | severity | title |", "|---|---|---|",
        ]
        let table = rules.map { rule in
            let documentation = rule.documentation
            return "| [`\(documentation.id)`](#\(documentation.id)) | \(documentation.severity.code) "
                + "| \(cell(documentation.title)) |"
        }
        return (head + table + rules.flatMap { section($0) }).map { $0 + "\n" }.joined()
    }

    private static func section(_ rule: any Rule.Type) -> [String] {
        let documentation = rule.documentation
        let severities =
            [documentation.severity.code] + documentation.exceptions.map { "\($0.severity.code) \($0.condition)" }
        var lines = [
            "", "## \(documentation.id)", "",
            "**\(documentation.title).** Severity: \(severities.joined(separator: "; ")).", "",
        ]
        if let measured = MeasuredRules.text(of: documentation.id) {
            lines += paragraph("Measured ([how](honest-world.md)):", measured + ".")
        }
        lines += paragraph("Raised when", documentation.raisedWhen + ".")
        lines += paragraph("What findings are about:", rule.subjectMarkdown + ".")
        lines += paragraph("**Why it matters.**", documentation.why)
        lines += paragraph("**When it is wrong.**", documentation.whenWrong)
        lines += paragraph("**What to do.**", documentation.whatToDo)
        if !documentation.limits.isEmpty {
            lines += ["| limit | standard | from | to | what it says |", "|---|---|---|---|---|"]
            lines += documentation.limits.map { limit in
                let range = "\(limit.range.lowerBound) | \(limit.range.upperBound)"
                return "| `\(limit.name)` | \(limit.standard) | \(range) | \(cell(limit.meaning)) |"
            }
            lines.append("")
        }
        lines += ["Examples:", ""]
        for example in rule.examples {
            lines.append("- \(example.severity.map { "raised, \($0.code)" } ?? "clear"): \(example.title)")
            lines += RuleTextExample(example).lines.map { "  - " + $0 }
        }
        return lines
    }

    private static func paragraph(_ start: String, _ text: String) -> [String] {
        TextLayout.wrapped(start + " " + text, indentation: 0, width: 120) + [""]
    }

    /// Escapes bars, which would end the cell.
    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
