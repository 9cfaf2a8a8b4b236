import Encodings

/// The table `summary`: one row per number.
package enum SummaryTable: ReportTable {
    package static let name = "summary"
    package static let stage = RunStage.figures
    package static let isOnPages = true
    package static let columns: [TableColumn<SummaryRow>] = [
        .code("section", "what the number belongs to", width: 16) { $0.section.id },
        .init("item", "what is counted, joined by `;`", .text, width: 16) { $0.item },
        .code("measure", "the name of the measure", width: 16) { $0.column },
        .init("value", "the number; shares are decimal fractions", .text, .textOrNumber, width: 16) { $0.cell.value },
    ]

    package static func forEachRow(of run: ReportedRun, _ body: (SummaryRow) throws -> Void) throws {
        for section in run.summary.data {
            for cells in section.rows {
                // The first cell or cells name the row's subject.
                for (column, cell) in zip(section.columns, cells).dropFirst(section.keys) where cell != .none {
                    try body(SummaryRow(section: section, cells: cells, column: column, cell: cell))
                }
            }
        }
    }
}

/// A number of a summary, with what it counts.
package struct SummaryRow {
    fileprivate let section: Summary.Section
    fileprivate let cells: [Summary.Cell]
    fileprivate let column: String
    fileprivate let cell: Summary.Cell

    fileprivate var item: CellValue {
        guard section.keys > 1 else { return cells.first?.value ?? .empty }
        let names = cells.prefix(section.keys).filter { !$0.isNone }.map(\.plainText)
        return .text(ExactText(names.joined(separator: ";")))
    }
}

extension Summary.Cell {
    /// The value of a cell for programs.
    fileprivate var value: CellValue {
        switch self {
        case .none: .empty
        case .text(let text): .text(text)
        case .code(let code): .code(code)
        case .number(let number): .number(number)
        case .date(let date): .date(date)
        case .tenths, .share, .knownShare, .cutMonth, .money: .code(plainText)
        }
    }
}
