import Checks
import Encodings
import Rules
import SQLite

extension StoredReport {
    /// Visits the rows of the table `receipts`, in the order of the claims.
    func forEachReceipt(_ body: ([CellValue]) throws -> Void) throws {
        let schema = ReceiptsTable.schema
        try reader.forEachRow("SELECT * FROM receipts ORDER BY rowid") { row in try body(row.values(of: schema)) }
    }

    /// Visits the first rows of the table `links`, the highest severities first.
    func forEachLink(_ max: Int, _ body: (DatabaseReader.Cells) throws -> Void) throws {
        try reader.forEachRow(
            """
            SELECT l.* FROM links AS l JOIN severities AS s ON s.severity = l.severity ORDER BY s.rank DESC, l.rowid
            LIMIT \(max)
            """
        ) { try body($0) }
    }
}

extension DatabaseReader.Cells {
    /// Returns the cells of a row of a table as they were written.
    func values(of schema: TableSchema) -> [CellValue] { schema.columns.map { value(of: $0) } }

    private func value(of column: ColumnHeading) -> CellValue {
        switch (self[column.name], column.kind) {
        case (.null, _): .empty
        case (.number(let number), _): .number(Int(number))
        case (.real, _): .decimal(DecimalNumber(millionths: Int128(millionths(column.name) ?? 0)))
        case (.text(let text), .severity): Severity(code: ExactText(text)).map { .severity($0) } ?? .code(text)
        case (.text(let text), .date): Instant(written: text.utf8.span).map { .date($0) } ?? .code(text)
        case (.text(let text), .text): .text(ExactText(text))
        case (.text(let text), _): .code(text)
        }
    }
}
