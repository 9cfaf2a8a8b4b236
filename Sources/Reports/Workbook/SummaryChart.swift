import Checks
import Encodings
import Files
import Rules

/// A chart of one of the summary's sections.
struct SummaryChart {
    var kind: WorkbookChart.Kind
    var title: String
    var section: Summary.Section
    var series: [Series]

    struct Series {
        /// The section's column.
        var column: Int
        var color: WorkbookStyle.Color
        /// A colour for each row, if they differ.
        var rowColors: [WorkbookStyle.Color] = []
    }

    /// So many rows are drawn, the last ones.
    private static let maxRows = 36

    /// The charts that can be made of the sections that are there.
    static func charts(for summary: Summary) -> [SummaryChart] {
        var charts: [SummaryChart] = []
        if let section = summary["verdicts"] {
            let colors = section.rows.map { Verdict(rawValue: $0.first?.plainText ?? "")?.color ?? .faint }
            charts.append(
                SummaryChart(
                    kind: .columns, title: "Claims by verdict", section: section,
                    series: [Series(column: 1, color: .faint, rowColors: colors)]))
        }
        if let section = summary["severities"] {
            let colors = section.rows.map { Severity(code: ExactText($0.first?.plainText ?? ""))?.color ?? .faint }
            charts.append(
                SummaryChart(
                    kind: .columns, title: "Findings by severity", section: section,
                    series: [Series(column: 1, color: .faint, rowColors: colors)]))
        }
        if let section = summary["months"] {
            charts.append(
                SummaryChart(
                    kind: .stackedColumns, title: "Claims by month, the latest 36", section: section,
                    series: [Series(column: 1, color: .good), Series(column: 2, color: .bad)]))
        }
        return charts
    }

    /// - Parameters:
    ///   - index: which chart from the left it is.
    ///   - rows: where the section's rows stand on the sheet.
    func insert(into sheet: WorkbookSheet, row: Int, index: Int, rows: Range<Int>) throws(FileError) {
        let chart = try WorkbookChart(kind, title: title, in: sheet.book)
        let drawn = max(rows.lowerBound, rows.upperBound - Self.maxRows)..<rows.upperBound
        for series in series {
            chart.add(
                sheet: sheet.name, rows: drawn, column: series.column, name: section.columns[series.column],
                color: series.color, colors: series.rowColors)
        }
        if series.count == 1 { chart.hideLegend() }
        try chart.insert(into: sheet, row: row, offset: index * 420)
    }
}
