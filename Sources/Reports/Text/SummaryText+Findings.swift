import Pipeline
import Rules

extension SummaryText {
    /// Findings by rule, the worst first.
    static func findings(_ tally: FindingTally, width: Int, isColored: Bool) -> [String] {
        guard tally.total + tally.allowedTotal > 0 else { return [] }
        var lines = ["findings"]
        for severity in Severity.allCases.reversed() {
            let word = isColored ? "\u{1b}[\(color(of: severity))m\(severity.code)\u{1b}[0m" : severity.code
            for (rule, id) in RuleBook.ids.enumerated() where tally.count(ofRule: rule, severity) > 0 {
                let count = grouped(tally.count(ofRule: rule, severity))
                lines.append(
                    "  \(String(repeating: " ", count: max(0, width - count.utf8.count)))\(count) \(id) (\(word))")
            }
        }
        if tally.allowedTotal > 0 { lines.append("allowed by the policy: \(grouped(tally.allowedTotal)) findings") }
        return lines
    }

    private static func color(of severity: Severity) -> Int {
        switch severity {
        case .critical, .high: 31
        case .medium: 33
        case .low, .info: 36
        }
    }
}
