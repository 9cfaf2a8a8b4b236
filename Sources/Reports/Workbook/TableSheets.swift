import Checks
import Encodings
import Files
import Rules

/// Writes a table of any length on as many sheets as necessary: `receipts`, `receipts 2`, ….
final class TableSheets {
    private let book: WorkbookFile
    private let table: TableSchema
    private let columns: [String]
    private let styles: [WorkbookStyle]
    private let limits: Limits
    private let source: String
    private let isRanked: Bool
    /// Whether rows may have several lines.
    private let isTall: Bool
    /// The column with the currency of amounts, if the table has one.
    private let currency: Int?
    private var sheets: [WorkbookSheet] = []
    /// The number of rows, without headers.
    private(set) var count = 0
    /// The number of rows that there are, and on no sheet.
    private var omitted = 0

    struct Limits {
        /// The maximum number of rows per sheet, including its header.
        var rowsPerSheet = TableSheets.maxRows
    }

    /// The limit of spreadsheets.
    static let maxRows = 1_048_576

    /// Whether cells have no link because the sheet has the maximum.
    private(set) var hasTooManyLinks = false

    /// Adds the first sheet, which even a table without rows has.
    ///
    /// - Parameters:
    ///   - source: the table of reports that has all rows.
    ///   - isRanked: whether severities are also numbers, in a last column, for sorting.
    init(
        _ table: TableSchema, in book: WorkbookFile, limits: Limits = Limits(), source: String = "",
        isRanked: Bool = false
    ) throws(FileError) {
        self.table = table
        self.source = source
        self.book = book
        self.limits = limits
        self.isRanked = isRanked && table.columns.contains { $0.kind == .severity }
        columns = table.columnNames + (self.isRanked ? ["severity_rank"] : [])
        currency = table.columns.firstIndex { $0.name == "currency" }
        let isTall = table.columns.contains(where: \.wraps)
        self.isTall = isTall
        styles = table.columns.map { column in
            // Ids, versions and months may look like numbers and dates. As texts they survive editing.
            column.wraps ? .wrapped : [.text, .code].contains(column.kind) ? .identifier : isTall ? .top : .plain
        }
        try addSheet()
    }

    var name: String { table.name }

    /// Writes one row.
    ///
    /// - Parameter links: where its cells lead, by the index of the column. Only the first cells of a sheet have links.
    func write<Table: ReportTable>(
        _ row: Table.Row, of table: Table.Type, links: [Int: WorkbookSheet.Place] = [:]
    ) throws(FileError) {
        try write(table.cells(of: row), links: links)
    }

    func write(_ cells: [CellValue], links: [Int: WorkbookSheet.Place] = [:]) throws(FileError) {
        var row = TypedRow()
        row.write(cells)
        row.endRow()
        try write(row.bytes.span, links: links)
    }

    /// Writes whole rows encoded by ``TypedRow``.
    func write(_ rows: Span<UInt8>, links: [Int: WorkbookSheet.Place] = [:]) throws(FileError) {
        var reader = TypedCells(rows)
        var cells: [TypedCells.Cell] = []
        cells.reserveCapacity(columns.count)
        while let cell = reader.next() {
            if case .endOfRow = cell {
                try write(cells, rows, links)
                cells.removeAll(keepingCapacity: true)
            } else {
                cells.append(cell)
            }
        }
    }

    private func write(
        _ cells: [TypedCells.Cell], _ bytes: Span<UInt8>, _ links: [Int: WorkbookSheet.Place]
    ) throws(FileError) {
        let number = count
        count += 1
        let row = number % (rowsPerSheet - 1) + 1
        if row == 1, number > 0 { try addSheet() }
        let sheet = sheets[sheets.count - 1]
        if isTall { try setHeight(ofRow: row, on: sheet, cells, bytes) }
        var worst: Severity?
        for (column, cell) in cells.enumerated() {
            switch cell {
            case .endOfRow, .empty: break
            case .text(let range):
                let text = bytes.extracting(range)
                if let target = links[column], mayLink(on: sheet) {
                    try sheet.write(text, row: row, column: column, leadingTo: target)
                    continue
                }
                let word = word(in: text, column)
                let style = styles[min(column, styles.count - 1)]
                if let severity = word?.severity { worst = severity }
                try sheet.write(text, row: row, column: column, word?.style ?? style)
            case .number(let number):
                let target = mayLink(on: sheet) ? links[column] : nil
                if let target { try sheet.link(row: row, column: column, to: target) }
                try sheet.write(number, row: row, column: column, target == nil ? plain : .linkedNumber)
            case .decimal(let number):
                try sheet.write(number, row: row, column: column, style(ofAmountAmong: cells, bytes))
            case .date(let date): try sheet.write(date, row: row, column: column)
            }
        }
        if isRanked, let worst {
            try sheet.write(Int(worst.rawValue) + 1, row: row, column: columns.count - 1, plain)
        }
    }

    /// Whether a sheet may have another link.
    private func mayLink(on sheet: WorkbookSheet) -> Bool {
        if sheet.links >= WorkbookSheet.maxLinks { hasTooManyLinks = true }
        return sheet.links < WorkbookSheet.maxLinks
    }

