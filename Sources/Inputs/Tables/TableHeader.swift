import Encodings

/// The header of a table: the columns of the cells of its rows.
struct TableHeader {
    /// The column of each cell of a row, or `nil` if it is unknown.
    let columns: [Column?]
    /// The names of unknown columns.
    let unknown: [String]

    /// Of two names for one column the better counts, and the other is unknown.
    init(_ names: [[UInt8]], _ known: ExportNames, table: String, line: Int) throws(InputError) {
        let found = names.map { known.column(named: $0.span) }
        var best: [Column: ExportNames.Rank] = [:]
        for case let found? in found { best[found.column] = max(best[found.column] ?? found.rank, found.rank) }
        columns = found.map { found in found.flatMap { best[$0.column] == $0.rank ? $0.column : nil } }
        var unknown: [String] = []
        var seen: Set<Column> = []
        for (name, column) in zip(names, columns) {
            guard let column else {
                let name = String(repairing: name.span.withoutBlanks)
                if !name.isEmpty { unknown.append(name) }
                continue
            }
            guard seen.insert(column).inserted else {
                throw .repeatedColumn(table: table, line: line, column: column.name)
            }
        }
        guard seen.contains(.file) || seen.contains(.receiptData) else {
            throw .noReceiptColumn(table: table, line: line, columns: unknown + seen.map(\.name).sorted())
        }
        self.unknown = unknown
    }

    /// Whether rows have a cell for the receipt itself.
    var hasData: Bool { columns.contains(.receiptData) }
}

extension TableHeader {
    /// The separators of cells that are recognised, in order of preference.
    static let separators: [UInt8] = [UInt8(ascii: ","), 0x09, UInt8(ascii: ";")]

    /// How many bytes are searched for the first line.
    static let prefix = 16 << 10

    /// Returns the separator with which the first line names a column for receipts; `nil` if there is none.
    static func separator(in text: Span<UInt8>, _ names: ExportNames = ExportNames()) -> UInt8? {
        let text = text.extracting(text.byteOrderMark...)
        let start = text.extracting(..<min(text.count, prefix))
        let end = start.indices.first { start[$0] == 0x0a || start[$0] == 0x0d } ?? start.count
        let line = text.extracting(..<end)
        return separators.first { separator in
            var start = 0
            while start <= line.count {
                let end = line.firstIndex(of: separator, from: start) ?? line.count
                let cell = line.extracting(start..<end).withoutQuotes
                let column = names.column(named: cell)?.column
                if column == .file || column == .receiptData { return true }
                start = end + 1
            }
            return false
        }
    }
}

extension Span<UInt8> {
    /// A cell without the quotes around it.
    fileprivate var withoutQuotes: Span<UInt8> {
        @_lifetime(copy self) get {
            let text = withoutBlanks
            guard text.count > 1, text[0] == 0x22, text[text.count - 1] == 0x22 else { return text }
            return text.extracting(1..<(text.count - 1))
        }
    }

    /// Returns the index of the first byte of a value from a start.
    func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        extracting(start...).firstIndex(of: byte).map { start + $0 }
    }
}
