import Checks
import Encodings
import Engine
import Files
import Rules

/// Writes the first sheet of a workbook: charts at the top, then what to look at first, then the tables of the summary.
///
/// The charts refer to the tables' cells: if a number is edited, the chart follows.
final class OverviewSheet {
    private let sheet: WorkbookSheet
    private var row = 0
    /// The first row of each section, by id.
    private var starts: [String: Int] = [:]
    /// The titles of all parts, in order, with their rows.
    private var parts: [(title: String, row: Int)] = []

    /// The maximum number of rows of a table: there may be thousands of products, which CSV and JSON list.
    private static let maxRows = 5000
    /// The height of the charts in rows.
    private static let rowsOfCharts = 16
    /// The columns on paper: those of the widest table above the figures.
    private static let printedColumns = 13
    /// The maximum number of findings and of entities here.
    private static let maxTop = 10

    init(_ name: String, in book: WorkbookFile) throws(FileError) {
        sheet = try book.addSheet(name, isInMemory: true)
        try sheet.setWidth(36, ofColumns: 0...0)
        try sheet.setWidth(21, ofColumns: 1...1)
        try sheet.setWidth(14, ofColumns: 2...30)
        sheet.hideGrid()
        sheet.printFitted()
    }

    /// Writes only the summary.
    func write(_ summary: Summary) throws(FileError) {
        try begin("Audit of App Store receipts", [])
        let charts = SummaryChart.charts(of: summary.pages)
        leaveSpace(for: charts)
        for section in summary.pages { try write(section) }
        try insert(charts)
    }

    /// Writes the first screen of a page, with links to the tables, and then the summary.
    func write(_ document: ReportDocument, _ tables: [TableSheets], _ places: WorkbookPlaces) throws {
        try begin(document.title, document.verdict)
        let first = [document.classes, document.presented].compactMap { $0 }
        let sections = first + document.summary.pages
        let charts = SummaryChart.charts(of: sections)
        leaveSpace(for: charts)
        let sectionsAbove = ["reviews", "checks"]
        let rest = document.summary.pages.filter { !sectionsAbove.contains($0.id) }
        let figures = Self.lastYears(document.summary) + rest
        try write(tables)
        let contents = try leaveSpace(forContents: figures)
        if document.withChange { try writeNews(document, places) }
        for section in [document.summary["reviews"], document.classes, document.summary["checks"]] {
            if let section { try write(section) }
        }
        try writeEntities(document, places)
        try writeRules(document, places)
        try writeDoubts(document, places)
        if let months = document.presented { try write(months) }
        for section in document.completenessSections() { try write(section) }
        // Paper has what a page has on its first screen. The figures below are many pages.
        try sheet.printOnly(columns: Self.printedColumns, rows: row)
        for section in figures { try write(section) }
        try writeContents(at: contents)
        try insert(charts)
    }

    private func begin(_ title: String, _ sentences: [String]) throws(FileError) {
        try sheet.write(title, row: 0, column: 0, .title)
        try sheet.setHeight(24, ofRow: 0)
        row = 1
        for sentence in sentences {
            for line in Self.noteLines(of: sentence) {
                try sheet.write(line, row: row, column: 0)
                row += 1
            }
        }
        row += 1
    }

    private var rowOfCharts = 0

    private func leaveSpace(for charts: [SummaryChart]) {
        rowOfCharts = row
        if !charts.isEmpty { row += Self.rowsOfCharts + 1 }
    }

    private func insert(_ charts: [SummaryChart]) throws(FileError) {
        for (index, chart) in charts.enumerated() {
            guard let start = starts[chart.section.id] else { continue }
            try chart.insert(
                into: sheet, row: rowOfCharts, index: index,
                rows: start..<start + chart.section.rows.prefix(Self.maxRows).count)
        }
    }

    /// Lists the other sheets.
    private func write(_ tables: [TableSheets]) throws(FileError) {
        try head("Sheets", "A blue cell links to what it names. Filter rather than sort: links do not move with rows.")
        try header(["sheet", "rows", "what"], numbers: 1..<2)
        for table in tables {
            try sheet.write(table.name, row: row, column: 0, leadingTo: .init(sheet: table.name, row: 0))
            try sheet.write(table.count, row: row, column: 1, .count)
            let links = table.hasTooManyLinks ? "Only the first rows have links: a sheet cannot have more." : nil
            let what = [Self.purposes[table.name], table.omission, links].compactMap { $0 }.joined(separator: " ")
            try sheet.write(what, row: row, column: 2, .indented)
            row += 1
        }
        row += 1
    }