    private var plain: WorkbookStyle { isTall ? .top : .plain }

    /// Returns the style of an amount in the currency of its row; numbers of rows without a currency are no amounts.
    private func style(ofAmountAmong cells: [TypedCells.Cell], _ bytes: Span<UInt8>) -> WorkbookStyle {
        guard let currency else { return plain }
        let code = ExactText(cells.text(currency, bytes))
        return CurrencyDecimals.isCode(code) ? .amount(decimals: CurrencyDecimals.count(of: code)) : plain
    }

    /// The number of lines of the tallest row, and the height of a line, in points.
    private static let (maxLines, lineHeight) = (12, 15.0)

    /// Sets a row's height for the lines of its texts: not every program does this when it opens the file.
    private func setHeight(
        ofRow row: Int, on sheet: WorkbookSheet, _ cells: [TypedCells.Cell], _ bytes: Span<UInt8>
    ) throws(FileError) {
        var lines = 1
        for (column, cell) in zip(table.columns, cells) where column.wraps {
            guard case .text(let range) = cell else { continue }
            lines = max(lines, Self.lines(of: bytes.extracting(range), width: column.width))
        }
        guard lines > 1 else { return }
        try sheet.setHeight(Double(min(lines, Self.maxLines)) * Self.lineHeight, ofRow: row)
    }

    /// Returns an estimate, too many rather than too few: lines end between words.
    private static func lines(of text: Span<UInt8>, width: Double) -> Int {
        var (lines, length) = (0, 0)
        for index in text.indices {
            let byte = text[index]
            // The last byte is the NUL.
            if byte == 0x0a || byte == 0 {
                lines += Int((Double(max(length, 1)) / (width * 0.9)).rounded(.up))
                length = 0
            } else if byte & 0xc0 != 0x80 {
                length += 1
            }
        }
        return lines
    }

    /// Completes the last sheet.
    ///
    /// - Parameter total: how many rows there are.
    @discardableResult
    func end(of total: Int = 0) throws(FileError) -> TableSheets {
        omitted = max(0, total - count)
        try complete()
        if let omission, let sheet = sheets.last {
            try sheet.write(omission, row: count % (rowsPerSheet - 1) + 2, column: 0, .note)
        }
        return self
    }

    /// The note about missing rows.
    var omission: String? {
        guard omitted > 0 else { return nil }
        return "These are \(grouped(count)) of \(grouped(count + omitted)) rows. The rest is in a report of its own, "
            + "--report \(source)=FILE.csv, and in a database, --report FILE.sqlite."
    }

    private var rowsPerSheet: Int { max(2, min(limits.rowsPerSheet, Self.maxRows)) }

    private func title(ofSheet index: Int) -> String { index == 0 ? table.name : "\(table.name) \(index + 1)" }

    private func complete() throws(FileError) {
        guard let sheet = sheets.last else { return }
        let rows = count == 0 ? 0 : (count - 1) % (rowsPerSheet - 1) + 1
        try sheet.makeTable(rows: rows + 1, headers: columns)
        if columns.contains("note"), let status = columns.firstIndex(of: "status") {
            try sheet.offer(["open", "fraud", "ok", "watch"], column: status, rows: rows + 1)
            // Prints the columns that a reviewer needs.
            let printed = columns.firstIndex(of: "currency") ?? columns.count - 1
            try sheet.printOnly(columns: printed + 1, rows: rows + 1)
        }
    }

    private func addSheet() throws(FileError) {
        try complete()
        let sheet = try book.addSheet(title(ofSheet: sheets.count))
        for (index, column) in table.columns.enumerated() {
            try sheet.setWidth(column.width, ofColumns: index...index)
        }
        for (index, column) in columns.enumerated() { try sheet.write(column, row: 0, column: index, .header) }
        sheet.freeze(rows: 1)
        try sheet.printWide()
        sheets.append(sheet)
    }

    /// The style of a verdict or a severity.
    private struct Word {
        let style: WorkbookStyle
        var severity: Severity?
    }

    private static let words: [ColumnHeading.Kind: [String: Word]] = [
        .verdict: Dictionary(
            uniqueKeysWithValues: Verdict.allCases.map {
                ($0.rawValue, Word(style: .color(WorkbookStyle.color(of: $0))))
            }),
        .severity: Dictionary(
            uniqueKeysWithValues: Severity.allCases.map {
                ($0.code, Word(style: .color(WorkbookStyle.color(of: $0)), severity: $0))
            }),
    ]

    private func word(in text: Span<UInt8>, _ column: Int) -> Word? {
        guard column < table.columns.count, let words = Self.words[table.columns[column].kind], text.count < 32,
            let word = try? UTF8Span(validating: text.extracting(droppingLast: 1))
        else { return nil }
        return words[String(copying: word)]
    }
}

extension [TypedCells.Cell] {
    /// Returns the text of a cell; empty if it has none.
    fileprivate func text(_ column: Int, _ bytes: Span<UInt8>) -> String {
        guard indices.contains(column), case .text(let range) = self[column],
            let text = try? UTF8Span(validating: bytes.extracting(range).extracting(droppingLast: 1))
        else { return "" }
        return String(copying: text)
    }
}
