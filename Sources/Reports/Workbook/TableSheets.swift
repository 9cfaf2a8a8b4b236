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
    private let isRanked: Bool
    /// Whether rows may have several lines.
    private let isTall: Bool
    /// The column with the currency of amounts, if the table has one.
    private let currency: Int?
    private var sheets: [WorkbookSheet] = []
    /// The number of rows of the table, without headers, including rows that were left out.
    private(set) var count = 0

    struct Limits {
        /// The maximum number of rows per sheet, including its header.
        var rowsPerSheet = TableSheets.maxRows
        /// The maximum number of rows to write; the others are counted.
        var rows = Int.max
    }

    /// The limit of spreadsheets.
    static let maxRows = 1_048_576

    /// Returns the link target for a text of a column. Only the first such cells get links.
    var place: ((_ column: Int, _ text: Span<UInt8>) -> WorkbookSheet.Place?)?
    /// Returns the link target for a number of a column.
    var placeOfNumber: ((_ column: Int) -> WorkbookSheet.Place?)?
    /// Sees each row before it is written, and returns the columns of cells that get links after all rows are written.
    var observe: ((_ row: Int, _ cells: [TypedCells.Cell], _ bytes: Span<UInt8>) -> [Int])?
    /// Whether cells have no link because the sheet has the maximum.
    private(set) var hasTooManyLinks = false

    /// Adds the first sheet, which even a table without rows has.
    ///
    /// - Parameter isRanked: whether severities are also numbers, in a last column, for sorting.
    init(
        _ table: TableSchema, in book: WorkbookFile, limits: Limits = Limits(), isRanked: Bool = false
    ) throws(FileError) {
        self.table = table
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

    /// The number of rows on sheets.
    var written: Int { min(count, limits.rows) }

    /// Returns the place of a row, by its index in the table.
    func place(ofRow row: Int) -> WorkbookSheet.Place? {
        guard row < limits.rows else { return nil }
        let (sheet, rest) = row.quotientAndRemainder(dividingBy: rowsPerSheet - 1)
        return WorkbookSheet.Place(sheet: title(ofSheet: sheet), row: rest + 1)
    }

    /// Sets the link of a cell for which ``observe`` reserved the place.
    func link(row: Int, column: Int, to place: WorkbookSheet.Place) throws(FileError) {
        let (sheet, rest) = row.quotientAndRemainder(dividingBy: rowsPerSheet - 1)
        guard sheet < sheets.count else { return }
        guard sheets[sheet].links < WorkbookSheet.maxLinks else {
            hasTooManyLinks = true
            return
        }
        try sheets[sheet].link(row: rest + 1, column: column, to: place)
    }

    /// Writes one row.
    func write<Table: ReportTable>(_ row: Table.Row, of table: Table.Type) throws(FileError) {
        let bytes = TypedRow.bytes(of: row, in: table)
        try write(bytes.span)
    }

    /// Writes whole rows encoded by ``TypedRow``.
    func write(_ rows: Span<UInt8>) throws(FileError) {
        var reader = TypedCells(rows)
        var cells: [TypedCells.Cell] = []
        cells.reserveCapacity(columns.count)
        while let cell = reader.next() {
            if case .endOfRow = cell {
                try write(cells, rows)
                cells.removeAll(keepingCapacity: true)
            } else {
                cells.append(cell)
            }
        }
    }

    private func write(_ cells: [TypedCells.Cell], _ bytes: Span<UInt8>) throws(FileError) {
        let linked = observe?(count, cells, bytes) ?? []
        let number = count
        count += 1
        guard number < limits.rows else { return }
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
                if let target = place?(column, text), mayLink(on: sheet) {
                    try sheet.write(text, row: row, column: column, leadingTo: target)
                    continue
                }
                let word = word(in: text, column)
                let style = linked.contains(column) ? .link : styles[min(column, styles.count - 1)]
                if let severity = word?.severity { worst = severity }
                try sheet.write(text, row: row, column: column, word?.style ?? style)
            case .number(let number):
                var isLinked = linked.contains(column)
                if let target = placeOfNumber?(column), mayLink(on: sheet) {
                    try sheet.link(row: row, column: column, to: target)
                    isLinked = true
                }
                try sheet.write(number, row: row, column: column, isLinked ? .linkedNumber : plain)
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

    /// Counts rows that were not kept, because they have no place.
    func omit(_ rows: Int) { count += rows }

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
    func end() throws(FileError) {
        try complete()
        guard let omission, let sheet = sheets.last else { return }
        try sheet.write(omission, row: written % (rowsPerSheet - 1) + 2, column: 0, .note)
    }

    /// Whether uncounted rows are missing.
    var isIncomplete = false

    /// The note about missing rows.
    var omission: String? {
        guard count > written || isIncomplete else { return nil }
        let first = isIncomplete ? "the first \(grouped(written))" : "\(grouped(written)) of \(grouped(count))"
        return
            "These are \(first) rows. All are in a report of their own: --report \(table.name.lowercased().replacing(" ", with: "_"))=FILE, "
            + "as .csv or .xlsx."
    }

    private var rowsPerSheet: Int { max(2, min(limits.rowsPerSheet, Self.maxRows)) }

    private func title(ofSheet index: Int) -> String { index == 0 ? table.name : "\(table.name) \(index + 1)" }

    private func complete() throws(FileError) {
        guard let sheet = sheets.last else { return }
        let rows = written == 0 ? 0 : (written - 1) % (rowsPerSheet - 1) + 1
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
