extension MonthColumns {
    private static let (left, right, top, bottom) = (44.0, 356.0, 8.0, 160.0)

    static func draw(_ series: [Series], _ months: [Int], isStacked: Bool, in svg: inout SVG) {
        let sums = months.map { month in
            let values = series.map { $0.values[month] ?? 0 }
            return isStacked ? values.reduce(0, +) : values.max() ?? 0
        }
        let most = axisEnd(sums.max() ?? 0)
        for tick in 0...2 {
            let y = bottom - (bottom - top) * Double(tick) / 2
            svg.line(left, y, to: right, y)
            svg.text(left - 5, y + 4, grouped(most / 2 * tick), "quiet end")
        }
        let slot = (right - left) / Double(months.count)
        let width = min(slot * 0.84, 28)
        let count = series.count
        for (index, month) in months.enumerated() {
            var x = left + slot * Double(index) + (slot - width) / 2
            var base = bottom
            for series in series {
                let value = series.values[month] ?? 0
                let height = (bottom - top) * Double(value) / Double(most)
                let part = isStacked ? width : width / Double(count)
                svg.rect(
                    x, base - height, part, height, series.style, series.fill,
                    title: "\(label(month)): \(grouped(value)) \(series.name)")
                if isStacked { base -= height } else { x += part }
            }
        }
        labels(months, slot: slot, in: &svg)
        legend(series, in: &svg)
    }

    /// As many months as there is room for.
    private static func labels(_ months: [Int], slot: Double, in svg: inout SVG) {
        let step = max(1, Int((56 / slot).rounded(.up)))
        for (index, month) in months.enumerated() where index % step == 0 {
            let x = left + slot * (Double(index) + 0.5)
            // The last label ends where the axis does.
            if x + 24 <= 360 { svg.text(x, bottom + 17, label(month), "quiet middle") }
        }
    }

    private static func legend(_ series: [Series], in svg: inout SVG) {
        for (index, series) in series.enumerated() {
            let x = left + 108 * Double(index)
            svg.rect(x, 192, 12, 12, series.style, series.fill)
            svg.text(x + 18, 202, series.name)
        }
    }

    /// The least even number of one digit and zeros that is not less: the axis is halved.
    private static func axisEnd(_ most: Int) -> Int {
        var step = 2
        while true {
            for factor in [1, 2, 3, 4, 5] where factor * step >= most { return factor * step }
            let (next, overflow) = step.multipliedReportingOverflow(by: 10)
            if overflow || next > Int.max / 10 { return max(most, 2) }
            step = next
        }
    }
}
