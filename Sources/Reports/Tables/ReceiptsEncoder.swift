import Checks
public import Pipeline
import Rules

extension ReportFormat {
    /// Writes rows of the table `receipts` in this format.
    public var receiptsEncoder: RowEncoder {
        switch self {
        case .csv: ReceiptsEncoder.csv
        case .json, .ndjson: ReceiptsEncoder.json(name: rawValue, rowEnd: rowEnd)
        case .xlsx: ReceiptsEncoder.xlsx
        case .md: MarkdownWriter.receiptsEncoder(mostRows: nil)
        case .html: HTMLWriter.receiptsEncoder(mostRows: nil)
        }
    }
}

private enum ReceiptsEncoder {
    static let csv = RowEncoder(
        name: "csv", emptyLength: 2,
        encode: { facts, bytes in
            var row = CSVRow(appendingTo: taken(&bytes))
            ReceiptsTable.writeHead(facts, to: &row)
            let cells = row.bytes.count
            ReceiptsTable.writeNoFindings(to: &row)
            ReceiptsTable.writeTail(facts, to: &row)
            row.endRow()
            bytes = row.takeBytes()
            return cells
        },
        fill: { risk, rules, bytes in
            var row = CSVRow(appendingTo: taken(&bytes), isRowBegun: true)
            ReceiptsTable.writeFindings(risk, rules, to: &row)
            bytes = row.takeBytes()
        })

    static let xlsx = RowEncoder(
        name: "xlsx", emptyLength: 2,
        encode: { facts, bytes in
            var row = TypedRow(appendingTo: taken(&bytes))
            ReceiptsTable.writeHead(facts, to: &row)
            let cells = row.bytes.count
            ReceiptsTable.writeNoFindings(to: &row)
            ReceiptsTable.writeTail(facts, to: &row)
            row.endRow()
            bytes = row.takeBytes()
            return cells
        },
        fill: { risk, rules, bytes in
            var row = TypedRow(appendingTo: taken(&bytes))
            ReceiptsTable.writeFindings(risk, rules, to: &row)
            bytes = row.takeBytes()
        })

    static func json(name: String, rowEnd: String) -> RowEncoder {
        let columns = ReceiptsTable.columns
        var empty = JSONRow(columns, from: ReceiptsTable.riskColumn)
        ReceiptsTable.writeNoFindings(to: &empty)
        return RowEncoder(
            name: name, emptyLength: empty.bytes.count,
            encode: { facts, bytes in
                var row = JSONRow(columns, appendingTo: taken(&bytes))
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
                var row = JSONRow(columns, from: ReceiptsTable.riskColumn, appendingTo: taken(&bytes))
                ReceiptsTable.writeFindings(risk, rules, to: &row)
                bytes = row.takeBytes()
            })
    }

    /// Bytes taken out of their place, so that there is one owner and appending copies nothing.
    private static func taken(_ bytes: inout [UInt8]) -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }
}
