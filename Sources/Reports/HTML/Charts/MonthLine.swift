/// A line of numbers by month, with the band in which each lies.
struct MonthLine {
    struct Point {
        /// `nil` if nothing is decided.
        let value: Int?
        let low: Int
        let high: Int
    }

    let name: String
    let axis: MonthAxis
    /// The months from the first of the axis to its last; `nil` where there is nothing to draw.
    private let points: [Point?]
    /// The index of the month that as-of cuts.
    private let cut: Int?
    /// The greatest number, which may be above the axis.
    let most: Int
    /// The end of the axis.
    private let end: Int
    /// Returns a number in words.
    private let text: (Int) -> String

    /// - Parameters:
    ///   - points: the points by month.
    ///   - cut: the month that as-of cuts.
    ///   - limit: the greatest end of the axis; bands may go on above it.
    init(
        _ name: String, _ points: [Int: Point], cut: Int?, _ axis: MonthAxis, to limit: Int = .max,
        _ text: @escaping (Int) -> String
    ) {
        self.name = name
        self.axis = axis
        self.text = text
        self.points = axis.months.map { points[$0] }
        most = self.points.compactMap { $0.map { max($0.high, $0.value ?? 0) } }.max() ?? 0
        end = MonthAxis.end(min(most, limit))
        self.cut = cut.flatMap { axis.months.firstIndex(of: $0) }
    }

    /// Whether a band goes on above the axis.
    var isClipped: Bool { most > end }

    private func y(_ value: Int) -> Double { axis.y(min(max(value, 0), end), of: end) }
    private func x(_ index: Int) -> Double { axis.left + axis.slot * (Double(index) + 0.5) }

    /// - Parameter tick: returns a number beside the axis.
    func draw(in svg: inout SVG, _ tick: (Int) -> String) {
        axis.draw(to: end, tick, in: &svg)
        let half = min(axis.slot, 28) / 2
        if let cut { axis.hatch(cut, in: &svg) }
        for (index, point) in points.enumerated() {
            guard let point else { continue }
            svg.rect(x(index) - half, y(point.high), 2 * half, y(point.low) - y(point.high), "band")
            // Where it goes on, its edge is open.
            if point.high > end { svg.line(x(index) - half, axis.top, to: x(index) + half, axis.top, "open") }
        }
        var line: [(x: Double, y: Double)] = []
        for (index, point) in points.enumerated() {
            if let value = point?.value, index != cut {
                line.append((x(index), y(value)))
            } else {
                svg.polyline(line, "rate")
                line = []
            }
        }
        svg.polyline(line, "rate")
        for (index, point) in points.enumerated() {
            guard let point else { continue }
            if let value = point.value, isAlone(index) { svg.rect(x(index) - 2.5, y(value) - 2.5, 5, 5, "first") }
            svg.rect(
                x(index) - half, axis.top, 2 * half, axis.bottom - axis.top, "tip",
                title: "\(MonthAxis.label(axis.months[index])): \(sentence(of: point))"
                    + (index == cut ? "; the month is not over" : ""))
        }
        var legend: [MonthAxis.LegendEntry] = [(name, "first", .solid)]
        if points.contains(where: { $0.map { $0.low < $0.high } ?? false }) {
            legend.append(("from the least to the most", "band", .solid))
        }
        if cut != nil { legend.append(MonthAxis.cutEntry) }
        MonthAxis.legend(legend, in: &svg)
    }

    /// Whether no line leads to a point. None leads to that of a month that is not over: it would end in a fall.
    private func isAlone(_ index: Int) -> Bool {
        let isOnLine = { (index: Int) in index != cut && points.indices.contains(index) && points[index]?.value != nil }
        return !isOnLine(index) || !isOnLine(index - 1) && !isOnLine(index + 1)
    }

    private func sentence(of point: Point) -> String {
        let value = point.value.map { text($0) + " " + name } ?? name + " not known"
        return value + (point.low < point.high ? ", \(text(point.low)) to \(text(point.high))" : "")
    }
}
