import Encodings

/// The table `summary`: one row per number.
package enum SummaryTable {
    package static let columns = ["section", "item", "measure", "value"]

    /// A number, with what it is about.
    package struct Row {
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

    /// Goes through the numbers of a summary.
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
