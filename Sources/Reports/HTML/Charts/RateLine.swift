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

    /// - Returns: `nil` if the section has no such rate, or no month of it.
    static func chart(_ section: Summary.Section) -> Chart? {
        guard let rate = rates[section.id], let column = section.columns.firstIndex(of: rate.share) else { return nil }
        let unknown = section.columns.firstIndex(of: rate.unknown)
        var points: [Int: MonthLine.Point] = [:]
        for row in section.rows where column < row.count {
            guard let month = row.first.flatMap({ MonthAxis.number($0.plainText) }) else { continue }
            points[month] = point(row[column], unknown.flatMap { $0 < row.count ? row[$0].count : nil } ?? 0, rate)
        }
        guard let axis = MonthAxis(Array(points.keys)) else { return nil }
        let line = MonthLine(
            rate.share.replacing("_", with: " "), points, cut: section.cutMonth, axis, MonthAxis.share)
        var svg = SVG(id: section.id, title: "\(section.title); \(axis.span)", width: 360, height: 226)
        line.draw(in: &svg, MonthAxis.share)
        return Chart(section.title, svg, note: axis.note)
    }

    private static func point(_ cell: Summary.Cell, _ unknown: Int, _ rate: Rate) -> MonthLine.Point? {
        guard case .share(let part, let decided) = cell, part >= 0, unknown >= 0 else { return nil }
        let (most, isBeyond) = part.addingReportingOverflow(unknown)
        let (sum, isGreater) = decided.addingReportingOverflow(rate.isInWhole ? 0 : unknown)
        guard !isBeyond, !isGreater, sum > 0 else { return nil }
        let share = { (part: Int, whole: Int) in Figure.Value.share(part, of: whole).thousandths }
        return MonthLine.Point(
            value: share(part, decided), low: share(part, sum) ?? 0, high: share(min(most, sum), sum) ?? 0)
    }
}