    private func writeNews(_ document: ReportDocument, _ places: WorkbookPlaces) throws {
        guard let news = try document.news(Self.maxTop) else { return try head(document.findings.noNewsText, "") }
        try write(news, places)
    }

    private func writeEntities(_ document: ReportDocument, _ places: WorkbookPlaces) throws(FileError) {
        guard document.entities.count > 0 else { return }
        let top = document.entities.section(Self.maxTop, rest: "more are in the sheet Entities")
        for section in [top] + document.entities.sectionsOfKinds {
            try write(
                section.only(["id", "kind", "worst", "score", "findings", "claims", "at stake", "rules"]), places)
        }
    }

    private func writeRules(_ document: ReportDocument, _ places: WorkbookPlaces) throws {
        guard document.findings.count > 0 else { return }
        if let apps = try document.appTotals() { try write(apps) }
        let table = try document.appRules(6)
        try head("Findings by rule and app", "")
        let columns = table.columns.map { Self.lines(of: $0.visibleText) }
        try sheet.setHeight(Double(columns.map(\.count).max() ?? 1) * 15, ofRow: row)
        try header(columns.map { $0.joined(separator: "\n") }, numbers: 1..<columns.count)
        for (cells, rule) in zip(table.rows, document.findings.byRule) {
            try write(cells[0].visibleText, 0, leadingTo: places.firstFinding(rule.rule))
            for (column, cell) in cells.enumerated().dropFirst() { try write(cell, column, isAmongWords: false) }
            row += 1
        }
        row += 1
    }

    /// Lists products with findings, and uncertain findings.
    private func writeDoubts(_ document: ReportDocument, _ places: WorkbookPlaces) throws {
        if let products = try document.affectedProducts() { try write(products) }
        if let alarms = document.falseAlarms { try write(alarms, places) }
    }

    /// The last twelve months of churn. The full table would push them below many years.
    private static func lastYears(_ summary: Summary) -> [Summary.Section] {
        guard var churn = summary["subscription_churn"], churn.rows.count > 12 else { return [] }
        churn.id += "_last"
        churn.title = "Churn, the last twelve months"
        churn.rows = churn.rows.suffix(12)
        return [churn]
    }

    /// The number of links per row, and the maximum number of parts in addition to sections.
    private static let (contentsPerRow, maxParts) = (3, 13)

    /// Reserves space for links to the following parts. The links are written once the rows are known.
    ///
    /// - Returns: the first row, and the number of parts before it.
    private func leaveSpace(forContents sections: [Summary.Section]) throws(FileError) -> (row: Int, parts: Int) {
        try head("In this sheet", "")
        defer { row += (sections.count + Self.maxParts - 1) / Self.contentsPerRow + 2 }
        return (row, parts.count)
    }

    private func writeContents(at first: (row: Int, parts: Int)) throws(FileError) {
        for (index, part) in parts.dropFirst(first.parts).enumerated() {
            let (line, column) = index.quotientAndRemainder(dividingBy: Self.contentsPerRow)
            // Titles are wider than a column.
            let place = WorkbookSheet.Place(sheet: sheet.name, row: part.row)
            try sheet.write(part.title, row: first.row + line, column: column * 2, leadingTo: place)
        }
    }

    private func write(_ text: String, _ column: Int, leadingTo place: WorkbookSheet.Place?) throws(FileError) {
        if let place {
            try sheet.write(text, row: row, column: column, leadingTo: place)
        } else {
            try sheet.write(text, row: row, column: column, .identifier)
        }
    }

    /// Returns a text that does not make the printed page too wide.
    private func shortened(_ text: String) -> String { text.count > 100 ? text.prefix(100) + "…" : text }

    private func head(_ title: String, _ explanation: String) throws(FileError) {
        parts.append((title, row))
        try sheet.write(title, row: row, column: 0, .heading)
        row += 1
        try writeNotes([explanation])
    }

    /// - Parameter numbers: the columns of numbers.
    private func header(_ columns: [String], numbers: Range<Int>) throws(FileError) {
        for (column, name) in columns.enumerated() {
            let style: WorkbookStyle =
                numbers.contains(column) ? .numberHeader : column > 0 ? .indentedHeader : .header
            try sheet.write(name, row: row, column: column, style)
        }
        row += 1
    }

