/// The values of the template `chart`.
struct Chart {
    let title: String
    /// Whether it has its own size, and scrolls.
    let isWide: Bool
    /// The markup of ``SVG``.
    let svg: String
    let hasNote: Bool
    let note: String

    init(_ title: String, isWide: Bool = false, _ svg: SVG, note: String = "") {
        self.title = title
        self.isWide = isWide
        self.svg = svg.markup
        self.note = note
        hasNote = !note.isEmpty
    }

    static func verdicts(_ document: ReportDocument) -> Chart? {
        document.summary["verdicts"].flatMap(VerdictBar.chart)
    }

    static func rules(_ document: ReportDocument) -> Chart? {
        document.hasFindings ? document.summary["findings"].flatMap(RuleBars.chart) : nil
    }

    /// Returns the chart next to a section's table.
    static func of(_ section: Summary.Section) -> Chart? {
        guard section.id == "months" || section.isOfSubscriptions else { return nil }
        return MonthColumns.chart(section, isStacked: section.id == "months")
    }

    static func heatMap(of section: Summary.Section) -> Chart? {
        section.isOfSubscriptions && section.columns.first != "month" ? HeatMap.chart(section) : nil
    }
}

/// Draws claims by verdict as one bar, with a legend below.
enum VerdictBar {
    static func chart(_ section: Summary.Section) -> Chart? {
        let parts = section.rows.compactMap { row -> (name: String, count: Int, share: String)? in
            guard row.count > 2, let count = row[1].count else { return nil }
            return (row[0].plainText, count, row[2].displayText)
        }
        let total = parts.map { Double($0.count) }.reduce(0, +)
        guard total > 0 else { return nil }
        let words = parts.map { "\($0.name) \(grouped($0.count)) (\($0.share))" }
        var svg = SVG(
            id: section.id, title: "Claims by verdict: " + words.joined(separator: ", "), width: 360,
            height: 58)
        var x = 0.0
        for (index, part) in parts.enumerated() {
            let (style, fill) = style(of: part.name)
            let width = 360 * Double(part.count) / total
            svg.rect(x, 0, max(width - 1.5, 0.75), 28, style, fill, title: words[index])
            x += width
            let start = 120 * Double(index)
            svg.rect(start, 42, 12, 12, style, fill)
            svg.text(start + 18, 52, part.name)
        }
        return Chart("Verdicts", svg)
    }

    private static func style(of verdict: String) -> (String, SVG.Fill) {
        switch verdict {
        case "valid": ("good", .solid)
        case "invalid": ("bad", .hatched)
        default: ("odd", .dotted)
        }
    }
}

/// Draws findings by rule: a bar for each, the worst first, with the severity in words.
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
