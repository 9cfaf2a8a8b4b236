import Encodings

/// The columns of a table of evidence. Tokens are searched in all of them, because the bodies of requests are stored
/// under any name.
struct EvidenceColumns: Sendable {
    let separator: UInt8
    /// Whether each column has the name of a member with a token.
    private let areNamed: [Bool]
    /// Whether the names are those of what a decoded notification or transaction has.
    let areDecoded: SeenForm?

    /// - Parameters:
    ///   - line: the first line.
    ///   - isTable: whether the file has the name of a table.
    /// - Returns: `nil` if the line does not name columns.
    init?(header line: Span<UInt8>, isTable: Bool) {
        let separators = TableHeader.separators + [UInt8(ascii: "|")]
        let rows = separators.map { Self.cells(of: line, by: $0) }
        let names = rows.map { cells in cells.map { EvidenceText.isName($0.span.withoutBlanks) } }
        // A row with a token, or a part of one, is no header.
        let text = EvidenceText(line.copy())
        guard text.found.isEmpty, text.lost == 0 || text.look != nil else { return nil }
        let found =
            names.firstIndex { $0.contains(true) }
            ?? rows.firstIndex { cells in
                (cells.count > 1 || isTable) && cells.allSatisfy { Self.isName($0.span.withoutBlanks) }
            }
        guard let found else { return nil }
        separator = separators[found]
        areNamed = names[found]
        areDecoded = SeenForm(decoded: line)
    }

    /// The number of columns.
    var count: Int { areNamed.count }

    func isNamed(_ index: Int) -> Bool { areNamed.indices.contains(index) && areNamed[index] }

    func cells(of row: Span<UInt8>) -> [[UInt8]] { Self.cells(of: row, by: separator) }

    /// Whether a cell may be the name of a column.
    private static func isName(_ cell: Span<UInt8>) -> Bool {
        guard (1...64).contains(cell.count), !cell.starts(with: Array("eyJ".utf8)) else { return false }
        return cell.indices.allSatisfy { index in
            switch cell[index] {
            case 0x41...0x5a, 0x61...0x7a, 0x5f: true
            case 0x30...0x39, 0x20, 0x2d, 0x2e: index > 0
            default: false
            }
        }
    }

    /// Splits a row (RFC 4180). A quote inside an unquoted cell is an ordinary character.
    private static func cells(of row: Span<UInt8>, by separator: UInt8) -> [[UInt8]] {
        var cells: [[UInt8]] = []
        var cell: [UInt8] = []
        var scanner = RowScanner(separator: separator)
        for index in row.indices {
            switch scanner.scan(row[index]) {
            case .character: cell.append(row[index])
            case .mark: break
            case .cellEnd, .rowEnd:
                cells.append(cell)
                cell = []
            }
        }
        return cells + [cell]
    }
}

/// Finds the ends of cells and rows, byte by byte.
struct RowScanner {
    enum Part {
        case character
        /// A quote around a cell, or the first of two in one.
        case mark
        case cellEnd, rowEnd
    }

    private enum State {
        case start, plain, quoted, behindQuote
    }

    private let separator: UInt8
    private var state = State.start

    init(separator: UInt8) { self.separator = separator }

    /// Whether a quoted cell is open.
    var isInQuotes: Bool { state == .quoted }

    mutating func scan(_ byte: UInt8) -> Part {
        let isQuote = byte == UInt8(ascii: "\"")
        switch state {
        case .quoted:
            guard isQuote else { return .character }
            state = .behindQuote
            return .mark
        case .behindQuote where isQuote:
            state = .quoted
            return .character
        case .start where isQuote:
            state = .quoted
            return .mark
        default:
            guard byte == separator || byte == 0x0a else {
                state = .plain
                return .character
            }
            state = .start
            return byte == separator ? .cellEnd : .rowEnd
        }
    }
}
