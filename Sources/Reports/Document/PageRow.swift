import Checks
import Pipeline
import Rules

/// Writes the cells of rows as markup, which strangers' texts are never taken for.
protocol PageRow: CellWriter, SendableMetatype {
    /// Appends to these bytes.
    ///
    /// - Parameter column: the column that will be written next; 0 for a new row.
    init(from column: Int, appendingTo bytes: consuming [UInt8])

    var byteCount: Int { get }
    /// Ends the row with the one LF that is in it.
    mutating func endRow()
    /// Hands over what was written, and starts again with nothing.
    mutating func takeBytes() -> [UInt8]
}

extension DocumentWriter {
    /// Writes rows of the table `receipts` for a page.
    ///
    /// - Parameter mostRows: how many of the first ones; `nil` for all.
    static func receiptsEncoder(mostRows: Int?) -> RowEncoder {
        var empty = Row(from: ReceiptsTable.riskColumn, appendingTo: [])
        ReceiptsTable.writeNoFindings(to: &empty)
        return RowEncoder(
            name: format.rawValue + (mostRows.map { " \($0)" } ?? ""), mostRows: mostRows,
            emptyLength: empty.byteCount,
            encode: { facts, bytes in
                var row = Row(from: 0, appendingTo: taken(&bytes))
                ReceiptsTable.writeHead(facts, to: &row)
                let cells = row.byteCount
                ReceiptsTable.writeNoFindings(to: &row)
                ReceiptsTable.writeTail(facts, to: &row)
                row.endRow()
                bytes = row.takeBytes()
                return cells
            },
            fill: { risk, rules, bytes in
                var row = Row(from: ReceiptsTable.riskColumn, appendingTo: taken(&bytes))
                ReceiptsTable.writeFindings(risk, rules, to: &row)
                bytes = row.takeBytes()
            })
    }
}

/// Bytes taken out of their place, so that there is one owner and appending copies nothing.
private func taken(_ bytes: inout [UInt8]) -> [UInt8] {
    var taken: [UInt8] = []
    swap(&taken, &bytes)
    return taken
}
