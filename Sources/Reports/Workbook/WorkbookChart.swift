private import CXLSXWriter
import Files

/// A chart of columns or lines that shows cells of a sheet.
@safe struct WorkbookChart {
    enum Kind {
        case columns
        case stackedColumns
        case lines
    }

    private let kind: Kind
    private let chart: UnsafeMutablePointer<lxw_chart>

    /// The library's size of an unscaled chart, in pixels.
    private static let (width, height) = (480.0, 288.0)

    /// - Parameter isShare: whether its numbers are parts of a whole, in percent.
    init(_ kind: Kind, title: String, isShare: Bool, in book: WorkbookFile) throws(FileError) {
        let type =
            switch kind {
            case .columns: LXW_CHART_COLUMN
            case .stackedColumns: LXW_CHART_COLUMN_STACKED
            case .lines: LXW_CHART_LINE
            }
        self.kind = kind
        unsafe chart = unsafe try book.addChart(type)
        unsafe chart_title_set_name(chart, title)
        var font = unsafe lxw_chart_font()
        unsafe font.size = 12
        unsafe font.bold = 1
        unsafe chart_title_set_name_font(chart, &font)
        unsafe chart_set_series_gap(chart, 60)
        unsafe chart_legend_set_position(chart, UInt8(LXW_CHART_LEGEND_BOTTOM.rawValue))
        var line = lxw_chart_line()
        line.color = 0xd9d9d9
        line.width = 0.75
        unsafe chart_axis_major_gridlines_set_line(chart.pointee.y_axis, &line)
        unsafe chart_axis_set_num_format(chart.pointee.y_axis, isShare ? "0%" : "#,##0")
    }

    /// Adds a series: names from the first column of these rows, numbers from another one.
    func add(
        sheet: String, rows: Range<Int>, column: Int, name: String, color: WorkbookStyle.Color,
        colors: [WorkbookStyle.Color]
    ) {
        guard let series = unsafe chart_add_series(chart, nil, nil) else { return }
        let (first, last) = (lxw_row_t(rows.lowerBound), lxw_row_t(max(rows.lowerBound, rows.upperBound - 1)))
        unsafe chart_series_set_categories(series, sheet, first, 0, last, 0)
        unsafe chart_series_set_values(series, sheet, first, lxw_col_t(column), last, lxw_col_t(column))
        unsafe chart_series_set_name(series, name)
        if kind == .lines {
            var line = lxw_chart_line()
            line.color = color.bar
            line.width = 2
            unsafe chart_series_set_line(series, &line)
            return
        }
        var fill = lxw_chart_fill()
        fill.color = color.bar
        unsafe chart_series_set_fill(series, &fill)
        if !colors.isEmpty {
            unsafe chart_series_set_labels(series)
            unsafe chart_series_set_labels_num_format(series, "#,##0")
            unsafe setColors(colors, of: series)
        }
    }

    /// Sets the colour of each point. The library copies the points.
    private func setColors(_ colors: [WorkbookStyle.Color], of series: UnsafeMutablePointer<lxw_chart_series>) {
        let fills = UnsafeMutableBufferPointer<lxw_chart_fill>.allocate(capacity: colors.count)
        let points = UnsafeMutableBufferPointer<lxw_chart_point>.allocate(capacity: colors.count)
        defer {
            unsafe fills.deallocate()
            unsafe points.deallocate()
        }
        var list: [UnsafeMutablePointer<lxw_chart_point>?] = unsafe []
        for (index, color) in colors.enumerated() {
            unsafe fills.initializeElement(at: index, to: lxw_chart_fill(color: color.bar, none: 0, transparency: 0))
            unsafe points.initializeElement(
                at: index,
                to: lxw_chart_point(line: nil, fill: fills.baseAddress.map { unsafe $0 + index }, pattern: nil))
            unsafe list.append(points.baseAddress.map { unsafe $0 + index })
        }
        unsafe list.append(nil)
        // It fails only if memory runs out, and then the points have the series' colour.
        _ = unsafe chart_series_set_points(series, &list)
    }

    func hideLegend() { unsafe chart_legend_set_position(chart, UInt8(LXW_CHART_LEGEND_NONE.rawValue)) }

    /// - Parameter offset: the distance from the left, in pixels.
    func insert(into sheet: WorkbookSheet, row: Int, offset: Int) throws(FileError) {
        unsafe try sheet.insert(chart, row: row, offset: offset, scale: (320 / Self.width, 300 / Self.height))
    }
}
