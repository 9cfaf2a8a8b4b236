import Subscriptions

/// Draws a rate by month as a line, with the band in which it lies whatever became of what is not known.
enum RateLine {
    /// A column of shares, and the column that counts of how many nobody knows whether they are parts of it.
    private struct Rate {
        let share: String
        let unknown: String
        /// Whether the whole of the share contains them.
        var isInWhole = false
    }

    private static let rates = [
        "subscription_trial_conversion": Rate(share: "conversion", unknown: "trials_not_refreshed"),
        "subscription_churn": Rate(share: "churn", unknown: "not_refreshed"),
        "subscription_refund_rate": Rate(share: "refund_rate", unknown: "taken_back_unknown", isInWhole: true),
    ]

    /// A month of a rate, in thousandths.
    private struct Point {
        /// `nil` if nothing is decided.
        let value: Int?
        let low: Int
        let high: Int
    }

    /// - Returns: `nil` if the section has no such rate, or no month of it.
    static func chart(_ section: Summary.Section) -> Chart? {
        guard let rate = rates[section.id], let column = section.columns.firstIndex(of: rate.share) else { return nil }
        let unknown = section.columns.firstIndex(of: rate.unknown)
        var points: [Int: Point] = [:]
        var cut: Int?
        for row in section.rows where column < row.count {
            guard let month = row.first.flatMap({ MonthAxis.number($0.plainText) }) else { continue }
            if case .cutMonth = row[0] { cut = month }
            points[month] = point(row[column], unknown.flatMap { $0 < row.count ? row[$0].count : nil } ?? 0, rate)
        }
        guard let axis = MonthAxis(Array(points.keys)) else { return nil }
        let name = rate.share.replacing("_", with: " ")
        var svg = SVG(id: section.id, title: "\(section.title); \(axis.span)", width: 360, height: 226)
        draw(points, cut, axis, name, in: &svg)
        return Chart(section.title, svg, note: axis.note)
    }

    private static func point(_ cell: Summary.Cell, _ unknown: Int, _ rate: Rate) -> Point? {
        guard case .share(let part, let decided) = cell, part >= 0, unknown >= 0 else { return nil }
        let (most, isBeyond) = part.addingReportingOverflow(unknown)
        let (sum, isGreater) = decided.addingReportingOverflow(rate.isInWhole ? 0 : unknown)
        guard !isBeyond, !isGreater, sum > 0 else { return nil }
        let share = { (part: Int, whole: Int) in Figure.Value.share(part, of: whole).thousandths }
        return Point(value: share(part, decided), low: share(part, sum) ?? 0, high: share(min(most, sum), sum) ?? 0)
    }

    private static func draw(
        _ points: [Int: Point], _ cut: Int?, _ axis: MonthAxis, _ name: String, in svg: inout SVG
    ) {
        let drawn = axis.months.map { points[$0] }
        let end = MonthAxis.end(drawn.compactMap { $0.map { max($0.high, $0.value ?? 0) } }.max() ?? 0)
        axis.draw(to: end, MonthAxis.share, in: &svg)
        let x = { (index: Int) in axis.left + axis.slot * (Double(index) + 0.5) }
        let half = min(axis.slot, 28) / 2
        if let cut, let index = axis.months.firstIndex(of: cut) {
            svg.rect(x(index) - axis.slot / 2, axis.top, axis.slot, axis.bottom - axis.top, "cut", .hatched)
        }
        for (index, point) in drawn.enumerated() {
            guard let point else { continue }
            let (low, high) = (axis.y(point.low, of: end), axis.y(point.high, of: end))
            svg.rect(x(index) - half, high, 2 * half, low - high, "band")
        }
        for (index, pair) in zip(drawn, drawn.dropFirst()).enumerated() {
            guard let from = pair.0?.value, let to = pair.1?.value else { continue }
            svg.line(x(index), axis.y(from, of: end), to: x(index + 1), axis.y(to, of: end), "rate")
        }
        for (index, point) in drawn.enumerated() {
            guard let point else { continue }
            let (month, y) = (MonthAxis.label(axis.months[index]), point.value.map { axis.y($0, of: end) })
            if let y { svg.rect(x(index) - 2.5, y - 2.5, 5, 5, "first") }
            let value = point.value.map { MonthAxis.share($0) + " " + name } ?? name + " not known"
            let band =
                point.low < point.high
                ? ", \(MonthAxis.share(point.low)) to \(MonthAxis.share(point.high))" : ""
            let isCut = axis.months[index] == cut ? "; the month is not over" : ""
            svg.rect(
                x(index) - half, axis.top, 2 * half, axis.bottom - axis.top, "tip",
                title: "\(month): \(value)\(band)\(isCut)")
        }
        var legend: [(String, String, SVG.Fill)] = [(name, "first", .solid)]
        if drawn.contains(where: { $0.map { $0.low < $0.high } ?? false }) {
            legend.append(("from the least to the most", "band", .solid))
        }
        if cut.map(axis.months.contains) ?? false { legend.append(("not over", "cut", .hatched)) }
        MonthAxis.legend(legend, in: &svg)
    }
}
