/// A CSV table, or the manifest of a folder: one claim a row.
final class TableSource: ClaimSource {
    private let stream: any ByteStream
    private let collector: RowCollector
    private let splitter: CSVSplitter
    /// `nil` if all rows are left to libcsv.
    private var plainRows: PlainRows?
    private var input = ByteArena()
    private var hasBegun = false
    private var hasEnded = false

    private static let chunk = 128 << 10

    convenience init(
        _ stream: any ByteStream, table: String, folder: FencedFolder?, unnamed: UnnamedFiles? = nil, pool: BufferPool
    ) {
        self.init(
            stream, TableRows(table: table, folder: folder, unnamed: unnamed, pool: pool), plainRows: PlainRows())
    }

    init(_ stream: any ByteStream, _ rows: TableRows, plainRows: PlainRows?) {
        self.stream = stream
        collector = RowCollector(rows)
        self.plainRows = plainRows
        splitter = CSVSplitter(collector)
    }

    var fraction: Double? { stream.fraction }

    var omissions: Omissions {
        var omissions = Omissions()
        omissions.add(unknownColumns: collector.rows.header?.unknown ?? [])
        return omissions
    }

    func next() throws(InputError) -> ClaimBlock? {
        while true {
            if let block = collector.rows.take(atEnd: hasEnded) { return block }
            if hasEnded { return nil }
            step()
            if let error = collector.rows.error { throw error }
        }
    }

    /// Reads some of the table.
    private func step() {
        input.empty()
        do throws(StreamDamage) {
            let read = hasBegun ? stream.read : stream.readFirst
            if try read(&input, Self.chunk) == 0 {
                hasEnded = true
                if !splitter.finish() {
                    collector.rows.endTorn(
                        "a quote is left open, so that all that stands behind it is part of this row")
                }
                return
            }
        } catch {
            hasEnded = true
            collector.rows.endTorn(error.reason)
            return
        }
        let isSplit = split(from: hasBegun ? 0 : input.byteOrderMark)
        hasBegun = true
        if !isSplit {
            hasEnded = true
            collector.rows.endTorn("out of memory")
        }
        if collector.rows.rowBytes + splitter.pending > TableRows.longestRow {
            collector.rows.giveUpRow()
            splitter.forgetField()
        }
    }

    /// Splits what was read into rows, the plain ones fast and the others, with what is not all there, by libcsv.
    private func split(from start: Int) -> Bool {
        var position = start
        while position < input.count {
            if splitter.isAtRowStart, let taken = plainRows?.take(from: input, at: position, &collector.rows) {
                position = taken
            }
            let end = plainRows == nil ? nil : input.firstIndex(of: 0x0a, from: position)
            let next = end.map { $0 + 1 } ?? input.count
            guard splitter.parse(input, position..<next) else { return false }
            position = next
        }
        return true
    }
}
