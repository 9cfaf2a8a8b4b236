/// Reads a CSV table's rows into blocks.
final class TableReader {
    /// The name before the line number in `source`.
    private let name: String
    private let stream: FileStream
    private let folder: ConfinedFolder?
    private let collector = RowCollector()
    private let parser: CSVParser
    private var isAtEnd = false

    /// - Parameter folder: the folder that the rows' paths are relative to.
    init(_ stream: FileStream, name: String, folder: ConfinedFolder?) throws(InputError) {
        self.name = name
        self.stream = stream
        self.folder = folder
        let collector = collector
        parser = try CSVParser { row in collector.take(row, name: name) }
    }

    var fraction: Double? { stream.fraction }
    var unknownColumns: [String] { collector.header?.unknownNames ?? [] }

    /// The next rows, or `nil` at the end.
    func next() throws(InputError) -> ClaimBlock? {
        while !collector.block.isFull, !isAtEnd {
            if try !stream.read({ piece throws(InputError) in try parser.feed(piece) }) {
                try parser.finish()
                isAtEnd = true
            }
            if let line = collector.badHeaderLine { throw .noReceiptColumn(path: stream.path, line: line) }
        }
        return collector.takeBlock(folder: folder)
    }
}

/// The rows under construction.
private final class RowCollector {
    private(set) var block = ClaimBlock()
    private(set) var header: TableHeader?
    private(set) var badHeaderLine: Int?

    func take(_ row: CSVRow, name: String) {
        guard badHeaderLine == nil else { return }
        guard let header else {
            header = TableHeader(row)
            if header == nil { badHeaderLine = row.line }
            return
        }
        block.entries.append(header.entry(of: row, source: "\(name):\(row.line)", bytes: &block.bytes))
    }

    func takeBlock(folder: ConfinedFolder?) -> ClaimBlock? {
        guard !block.isEmpty else { return nil }
        defer { block = ClaimBlock() }
        block.folder = folder
        return block
    }
}
