import Encodings

/// The header of a table: the columns of the cells of its rows.
struct TableHeader {
    /// The column of each cell of a row, or `nil` if it is unknown.
    let columns: [Column?]
    /// The names of unknown columns.
    let unknown: [String]

    /// Receipts and devices may be in several columns, each under a different name (``ExportNames/read(_:)``).
    init(_ names: [[UInt8]], _ known: ExportNames, table: String, line: Int) throws(InputError) {
        let found = names.map { known.column(named: $0.span) }
        columns = ExportNames.read(found)
        var unknown: [String] = []
        var seen: Set<Column> = []
        var several: Set<[Int]> = []
        for (index, column) in columns.enumerated() {
            guard let column else {
                let written = names[index]
                let name = String(repairing: written.span.withoutBlanks)
                if let known = found[index] {
                    superseded.append((name, known.column))
                } else if !name.isEmpty {
                    unknown.append(name)
                }
                continue
            }
            let isNew = seen.insert(column).inserted
            let isOther =
                column.mayBeSeveral && several.insert([column.rawValue, found[index]?.name ?? 0]).inserted
            guard isNew || isOther else {
                let read = columns
                let both = names.indices.filter { read[$0] == column }.map { names[$0] }
                throw .repeatedColumn(
                    table: table, line: line, column: column.name,
                    names: both.map { String(repairing: $0.span.withoutBlanks) })
            }
        }
        guard seen.contains(.file) || seen.contains(.receiptData) else {
            // If the header is missing, the first row has ids, which must not be logged.
            let isData = names.contains { Self.isData($0.span.withoutBlanks) }
            throw .noReceiptColumn(
                table: table, line: line, columns: isData ? [] : unknown + seen.map(\.name).sorted())
        }
        self.unknown = unknown
        self.names = names.prefix(FirstNames.max).map { String(repairing: $0.span.withoutBlanks) }
        givenColumns = found.compactMap { $0.flatMap { $0.rank == .given ? $0.column : nil } }
        let receipts = columns.enumerated().compactMap { $1 == .receiptData ? $0 : nil }
        shape = RowShape(cells: columns.count, receipts: receipts)
        hasSeveralDevices = columns.count { $0 == .deviceID } > 1
    }

    /// The names of known columns that are not read, because another name for the same column takes precedence.
    private(set) var superseded: [(name: String, column: Column)] = []

    /// Whether the name of a column is more likely a cell: a proof, a time, a device, or longer than names are.
    private static func isData(_ name: Span<UInt8>) -> Bool {
        guard name.count > 0 else { return false }
        return name.count > 64 || ProofStart.begins(name) || Instant(written: name) != nil
            || !DeviceIdentifiers(ExactText(repairing: name)).isMalformed
    }

    /// The first names of all columns, and the columns under names given by a user.
    let names: [String]
    let givenColumns: [Column]
    /// The shape of rows.
    let shape: RowShape
    /// Whether rows have several cells for a device.
    let hasSeveralDevices: Bool

    /// Whether rows have a cell for the receipt itself.
    var hasData: Bool { !shape.receipts.isEmpty }

    /// Returns the name of a cell, for a message.
    func name(of cell: Int) -> String { names.indices.contains(cell) ? names[cell] : "column \(cell + 1)" }
}

extension TableHeader {
    /// Returns the length of a first line with the separator in spreadsheets, `sep=;`, including its end, and the
    /// separator; `nil` if the text does not begin with one.
    static func declaration(in text: Span<UInt8>) -> (length: Int, separator: UInt8)? {
        let start = text.byteOrderMarks
        guard text.count > start + 5, text.extracting(start..<(start + 4)).equalsIgnoringCase(Array("sep=".utf8)) else {
            return nil
        }
        let (separator, end) = (text[start + 4], text[start + 5])
        guard separators.contains(separator), end == 0x0a || end == 0x0d else {
            return nil
        }
        let hasLineFeed = end == 0x0d && text.count > start + 6 && text[start + 6] == 0x0a
        return (start + (hasLineFeed ? 7 : 6), separator)
    }

    /// The recognized separators of cells, in order of preference.
    static let separators: [UInt8] = [
        UInt8(ascii: ","), 0x09, UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "^"), 0x01,
    ]

    /// The maximum number of bytes searched for the first line.
    static let prefix = 16 << 10

    /// Returns the separator with which the first line names a column for receipts; `nil` if there is none.
    static func separator(
        in text: Span<UInt8>, _ names: ExportNames = ExportNames(), among separators: [UInt8] = separators,
        naming columns: [Column] = [.file, .receiptData]
    ) -> UInt8? {
        if let declaration = declaration(in: text) {
            return self.separator(
                in: text.extracting(declaration.length...), names, among: [declaration.separator], naming: columns)
        }
        let text = text.extracting(text.byteOrderMarks...)
        let start = text.extracting(..<min(text.count, prefix))
        let end = start.indices.first { start[$0] == 0x0a || start[$0] == 0x0d } ?? start.count
        let line = text.extracting(..<end)
        return separators.first { separator in
            var start = 0
            while start <= line.count {
                let end = line.firstIndex(of: separator, from: start) ?? line.count
                let cell = line.extracting(start..<end).withoutQuotes
                if let column = names.column(named: cell)?.column, columns.contains(column) { return true }
                start = end + 1
            }
            return false
        }
    }
}

extension Span<UInt8> {
    /// A cell without the quotes around it.
    var withoutQuotes: Span<UInt8> {
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