    /// - Parameter places: where cells with names lead.
    private func write(_ section: Summary.Section, _ places: WorkbookPlaces? = nil) throws(FileError) {
        parts.append((section.title, row))
        try sheet.write(section.title, row: row, column: 0, .heading)
        row += 1
        try writeNotes([section.explanation] + section.terms.map { "\($0.name): \($0.meaning)" })
        let isMixed = section.leads.isEmpty && section.isMixed
        for (column, name) in section.columns.enumerated() {
            let isOfNumbers = section.rows.contains { column < $0.count && $0[column].isNumeric } && !isMixed
            try sheet.write(
                isOfNumbers ? name.replacing("_", with: " ") : name, row: row, column: column,
                isOfNumbers ? .numberHeader : column > 0 ? .indentedHeader : .header)
        }
        // Names of numbers wrap.
        if section.columns.contains(where: { $0.count > 14 }) { try sheet.setHeight(30, ofRow: row) }
        row += 1
        starts[section.id] = row
        for (line, cells) in section.rows.prefix(Self.maxRows).enumerated() {
            for (column, cell) in cells.enumerated() {
                if let lead = section.lead(line, column), let places {
                    try write(Self.shownName(cell.visibleText), column, leadingTo: places.place(lead))
                } else if let places, section.columns[column] == "rule" {
                    try write(cell.visibleText, column, leadingTo: places.rule(ExactText(cell.plainText)))
                } else if section.columns[column] == "evidence" {
                    try sheet.write(shortened(cell.visibleText), row: row, column: column, .indented)
                } else {
                    try write(cell, column, isAmongWords: isMixed)
                }
            }
            row += 1
        }
        let hidden = section.rows.count - Self.maxRows
        if let rest = section.rest ?? (hidden > 0 ? "and \(grouped(hidden)) more: see \(section.source)" : nil) {
            try sheet.write(rest.replacing("`", with: ""), row: row, column: 0, .note)
            row += 1
        }
        row += 1
    }

    /// Breaks a text into lines that are not wider than the charts, because the sheet would be printed small.
    private static func noteLines(of text: String) -> [String] {
        TextLayout.wrapped(text.replacing("`", with: ""), indentation: 0, width: 120)
    }

    private func writeNotes(_ notes: [String]) throws(FileError) {
        for note in notes where !note.isEmpty {
            for line in Self.noteLines(of: note) {
                try sheet.write(line, row: row, column: 0, .note)
                row += 1
            }
        }
    }

    private func write(_ cell: Summary.Cell, _ column: Int, isAmongWords: Bool) throws(FileError) {
        switch cell {
        case .none: break
        case .text(let text): try sheet.write(text.text, row: row, column: column, column > 0 ? .indented : .identifier)
        case .code(let code): try sheet.write(code, row: row, column: column, Self.style(of: code, column))
        case .number(let number):
            try sheet.write(number, row: row, column: column, isAmongWords ? .leadingCount : .count)
        case .cutMonth: try sheet.write(cell.displayText, row: row, column: column, .identifier)
        case .knownShare(_, of: 0, _): try sheet.write(cell.displayText, row: row, column: column)
        case .tenths(let number): try sheet.write(Double(number) / 10, row: row, column: column)
        case .share(_, of: 0): try sheet.write("–", row: row, column: column)
        case .share(let part, let whole), .knownShare(let part, let whole, _):
            try sheet.write(Double(part) / Double(whole), row: row, column: column, .share)
        case .date(let date):
            try sheet.write(date, row: row, column: column, isAmongWords ? .leadingDate : .date)
        case .money(let millionths, let currency):
            if CurrencyDecimals.isCode(currency) {
                let style = WorkbookStyle.money(currency.text, decimals: CurrencyDecimals.count(of: currency))
                try sheet.write(Double(millionths) / 1_000_000, row: row, column: column, style)
            } else {
                try sheet.write(cell.displayText, row: row, column: column)
            }
        }
    }

    /// Returns the style of a word; severities and verdicts have the same colours everywhere.
    private static func style(of code: String, _ column: Int) -> WorkbookStyle {
        Severity(code: ExactText(code)).map { .color(WorkbookStyle.color(of: $0)) }
            ?? Verdict(rawValue: code).map { .color(WorkbookStyle.color(of: $0)) }
            ?? (column > 0 ? .indented : .identifier)
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
