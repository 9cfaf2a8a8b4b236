/// The values of the template `chart`.
struct Chart {
    let title: String
    /// Whether it has its own size, and scrolls.
    let isWide: Bool
    /// The markup from ``SVG``.
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
        (document.classes ?? document.summary["verdicts"]).flatMap(VerdictBar.chart)
    }

    /// Returns the chart next to a section's table.
    static func of(_ section: Summary.Section) -> Chart? {
        guard section.isOfVerdicts || section.isOfSubscriptions else { return nil }
        return RateLine.chart(section) ?? MonthColumns.chart(section)
    }

    static func heatMap(of section: Summary.Section) -> Chart? {
        let hasShares = section.isOfSubscriptions && section.columns.first != "month"
        return hasShares || section.id == "completeness_apps" ? HeatMap.chart(section) : nil
    }
}

extension Summary.Section {
    /// Whether it counts good and bad claims by month.
    var isOfVerdicts: Bool { id == "months" || id == "presented" }

    /// The number of the month that as-of cuts.
    var cutMonth: Int? {
        rows.lazy.compactMap { row in
            if let cell = row.first, case .cutMonth = cell { MonthAxis.number(cell.plainText) } else { nil }
        }.first
    }

    /// The name of a column in the legend of a chart. Nobody knows whether a subscription that was not refreshed is lost.
    func chartName(ofColumn column: Int) -> String {
        columns[column].replacing("not_refreshed", with: "not known (not refreshed)").replacing("_", with: " ")
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
            id: section.id, title: "By verdict and findings: " + words.joined(separator: ", "), width: 360,
            height: parts.count > 2 ? 76 : 58)
        var x = 0.0
        for (index, part) in parts.enumerated() {
            let (style, fill) = style(of: part.name)
            let width = 360 * Double(part.count) / total
            svg.rect(x, 0, max(width - 1.5, 0.75), 28, style, fill, title: words[index])
            x += width
            let (start, y) = (180 * Double(index % 2), 42 + 18 * Double(index / 2))
            svg.rect(start, y, 12, 12, style, fill)
            svg.text(start + 18, y + 10, part.name)
        }
        return Chart("By verdict and findings", svg)
    }

    private static func style(of verdict: String) -> (String, SVG.Fill) {
        switch verdict {
        case "valid", "clean": ("good", .solid)
        case "valid with findings": ("odd", .dotted)
        case "invalid": ("bad", .hatched)
        default: ("third", .solid)
        }
    }
}
