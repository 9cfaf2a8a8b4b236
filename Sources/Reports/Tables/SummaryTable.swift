import Encodings

/// The table `summary`: one row per number.
package enum SummaryTable {
    package static let columns = ["section", "item", "measure", "value"]

    /// Goes through the numbers of a summary; the body is handed what writes the cells of one row.
    package static func forEachRow<E: Error>(
        of summary: Summary, _ body: (@escaping (inout any CellWriter) -> Void) throws(E) -> Void
    ) throws(E) {
        for section in summary.sections {
            for row in section.rows {
                for (column, cell) in zip(section.columns, row).dropFirst() where !cell.isNone {
                    try body { writer in write(section, row, column, cell, to: &writer) }
                }
            }
        }
    }

    /// - Parameters:
    ///   - row: the cells of the section's row, of which the first names what the number is about.
    private static func write(
        _ section: Summary.Section, _ row: [Summary.Cell], _ column: String, _ cell: Summary.Cell,
        to writer: inout any CellWriter
    ) {
        writer.code(section.id)
        if let item = row.first { item.write(to: &writer) } else { writer.empty() }
        writer.code(column)
        cell.write(to: &writer)
    }
}

extension Summary.Cell {
    func write(to row: inout any CellWriter) {
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
