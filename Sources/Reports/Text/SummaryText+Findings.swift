import Engine
import Rules

extension SummaryText {
    /// Findings by rule, the worst first.
    static func findings(_ tally: FindingTally, width: Int, _ paint: Paint) -> [String] {
        guard tally.total + tally.allowedTotal > 0 else { return [] }
        var lines = ["findings"]
        for severity in Severity.allCases.reversed() {
            let word = paint(severity.code, color(of: severity))
            for (rule, id) in RuleBook.ids.enumerated() where tally.count(ofRule: rule, severity) > 0 {
                let count = TextLayout.right(grouped(tally.count(ofRule: rule, severity)), to: width)
                lines.append("  \(count) \(id) (\(word))")
            }
        }
        if tally.allowedTotal > 0 { lines.append("allowed by the policy: \(grouped(tally.allowedTotal)) findings") }
        return lines
    }

    /// What is not grave is not dimmed here: nothing but counts stands beside it.
    private static func color(of severity: Severity) -> Paint.Color {
        severity < .medium ? .cyan : Paint.Color(severity)
    }
}
