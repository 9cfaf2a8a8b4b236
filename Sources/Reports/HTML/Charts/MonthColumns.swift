import Subscriptions

/// Draws numbers by month as columns, stacked or side by side.
enum MonthColumns {
    /// The maximum number of months to draw, the latest ones.
    private static let maxMonths = 24

    /// The columns to draw for some sections, without their totals; for other sections all counts are drawn.
    private static let drawn = [
        "subscription_trial_conversion": ["trials_converted", "trials_lost", "trials_not_refreshed"],
        "subscription_renewals": ["started", "renewals"],
        "subscription_churn": ["lost", "resubscribed", "not_refreshed"],
        "presented": ["valid_with_findings", "invalid", "unreadable"],
        "subscription_refund_rate": ["refunded_periods", "refunded_one_time_purchases"],
    ]

    struct Series {
        let name: String
        let style: String
        let fill: SVG.Fill
        /// The numbers by month.
        let values: [Int: Int]
    }

    /// - Returns: `nil` if the section has no months, or no counts.
    static func chart(_ section: Summary.Section, isStacked: Bool) -> Chart? {
        guard section.columns.first == "month" else { return nil }
        let months = section.rows.map { number($0.first?.plainText ?? "") }
        let known = months.compactMap { $0 }
        let series = series(
            section, months, isStacked ? section.id == "presented" ? presentedLooks : verdictLooks : looks)
        guard let first = known.min(), let last = known.max(), !series.isEmpty else { return nil }
        let shown = Array(max(first, last - maxMonths + 1)...last)
        let ofWhat = isOfShares(section) ? "share of the month's claims that are " : ""
        let title = "\(section.title): " + ofWhat + series.map(\.name).joined(separator: ", ")
        var svg = SVG(
            id: section.id, title: "\(title); months \(label(shown[0])) to \(label(last))", width: 360, height: 226)
        draw(series, shown, isStacked: isStacked, isOfShares: isOfShares(section), in: &svg)
        let note = first < shown[0] ? "The last \(maxMonths) months." : ""
        return Chart(title, svg, note: note)
    }

    /// Whether columns are shares of the column `claims`, in thousandths: a month with more claims has more of every
    /// kind, which is no information.
    private static func isOfShares(_ section: Summary.Section) -> Bool { section.id == "presented" }

    private typealias Look = (style: String, fill: SVG.Fill)

    /// The styles of good and bad numbers, and of others.
    private static let verdictLooks: [Look] = [("good", .solid), ("bad", .hatched)]
    private static let presentedLooks: [Look] = [("odd", .dotted), ("bad", .hatched), ("third", .solid)]
    private static let looks: [Look] = [("first", .solid), ("second", .hatched), ("third", .dotted)]
    /// The look of what is not known, as in ``HeatMap``, and those beside it.
    private static let unknownLook: Look = ("third", .hatched)
    private static let knownLooks: [Look] = [("first", .solid), ("second", .dotted)]

    private static func series(_ section: Summary.Section, _ months: [Int?], _ looks: [Look]) -> [Series] {
        let wanted = drawn[section.id]
        let wholes = isOfShares(section) ? section.columns.firstIndex(of: "claims") : nil
        let columns = section.columns.indices.dropFirst().filter { column in
            guard wanted?.contains(section.columns[column]) ?? true else { return false }
            return section.rows.contains { column < $0.count && $0[column].count != nil }
        }
        let unknown = columns.filter { section.columns[$0].hasSuffix("not_refreshed") }
        let known = unknown.isEmpty ? looks : knownLooks
        let shown = zip(columns.filter { !unknown.contains($0) }, known) + unknown.map { ($0, unknownLook) }
        return shown.map { column, look in
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

    /// Converts a month to a number; ``label(_:)`` converts it back.
    private static func number(_ text: String) -> Int? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard parts.count == 2, (0...9999).contains(parts[0]), (1...12).contains(parts[1]) else { return nil }
        return parts[0] * 12 + parts[1] - 1
    }

    private static func label(_ month: Int) -> String {
        let (year, rest) = month.quotientAndRemainder(dividingBy: 12)
        let digits = String(year)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + (rest < 9 ? "-0" : "-")
            + String(rest + 1)
    }

    private static let (left, right, top, bottom) = (44.0, 356.0, 8.0, 160.0)

    private static func draw(_ series: [Series], _ months: [Int], isStacked: Bool, isOfShares: Bool, in svg: inout SVG)
    {
        let sums = months.map { month in
            let values = series.map { $0.values[month] ?? 0 }
            return isStacked ? values.reduce(0, +) : values.max() ?? 0
        }
        let end = axisEnd(sums.max() ?? 0)
        let text = { (value: Int) in
            guard isOfShares else { return grouped(value) }
            return (value % 10 == 0 ? String(value / 10) : Summary.Cell.decimal(value, digits: 1)) + " %"
        }
        for tick in 0...2 {
            let y = bottom - (bottom - top) * Double(tick) / 2
            svg.line(left, y, to: right, y)
            svg.text(left - 5, y + 4, text(end / 2 * tick), "quiet end")
        }
        let slot = (right - left) / Double(months.count)
        let width = min(slot * 0.84, 28)
        let count = series.count
        for (index, month) in months.enumerated() {
            var x = left + slot * Double(index) + (slot - width) / 2
            var base = bottom
            for series in series {
                let value = series.values[month] ?? 0
                let height = (bottom - top) * Double(value) / Double(end)
                let part = isStacked ? width : width / Double(count)
                svg.rect(
                    x, base - height, part, height, series.style, series.fill,
                    title: "\(label(month)): \(text(value)) \(series.name)")
                if isStacked { base -= height } else { x += part }
            }
        }
        labels(months, slot: slot, in: &svg)
        legend(series, in: &svg)
    }

    /// Labels as many months as fit.
    private static func labels(_ months: [Int], slot: Double, in svg: inout SVG) {
        let step = max(1, Int((56 / slot).rounded(.up)))
        for (index, month) in months.enumerated() where index % step == 0 {
            let x = left + slot * (Double(index) + 0.5)
            // The last label ends at the end of the axis.
            if x + 24 <= 360 { svg.text(x, bottom + 17, label(month), "quiet middle") }
        }
    }

    /// Draws the legend, on one line if it fits.
    private static func legend(_ series: [Series], in svg: inout SVG) {
        var (x, y) = (0.0, 192.0)
        for series in series {
            let width = 32 + 6.8 * Double(series.name.count)
            if x > 0, x + width > 372 { (x, y) = (0, y + 18) }
            svg.rect(x, y, 12, 12, series.style, series.fill)
            svg.text(x + 18, y + 10, series.name)
            x += width
        }
    }

    /// Returns the smallest even number with one non-zero digit that is at least the maximum: the axis is halved.
    private static func axisEnd(_ maximum: Int) -> Int {
        var step = 2
        while true {
            for factor in [1, 2, 3, 4, 5] where factor * step >= maximum { return factor * step }
            let (next, overflow) = step.multipliedReportingOverflow(by: 10)
            if overflow || next > Int.max / 10 { return max(maximum, 2) }
            step = next
        }
    }
}
