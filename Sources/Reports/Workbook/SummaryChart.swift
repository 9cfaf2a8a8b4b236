import Checks
import Encodings
import Files
import Rules

/// A chart of a section of the summary.
struct SummaryChart {
    var kind: WorkbookChart.Kind
    var title: String
    var section: Summary.Section
    var series: [Series]
    /// Whether it shows parts of a whole.
    var isShare = false

    struct Series {
        /// The index of the section's column.
        var column: Int
        var color: WorkbookStyle.Color
        /// A colour for each row, if they differ.
        var rowColors: [WorkbookStyle.Color] = []
    }

    /// The number of rows to draw, the last ones: the months of a year.
    private static let maxRows = 12

    /// Returns the charts of sections: four at most, because more give no overview.
    static func charts(of sections: [Summary.Section]) -> [SummaryChart] {
        sections.compactMap { section -> SummaryChart? in
            switch section.id {
            case "presented":
                // Counts would follow the number of claims.
                var chart = months(section.title + " (share, the latest 12)", section, [(5, .bad)])
                chart?.isShare = true
                return chart
            case "classes":
                let colors: [WorkbookStyle.Color] = [.good, .mild, .bad, .doubtful]
                return bars("Claims", section, colors)
            case "verdicts" where !sections.contains { $0.id == "classes" }:
                let colors = section.rows.map {
                    Verdict(rawValue: $0.first?.plainText ?? "").map(WorkbookStyle.color(of:))
                }
                return bars("Claims by verdict", section, colors)
            case "severities":
                let colors = section.rows.map { row in
                    Severity(code: ExactText(row.first?.plainText ?? "")).map(WorkbookStyle.color(of:))
                }
                return bars("Findings by severity", section, colors)
            case "months" where !sections.contains { $0.id == "presented" }:
                return months("Claims by month, the latest 12", section, [(1, .good), (2, .bad)])
            case "subscription_churn":
                let series: [(String, WorkbookStyle.Color)] = [
                    ("churn", .bad), ("churn_low", .faint), ("churn_high", .faint),
                ]
                let drawn = series.compactMap { name, color in section.columns.firstIndex(of: name).map { ($0, color) }
                }
                guard drawn.count == series.count else { return nil }
                var chart = months("Churn by month, the latest 12", section, drawn)
                chart?.kind = .lines
                chart?.isShare = true
                return chart
            default: return nil
            }
        }
    }

    private static func months(
        _ title: String, _ section: Summary.Section, _ series: [(Int, WorkbookStyle.Color)]
    ) -> SummaryChart? {
        guard !section.rows.isEmpty, series.allSatisfy({ $0.0 < section.columns.count }) else { return nil }
        return SummaryChart(
            kind: .stackedColumns, title: title, section: section,
            series: series.map { Series(column: $0.0, color: $0.1) })
    }

    private static func bars(
        _ title: String, _ section: Summary.Section, _ colors: [WorkbookStyle.Color?]
    ) -> SummaryChart {
        let series = Series(column: 1, color: .faint, rowColors: colors.map { $0 ?? .faint })
        return SummaryChart(kind: .columns, title: title, section: section, series: [series])
    }

    /// - Parameters:
    ///   - index: the index of the chart from the left.
    ///   - rows: the section's rows on the sheet.
    func insert(into sheet: WorkbookSheet, row: Int, index: Int, rows: Range<Int>) throws(FileError) {
        let chart = try WorkbookChart(kind, title: title, isShare: isShare, in: sheet.book)
        let drawn = max(rows.lowerBound, rows.upperBound - Self.maxRows)..<rows.upperBound
        for series in series {
            chart.add(
                sheet: sheet.name, rows: drawn, column: series.column, name: section.chartName(ofColumn: series.column),
                color: series.color, colors: series.rowColors)
        }
        if series.count == 1 { chart.hideLegend() }
        try chart.insert(into: sheet, row: row, offset: index * 335)
    }
}
