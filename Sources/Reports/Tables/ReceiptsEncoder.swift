import Checks
public import Engine
import Files
import Rules

extension ReportFormat {
    /// Writes rows of the table `receipts` in this format.
    public var receiptsEncoder: RowEncoder {
        switch self {
        case .csv: Self.csvReceipts
        case .json, .ndjson:
            .receipts(name: rawValue, rowEnd: rowEnd) {
                JSONRow(ReceiptsTable.columns, from: $1, appendingTo: $0)
            }
        case .xlsx: Self.xlsxReceipts
        case .md: MarkdownWriter.receiptsEncoder(maxRows: nil)
        case .html: HTMLWriter.receiptsEncoder(maxRows: nil)
        }
    }

    private static let csvReceipts = RowEncoder.receipts(name: "csv") {
        CSVRow(appendingTo: $0, isRowBegun: $1 > 0)
    }

    private static let xlsxReceipts = RowEncoder.receipts(name: "xlsx") { bytes, _ in TypedRow(appendingTo: bytes) }
}

extension DocumentWriter {
    /// Writes rows of the table `receipts` for a page.
    ///
    /// - Parameter maxRows: how many of the first ones; `nil` for all.
    static func receiptsEncoder(maxRows: Int?) -> RowEncoder {
        .receipts(name: format.rawValue + (maxRows.map { " \($0)" } ?? ""), maxRows: maxRows) {
            Row(from: $1, appendingTo: $0)
        }
    }
}

extension RowEncoder {
    /// Writes rows of the table `receipts` with one kind of cells.
    ///
    /// - Parameters:
    ///   - rowEnd: what stands behind each row besides its own end.
    ///   - begin: makes what appends to bytes, from this column of a row on.
    fileprivate static func receipts<Row: RowBuffer>(
        name: String, maxRows: Int? = nil, rowEnd: String = "",
        _ begin: @escaping @Sendable (consuming [UInt8], _ column: Int) -> Row
    ) -> RowEncoder {
        var empty = begin([], ReceiptsTable.riskColumn)
        ReceiptsTable.writeNoFindings(to: &empty)
        return RowEncoder(
            name: name, maxRows: maxRows, emptyLength: empty.bytes.count,
            encode: { facts, bytes in
                var row = begin(bytes.take(), 0)
                ReceiptsTable.writeHead(facts, to: &row)
                let cells = row.bytes.count
                ReceiptsTable.writeNoFindings(to: &row)
                ReceiptsTable.writeTail(facts, to: &row)
                row.endRow()
                bytes = row.takeBytes()
                bytes.append(contentsOf: rowEnd.utf8)
                return cells
            },
            fill: { risk, rules, bytes in
                var row = begin(bytes.take(), ReceiptsTable.riskColumn)
                ReceiptsTable.writeFindings(risk, rules, to: &row)
                bytes = row.takeBytes()
            })
    }
}
