import Encodings
import Subscriptions

/// Draws an amount by month in one currency as a line, with the band up to the most that it can be.
///
/// The unknown part may be many times the known one. So the axis has room for the known amounts and a quarter more, and
/// the note says how far a band goes on above it.
enum MoneyLine {
    /// Returns the charts of an amount, one for each currency.
    static func charts(_ amounts: [AmountByMonth], _ title: String, id: String, asOf: Instant?) -> [Chart] {
        amounts.compactMap { amount in
            let months = Dictionary(
                amount.months.compactMap { month in MonthAxis.number(month.month).map { ($0, month) } },
                uniquingKeysWith: { first, _ in first })
            guard let axis = MonthAxis(Array(months.keys)) else { return nil }
            let currency = amount.currency
            // A month without a row has no amount.
            let nothing = AmountByMonth.Month(month: "", value: 0, low: 0, high: 0)
            let shown = axis.months.map { months[$0] ?? nothing }
            let known = shown.map(\.value).max() ?? 0
            let points = zip(axis.months, shown).map {
                ($0, MonthLine.Point(value: Int($1.value), low: Int($1.low), high: Int($1.high)))
            }
            let line = MonthLine(
                title, Dictionary(points) { first, _ in first },
                cut: asOf.map { MonthAxis.number(Month($0).description) } ?? nil, axis,
                to: known > 0 ? Int(known.addingSaturating(known / 4)) : .max
            ) { CurrencyDecimals.text(Int64($0), currency) }
            let caption = "\(title), \(currency.text)"
            var svg = SVG(
                id: "\(id)-\(currency.text)", title: "\(caption); \(axis.span)", width: 360, height: 226)
            line.draw(in: &svg, short)
            let clipped =
                line.isClipped
                ? "The band goes on above the axis, to \(CurrencyDecimals.text(Int64(line.most), currency)) at most."
                : ""
            let negative = shown.contains { $0.value < 0 } ? "Months below 0 are drawn as 0." : ""
            let notes = [axis.note, clipped, negative].filter { !$0.isEmpty }
            return Chart(caption, svg, note: notes.joined(separator: " "))
        }
    }

    /// Returns an amount beside an axis: `500`, `15 k`, `1.5 M`.
    private static func short(_ millionths: Int) -> String {
        for (unit, name) in [(1_000_000, " M"), (1000, " k"), (1, "")] where millionths / 1_000_000 >= 10 * unit {
            return scaled(millionths / unit, name)
        }
        return scaled(millionths, "")
    }

    private static func scaled(_ millionths: Int, _ name: String) -> String {
        let tenths = millionths / 100_000
        return (tenths % 10 == 0 ? String(tenths / 10) : Summary.Cell.decimal(tenths, digits: 1)) + name
    }
}
