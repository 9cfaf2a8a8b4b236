import Encodings

/// The table `summary`: one row per number.
enum SummaryTable {
    static let columns = ["section", "item", "measure", "value"]

    /// - Parameters:
    ///   - row: the cells of the section's row, of which the first or the first few name what the number is about.
    static func write(
        _ section: Summary.Section, _ row: [Summary.Cell], _ column: String, _ cell: Summary.Cell,
        to writer: inout some CellWriter
    ) {
        writer.code(section.id)
        if section.keys > 1 {
            writer.text(row.prefix(section.keys).filter { !$0.isNone }.map(\.plainText).joined(separator: ";"))
        } else if let item = row.first {
            item.write(to: &writer)
        } else {
            writer.empty()
        }
        writer.code(column)
        cell.write(to: &writer)
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
