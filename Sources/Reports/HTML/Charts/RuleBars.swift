/// Findings by rule: a bar for each, the worst first, with the severity in words.
enum RuleBars {
    static func chart(_ section: Summary.Section) -> Chart? {
        let bars = section.rows.compactMap { row -> (rule: String, severity: String, count: Int)? in
            guard row.count > 2, let count = row[2].count else { return nil }
            return (row[0].plainText, row[1].plainText, count)
        }
        guard let most = bars.map(\.count).max(), most > 0 else { return nil }
        let words = bars.map { "\($0.rule) \(grouped($0.count)) (\($0.severity))" }
        let height = 18.0
        var svg = SVG(
            id: section.id, title: "Findings by rule: " + words.joined(separator: ", "), width: 360,
            height: height * Double(bars.count))
        for (index, bar) in bars.enumerated() {
            let y = height * Double(index)
            svg.text(0, y + 12, bar.rule)
            svg.text(184, y + 12, bar.severity, "quiet end")
            let width = 120 * Double(bar.count) / Double(most)
            svg.rect(192, y + 3, max(width, 1.5), 12, bar.severity, title: words[index])
            svg.text(192 + max(width, 1.5) + 5, y + 12, grouped(bar.count))
        }
        return Chart("Findings by rule", svg)
    }
}
