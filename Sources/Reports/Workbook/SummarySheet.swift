import Checks
import Encodings
import Files
import Rules

/// Writes the summary on one sheet: charts at the top, its tables below.
///
/// The charts refer to the tables' cells: if a number is edited, the chart follows.
final class SummarySheet {
    private let sheet: WorkbookSheet
    private var row = 0
    /// The first row of each section, by id.
    private var starts: [String: Int] = [:]

    /// The longest table; there may be thousands of products, which CSV and JSON list.
    private static let maxRows = 5000
    /// The height of the charts in rows.
    private static let rowsOfCharts = 16

    init(in book: WorkbookFile) throws(FileError) {
        sheet = try book.addSheet("summary", isInMemory: true)
        try sheet.setWidth(36, ofColumns: 0...0)
        try sheet.setWidth(21, ofColumns: 1...1)
        try sheet.setWidth(14, ofColumns: 2...30)
        sheet.hideGrid()
        sheet.printFitted()
    }

    func write(_ summary: Summary) throws(FileError) {
        try sheet.write("Audit of App Store receipts", row: 0, column: 0, .title)
        try sheet.setHeight(24, ofRow: 0)
        let charts = SummaryChart.charts(for: summary)
        row = charts.isEmpty ? 2 : 3 + Self.rowsOfCharts
        for section in summary.pages { try write(section) }
        for (index, chart) in charts.enumerated() {
            guard let start = starts[chart.section.id] else { continue }
            try chart.insert(
                into: sheet, row: 2, index: index, rows: start..<start + chart.section.rows.prefix(Self.maxRows).count)
        }
    }

    private func write(_ section: Summary.Section) throws(FileError) {
        try sheet.write(section.title, row: row, column: 0, .heading)
        row += 1
        try writeNotes([section.explanation] + section.terms.map { "\($0.name): \($0.meaning)" })
        let isMixed = section.isMixed
        for (column, name) in section.columns.enumerated() {
            let isOfNumbers = section.rows.contains { column < $0.count && $0[column].isNumeric } && !isMixed
            try sheet.write(
                name, row: row, column: column, isOfNumbers ? .numberHeader : column > 0 ? .indentedHeader : .header)
        }
        row += 1
        starts[section.id] = row
        for cells in section.rows.prefix(Self.maxRows) {
            for (column, cell) in cells.enumerated() { try write(cell, column, isAmongWords: isMixed) }
            row += 1
        }
        if section.rows.count > Self.maxRows {
            let rest = grouped(section.rows.count - Self.maxRows)
            try sheet.write("and \(rest) more, which a report in CSV or JSON lists", row: row, column: 0, .note)
            row += 1
        }
        row += 1
    }

    /// Writes lines that are not wider than the charts, or the sheet would be printed small.
    private func writeNotes(_ notes: [String]) throws(FileError) {
        for note in notes where !note.isEmpty {
            for line in TextLayout.wrapped(note, indentation: 0, width: 120) {
                try sheet.write(line, row: row, column: 0, .note)
                row += 1
            }
        }
    }

    private func write(_ cell: Summary.Cell, _ column: Int, isAmongWords: Bool) throws(FileError) {
        switch cell {
        case .none: break
        case .text(let text): try sheet.write(text.text, row: row, column: column, column > 0 ? .indented : .plain)
        case .code(let code): try sheet.write(code, row: row, column: column, Self.style(of: code, column))
        case .number(let number):
            try sheet.write(number, row: row, column: column, isAmongWords ? .leadingCount : .count)
        case .share(_, of: 0): try sheet.write("–", row: row, column: column)
        case .share(let part, let whole):
            try sheet.write(Double(part) / Double(whole), row: row, column: column, .share)
        case .date(let date):
            try sheet.write(date, row: row, column: column, isAmongWords ? .leadingDate : .date)
        case .money(let millionths, let currency):
            if currency.utf8.allSatisfy({ (0x41...0x5a).contains($0) }), currency.utf8.count == 3 {
                try sheet.write(Double(millionths) / 1_000_000, row: row, column: column, .money(currency.text))
            } else {
                try sheet.write(cell.plainText, row: row, column: column)
            }
        }
    }

    /// Returns the style of a word; severities and verdicts have their colours everywhere.
    private static func style(of code: String, _ column: Int) -> WorkbookStyle {
        Severity(code: ExactText(code)).map { .color(WorkbookStyle.color(of: $0)) }
            ?? Verdict(rawValue: code).map { .color(WorkbookStyle.color(of: $0)) } ?? (column > 0 ? .indented : .plain)
    }
}

extension Summary.Section {
    /// Whether a column has numbers and words.
    fileprivate var isMixed: Bool {
        columns.indices.contains { column in
            let cells = rows.lazy.compactMap { column < $0.count && !$0[column].isNone ? $0[column] : nil }
            return cells.contains(where: \.isNumeric) && !cells.allSatisfy(\.isNumeric)
        }
    }
}

/// A chart of a section of the summary.
private struct SummaryChart {
    var kind: WorkbookChart.Kind
    var title: String
    var section: Summary.Section
    var series: [Series]

    struct Series {
        /// The index of the section's column.
        var column: Int
        var color: WorkbookStyle.Color
        /// A colour for each row, if they differ.
        var rowColors: [WorkbookStyle.Color] = []
    }

    /// How many rows are drawn, the last ones.
    private static let maxRows = 36

    /// Returns the charts of the sections that the summary has.
    static func charts(for summary: Summary) -> [SummaryChart] {
        var charts: [SummaryChart] = []
        if let section = summary["verdicts"] {
            let colors = section.rows.map { Verdict(rawValue: $0.first?.plainText ?? "").map(WorkbookStyle.color(of:)) }
            charts.append(bars("Claims by verdict", section, colors))
        }
        if let section = summary["severities"] {
            let colors = section.rows.map { row in
                Severity(code: ExactText(row.first?.plainText ?? "")).map(WorkbookStyle.color(of:))
            }
            charts.append(bars("Findings by severity", section, colors))
        }
        if let section = summary["months"] {
            charts.append(
                SummaryChart(
                    kind: .stackedColumns, title: "Claims by month, the latest 36", section: section,
                    series: [Series(column: 1, color: .good), Series(column: 2, color: .bad)]))
        }
        return charts
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
