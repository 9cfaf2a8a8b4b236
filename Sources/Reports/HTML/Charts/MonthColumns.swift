import Encodings
import Subscriptions

/// Draws numbers by month as stacked columns.
enum MonthColumns {
    /// The columns to draw for some sections, without their totals; for other sections all counts are drawn.
    private static let drawn = [
        "subscription_renewals": ["started", "renewals"],
        "presented": ["valid_with_findings", "invalid", "unreadable"],
    ]

    struct Series {
        let name: String
        let style: String
        let fill: SVG.Fill
        /// The numbers by month.
        let values: [Int: Int]
    }

    /// - Returns: `nil` if the section has no months, or no counts.
    static func chart(_ section: Summary.Section) -> Chart? {
        guard section.columns.first == "month" else { return nil }
        let months = section.rows.map { MonthAxis.number($0.first?.plainText ?? "") }
        let series = series(
            section, months,
            section.id == "presented" ? presentedLooks : section.isOfVerdicts ? verdictLooks : looks)
        guard let axis = MonthAxis(months.compactMap { $0 }), !series.isEmpty else { return nil }
        let ofWhat = isOfShares(section) ? "share of the month's claims that are " : ""
        let title = "\(section.title): " + ofWhat + series.map(\.name).joined(separator: ", ")
        var svg = SVG(id: section.id, title: "\(title); \(axis.span)", width: 360, height: 226)
        if let cut = section.cutMonth, let index = axis.months.firstIndex(of: cut) { axis.hatch(index, in: &svg) }
        draw(series, axis, isOfShares: isOfShares(section), cut: section.cutMonth, in: &svg)
        // The legend names the series.
        return Chart(isOfShares(section) ? title : section.title, svg, note: axis.note)
    }

    /// Whether columns are shares of the column `claims`, in thousandths: a month with more claims has more of every
    /// kind, which is no information.
    private static func isOfShares(_ section: Summary.Section) -> Bool { section.id == "presented" }

    private typealias Look = (style: String, fill: SVG.Fill)

    /// The styles of good and bad numbers, and of others.
    private static let verdictLooks: [Look] = [("good", .solid), ("bad", .hatched)]
    private static let presentedLooks: [Look] = [("odd", .dotted), ("bad", .hatched), ("third", .solid)]
    private static let looks: [Look] = [("first", .solid), ("second", .hatched), ("third", .dotted)]

    private static func series(_ section: Summary.Section, _ months: [Int?], _ looks: [Look]) -> [Series] {
        let wanted = drawn[section.id]
        let wholes = isOfShares(section) ? section.columns.firstIndex(of: "claims") : nil
        let columns = section.columns.indices.dropFirst().filter { column in
            guard wanted?.contains(section.columns[column]) ?? true else { return false }
            return section.rows.contains { column < $0.count && $0[column].count != nil }
        }
        return zip(columns, looks).map { column, look in
            var values: [Int: Int] = [:]
            for (month, row) in zip(months, section.rows) {
                guard let month, column < row.count, let count = row[column].count else { continue }
                guard let wholes else {
                    values[month, default: 0] += max(count, 0)
                    continue
                }
                guard let whole = row[wholes].count, whole > 0 else { continue }
                values[month] = Figure.Value.share(max(count, 0), of: whole).thousandths ?? 0
            }
            return Series(
                name: section.chartName(ofColumn: column), style: look.style, fill: look.fill,
                values: values)
        }
    }

    private static func draw(
        _ series: [Series], _ axis: MonthAxis, isOfShares: Bool, cut: Int?, in svg: inout SVG
    ) {
        let sums = axis.months.map { month in series.reduce(0) { $0.addingSaturating($1.values[month] ?? 0) } }
        let end = MonthAxis.end(sums.max() ?? 0)
        let text = { (value: Int) in isOfShares ? MonthAxis.share(value) : grouped(value) }
        axis.draw(to: end, text, in: &svg)
        let width = min(axis.slot * 0.84, 28)
        for (index, month) in axis.months.enumerated() {
            let x = axis.left + axis.slot * Double(index) + (axis.slot - width) / 2
            var base = axis.bottom
            for one in series {
                let value = one.values[month] ?? 0
                let height = axis.bottom - axis.y(value, of: end)
                base -= height
                svg.rect(
                    x, base, width, height, one.style, one.fill,
                    title: "\(MonthAxis.label(month)): \(text(value)) \(one.name)")
            }
        }
        let names: [MonthAxis.LegendEntry] = series.map { ($0.name, $0.style, $0.fill) }
        MonthAxis.legend(names + (cut == nil ? [] : [MonthAxis.cutEntry]), in: &svg)
    }
}
