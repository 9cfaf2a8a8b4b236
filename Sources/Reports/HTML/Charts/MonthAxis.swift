import Encodings

/// The months below a drawing and the numbers beside it.
struct MonthAxis {
    /// The maximum number of months to draw, the latest ones.
    private static let maxMonths = 24

    /// The edges of the area in which numbers are drawn.
    let left = 44.0
    let right = 356.0
    let top = 8.0
    let bottom = 160.0
    /// The numbers of the months, without gaps.
    let months: [Int]
    /// What is said if months before them are not drawn.
    let note: String

    /// - Returns: `nil` if there are no months.
    init?(_ known: [Int]) {
        guard let first = known.min(), let last = known.max() else { return nil }
        months = Array(max(first, last - Self.maxMonths + 1)...last)
        note = first < months[0] ? "The last \(Self.maxMonths) months." : ""
    }

    /// The width of a month.
    var slot: Double { (right - left) / Double(months.count) }

    /// The first and the last month in words.
    var span: String { "months \(Self.label(months[0])) to \(Self.label(months[months.count - 1]))" }

    /// Returns the height at which a number is drawn on an axis that ends at another.
    func y(_ value: Int, of end: Int) -> Double { bottom - (bottom - top) * Double(value) / Double(end) }

    /// Converts a month to a number; ``label(_:)`` converts it back.
    static func number(_ text: String) -> Int? {
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

    /// Formats thousandths as a share.
    static func share(_ thousandths: Int) -> String {
        (thousandths % 10 == 0 ? String(thousandths / 10) : Summary.Cell.decimal(thousandths, digits: 1)) + " %"
    }

    /// Draws the axes, with labels at as many months as fit.
    func draw(to end: Int, _ text: (Int) -> String, in svg: inout SVG) {
        for tick in 0...2 {
            let y = bottom - (bottom - top) * Double(tick) / 2
            svg.line(left, y, to: right, y)
            svg.text(left - 5, y + 4, text(end / 2 * tick), "quiet end")
        }
        let step = max(1, Int((56 / slot).rounded(.up)))
        for (index, month) in months.enumerated() where index % step == 0 {
            let x = left + slot * (Double(index) + 0.5)
            // The last label ends at the end of the axis.
            if x + 24 <= 360 { svg.text(x, bottom + 17, Self.label(month), "quiet middle") }
        }
    }

    typealias LegendEntry = (name: String, style: String, fill: SVG.Fill)

    /// The legend of the month that as-of cuts.
    static let cutEntry: LegendEntry = ("not over", "cut", .hatched)

    /// Hatches the month that as-of cuts.
    func hatch(_ index: Int, in svg: inout SVG) {
        svg.rect(left + slot * Double(index), top, slot, bottom - top, "cut", .hatched)
    }

    /// Draws the legend, on one line if it fits.
    static func legend(_ entries: [LegendEntry], in svg: inout SVG) {
        var (x, y) = (0.0, 192.0)
        for entry in entries {
            let width = 32 + 6.8 * Double(entry.name.count)
            if x > 0, x + width > 372 { (x, y) = (0, y + 18) }
            svg.rect(x, y, 12, 12, entry.style, entry.fill)
            svg.text(x + 18, y + 10, entry.name)
            x += width
        }
    }

    /// Returns the smallest even number with one non-zero digit that is at least the maximum: the axis is halved.
    static func end(_ maximum: Int) -> Int {
        var step = 2
        while true {
            for factor in [1, 2, 3, 4, 5] where factor * step >= maximum { return factor * step }
            let (next, overflow) = step.multipliedReportingOverflow(by: 10)
            if overflow || next > Int.max / 10 { return max(maximum, 2) }
            step = next
        }
    }
}
