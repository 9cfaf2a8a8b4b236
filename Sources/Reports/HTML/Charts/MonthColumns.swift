/// Numbers by month: columns, one above the other or side by side.
enum MonthColumns {
    /// So many months fit, the latest.
    private static let most = 24

    /// What is drawn of a section; of another all that is counted. Parts are drawn rather than what they are parts of,
    /// beside which they would not be seen.
    private static let drawn = [
        "subscription_trial_conversion": ["trials_converted", "trials_lost", "trials_not_refreshed"],
        "subscription_churn": ["lost", "resubscribed", "not_refreshed"],
    ]

    struct Series {
        let name: String
        let style: String
        let fill: SVG.Fill
        /// By month.
        let values: [Int: Int]
    }

    /// - Returns: `nil` if the section has no months, or nothing to count by them.
    static func chart(_ section: Summary.Section, isStacked: Bool) -> Chart? {
        guard section.columns.first == "month" else { return nil }
        let months = section.rows.map { number($0.first?.plainText ?? "") }
        let known = months.compactMap { $0 }
        let series = series(section, months, isStacked ? verdictLooks : looks)
        guard let first = known.min(), let last = known.max(), !series.isEmpty else { return nil }
        let shown = Array(max(first, last - most + 1)...last)
        let title =
            "\(section.title): \(series.map(\.name).joined(separator: ", ")) by month, \(label(shown[0])) to \(label(last))"
        var svg = SVG(id: section.id, title: title, width: 360, height: 226)
        draw(series, shown, isStacked: isStacked, in: &svg)
        let note = first < shown[0] ? "The last \(most) months." : ""
        return Chart("\(section.title): \(series.map(\.name).joined(separator: ", "))", svg, note: note)
    }

    private typealias Look = (style: String, fill: SVG.Fill)

    /// For what is good or bad, and for what is neither.
    private static let verdictLooks: [Look] = [("good", .solid), ("bad", .hatched)]
    private static let looks: [Look] = [("first", .solid), ("second", .hatched), ("third", .dotted)]

    private static func series(_ section: Summary.Section, _ months: [Int?], _ looks: [Look]) -> [Series] {
        let wanted = drawn[section.id]
        let columns = section.columns.indices.dropFirst().filter { column in
            guard wanted?.contains(section.columns[column]) ?? true else { return false }
            return section.rows.contains { column < $0.count && $0[column].count != nil }
        }
        return zip(columns, looks).map { column, look in
            var values: [Int: Int] = [:]
            for (month, row) in zip(months, section.rows) {
                guard let month, column < row.count, let count = row[column].count else { continue }
                values[month, default: 0] += max(count, 0)
            }
            return Series(
                name: section.columns[column].replacing("_", with: " "), style: look.style, fill: look.fill,
                values: values)
        }
    }

    /// A month as a number, and back.
    private static func number(_ text: String) -> Int? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard parts.count == 2, (0...9999).contains(parts[0]), (1...12).contains(parts[1]) else { return nil }
        return parts[0] * 12 + parts[1] - 1
    }

    static func label(_ month: Int) -> String {
        let (year, rest) = month.quotientAndRemainder(dividingBy: 12)
        let digits = String(year)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + (rest < 9 ? "-0" : "-")
            + String(rest + 1)
    }
}
