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
            "What rules about several claims have in common:",
            "",
            "- The device of a claim is the one that matches its proof, else the smallest usable one that it names. A",
            "  token's is the `device_verification_id` if that matches, or if the claim names no usable `device_id`;",
            "  else the `device_id`.",
            "- Who was first is said by `presented_at`; claims without a date come last, and at one instant the one",
            "  with the smaller `claim_id` comes first.",
            "- Where several people can present what a finding is about, it does not say the same of all. Claims that",
            "  do not match are marked with its severity, unchecked ones at most medium. A claim that matches is",
            "  marked with what the rule says of it from all matching claims alone. The first presenter is the",
            "  account, else the device, of the first claim that matches: their claims are marked with what the rule",
            "  says of each from their claims alone, and of those that match from these alone. Where the rule says",
            "  nothing, the mark is info. If no claim matches, the claims of whoever was first are marked info. All",
            "  claims with the key decide who was first, also those that the finding is not about.",
            "",
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
