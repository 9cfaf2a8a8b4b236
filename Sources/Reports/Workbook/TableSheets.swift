import Checks
import Files
import Rules

/// Writes a table of any length on as many sheets as it needs: `receipts`, `receipts 2`, ….
final class TableSheets {
    private let book: WorkbookFile
    private let table: TableSchema
    /// The colours of words, by column.
    private let colors: [[String: WorkbookStyle]]
    /// How many rows a sheet has at most, with its header.
    private let rowsPerSheet: Int
    private var sheet: WorkbookSheet?
    private var sheets = 0
    private var rows = 0

    /// The limit of spreadsheets.
    static let maxRows = 1_048_576

    init(_ table: TableSchema, in book: WorkbookFile, rowsPerSheet: Int = maxRows) {
        self.table = table
        colors = table.columns.map { Self.colors[$0.kind] ?? [:] }
        self.book = book
        self.rowsPerSheet = max(2, min(rowsPerSheet, Self.maxRows))
    }

    private static let colors: [TableSchema.Column.Kind: [String: WorkbookStyle]] = [
        .verdict: Dictionary(
            uniqueKeysWithValues: Verdict.allCases.map { ($0.rawValue, .color(WorkbookStyle.color(of: $0))) }),
        .severity: Dictionary(
            uniqueKeysWithValues: Severity.allCases.map { ($0.code, .color(WorkbookStyle.color(of: $0))) }),
    ]

    /// Adds the first sheet if it is missing: a table without rows has one, too.
    func begin() throws(FileError) {
        if sheet == nil { try addSheet() }
    }

    /// Writes one row.
    func writeRow(_ write: (inout TypedRow) -> Void) throws(FileError) {
        var row = TypedRow()
        write(&row)
        row.endRow()
        let bytes = row.takeBytes()
        try self.write(bytes.span)
    }

    /// Writes whole rows that ``TypedRow`` encoded.
    func write(_ rows: Span<UInt8>) throws(FileError) {
        guard !rows.isEmpty else { return }
        var cells = TypedCells(rows)
        var column = 0
        var sheet = try sheetForNextRow()
        while let cell = cells.next() {
            switch cell {
            case .endOfRow:
                self.rows += 1
                column = -1
                if !cells.isAtEnd { sheet = try sheetForNextRow() }
            case .empty: break
            case .text(let text):
                let text = rows.extracting(text)
                try sheet.write(text, row: self.rows, column: column, style(of: text, column))
            case .number(let number): try sheet.write(number, row: self.rows, column: column)
            case .decimal(let number): try sheet.write(number, row: self.rows, column: column)
            case .date(let date): try sheet.write(date, row: self.rows, column: column)
            }
            column += 1
        }
    }

    /// Completes the last sheet.
    func end() throws(FileError) {
        try begin()
        try sheet?.filter(rows: rows, columns: table.columns.count)
        sheet = nil
    }

    private func sheetForNextRow() throws(FileError) -> WorkbookSheet {
        if let sheet, rows < rowsPerSheet { return sheet }
        return try addSheet()
    }

    @discardableResult
    private func addSheet() throws(FileError) -> WorkbookSheet {
        try sheet?.filter(rows: rows, columns: table.columns.count)
        sheets += 1
        let sheet = try book.addSheet(sheets == 1 ? table.name : "\(table.name) \(sheets)")
        for (index, column) in table.columns.enumerated() {
            try sheet.setWidth(column.width, ofColumns: index...index)
        }
        for (index, column) in table.columns.enumerated() {
            try sheet.write(column.name, row: 0, column: index, .header)
        }
        sheet.freeze(rows: 1)
        try sheet.printWide()
        self.sheet = sheet
        rows = 1
        return sheet
    }

    private func style(of text: Span<UInt8>, _ column: Int) -> WorkbookStyle {
        guard column < colors.count, !colors[column].isEmpty, text.count < 32,
            let word = try? UTF8Span(validating: text.extracting(droppingLast: 1))
        else { return .plain }
        return colors[column][String(copying: word)] ?? .plain
    }
}
