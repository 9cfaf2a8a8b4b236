import Checks
import Encodings
import Files
import Rules

/// The summary on one sheet: charts on top, below them its tables, one under the other.
///
/// The charts are made of the tables' cells, so that who changes a number sees the chart change.
final class SummarySheet {
    private let sheet: WorkbookSheet
    private var row = 0
    /// Where the rows of each section begin.
    private var starts: [String: Int] = [:]

    /// How many rows of a section are shown: thousands of products are for the data formats.
    private static let maxRows = 5000
    /// What the charts take, in rows.
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
            let isOfNumbers = section.rows.contains { column < $0.count && $0[column].isNumber } && !isMixed
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

    /// In lines that are not wider than the charts, or the sheet would be printed small.
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

    /// Words for severities have their colour wherever they stand.
    private static func style(of code: String, _ column: Int) -> WorkbookStyle {
        Severity(code: ExactText(code)).map { .color($0.color) } ?? Verdict(rawValue: code).map { .color($0.color) }
            ?? (column > 0 ? .indented : .plain)
    }
}

extension Summary.Section {
    /// Whether there are numbers and words in one column.
    fileprivate var isMixed: Bool {
        columns.indices.contains { column in
            let cells = rows.lazy.compactMap { column < $0.count && !$0[column].isNone ? $0[column] : nil }
            return cells.contains { $0.isNumber } && cells.contains { !$0.isNumber }
        }
    }
}

extension Summary.Cell {
    fileprivate var isNumber: Bool {
        switch self {
        case .number, .share, .money: true
        case .none, .text, .code, .date: false
        }
    }
}
