import Encodings

/// The table `summary`: one row per number.
package enum SummaryTable {
    package static let schema = TableSchema(
        name: "summary",
        columns: [
            .init("section", .code, width: 16), .init("item", .text, width: 16), .init("measure", .code, width: 16),
            .init("value", .text, width: 16),
        ])

    package static let columns = schema.columnNames

    /// A number and what it counts.
    package struct Row: TableRow {
        package static var schema: TableSchema { SummaryTable.schema }

        fileprivate let section: Summary.Section
        fileprivate let cells: [Summary.Cell]
        fileprivate let column: String
        fileprivate let cell: Summary.Cell

        package func write(to writer: inout some CellWriter) {
            writer.code(section.id)
            if section.keys > 1 {
                writer.text(cells.prefix(section.keys).filter { !$0.isNone }.map(\.plainText).joined(separator: ";"))
            } else if let item = cells.first {
                item.write(to: &writer)
            } else {
                writer.empty()
            }
            writer.code(column)
            cell.write(to: &writer)
        }
    }

    /// Calls a function with each number of a summary, in order.
    package static func forEachRow<Failure: Error>(
        of summary: Summary, _ body: (Row) throws(Failure) -> Void
    ) throws(Failure) {
        for section in summary.data {
            for cells in section.rows {
                // The first cell, or the first few, name what the row is about.
                for (column, cell) in zip(section.columns, cells).dropFirst(section.keys) where cell != .none {
                    try body(Row(section: section, cells: cells, column: column, cell: cell))
                }
            }
        }
    }
}

extension Summary.Cell {
    func write(to row: inout some CellWriter) {
        switch self {
        case .none: row.empty()
        case .text(let text): row.text(text)
        case .code(let code): row.code(code)
        case .number(let number): row.number(number)
        case .date(let date): row.date(date)
        case .share, .money: row.code(plainText)
        }
    }
}
