/// The first row of a table: which cell of a row is which column.
struct TableHeader {
    /// For each cell of a row its column, or `nil` if nobody asked for it.
    let columns: [Column?]
    /// The names of the others.
    let unknown: [String]

    init(_ names: [[UInt8]], table: String, line: Int) throws(InputError) {
        columns = names.map { Column(named: $0.span) }
        var unknown: [String] = []
        var seen: Set<Column> = []
        for (name, column) in zip(names, columns) {
            guard let column else {
                let name = String(blanklessName: name)
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
