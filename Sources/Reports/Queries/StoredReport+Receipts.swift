import Checks
import Encodings
import Ledgers
import Rules

extension StoredReport {
    /// Visits the rows of the table `receipts`, in the order of the claims.
    func forEachReceipt(_ body: ([CellValue]) throws -> Void) throws {
        let columns = ReceiptsTable.schema.columns
        try reader.forEachRow("SELECT * FROM receipts ORDER BY rowid") { row in
            try body(columns.map { row.value(of: $0) })
        }
    }
}

extension DatabaseReader.Cells {
    /// Returns the cell of a column as it was written.
    fileprivate func value(of column: ColumnHeading) -> CellValue {
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
