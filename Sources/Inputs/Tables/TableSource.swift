import Encodings
import Files

/// The claims of a CSV table or of the manifest of a folder, one a row.
final class TableSource: ClaimSource {
    private let stream: any ByteStream
    private let collector: RowCollector
    private let splitter: CSVSplitter
    /// `nil` if libcsv splits all rows.
    private var plainRows: PlainRows?
    private var input = ByteArena()
    private var runOn = RunOnRow()
    private var hasBegun = false
    private var hasEnded = false

    private static let chunk = 128 << 10

    convenience init(
        _ stream: any ByteStream, table: String, folder: ConfinedDirectory?, unnamed: UnnamedFiles? = nil,
        pool: BufferPool
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
        var omissions = collector.rows.damages
        omissions.add(unknownColumns: collector.rows.header?.unknown ?? [])
        return omissions
    }

    func next() throws(InputError) -> ClaimBlock? {
        while true {
            if let block = collector.rows.nextBlock(atEnd: hasEnded) { return block }
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
            if try read(&input, Self.chunk) == 0 { return finish() }
        } catch {
            hasEnded = true
            collector.rows.endTorn(error.reason)
            return
        }
        let start = hasBegun ? 0 : input.byteOrderMark
        hasBegun = true
        split(from: start)
        if collector.rows.rowBytes + splitter.pending > TableRows.maxRowSize {
            if let next = nextRow() {
                breakRow("a quote in it is not closed")
                return split(from: next)
            }
            collector.rows.abandonRow()
            splitter.discardField()
        }
    }

    /// Returns the index of the row that follows the first line of the current one, if there seems to be one.
    private func nextRow() -> Int? {
        guard !collector.rows.isTooLong, let columns = collector.rows.header?.columns.count else { return nil }
        return runOn.nextRow(in: &input, columns: columns)
    }

    /// Ends the current row, which is none, with its first line.
    private func breakRow(_ reason: String) {
        collector.rows.breakRow(reason)
        splitter.discardRow()
    }

    private func finish() {
        if !hasBegun { collector.rows.addDamage("the table is empty: it has not even a header") }
        if splitter.finish() {
            hasEnded = true
        } else if let next = nextRow() {
            breakRow("a quote is left open in it")
            split(from: next)
        } else {
            hasEnded = true
            collector.rows.endTorn("a quote is left open, so that all that stands behind it is part of this row")
        }
    }

    /// Splits the input into rows: the plain ones fast, the others and incomplete ones by libcsv.
    private func split(from start: Int) {
        var position = start
        while position < input.count {
            if splitter.isAtRowStart {
                if let end = plainRows?.split(input, from: position, into: &collector.rows) { position = end }
                runOn.begin(at: position)
            }
            let next = input.lineEnd(from: position)
            // libcsv may end a row that goes on, so it is looked at before.
            runOn.scan(input, upTo: next)
            if runOn.isBroken, let row = nextRow() {
                breakRow("a quote in it is not closed, or stands where none may")
                position = row
                continue
            }
            guard splitter.parse(input, position..<next) else {
                hasEnded = true
                return collector.rows.endTorn("out of memory")
            }
            position = next
        }
        guard !splitter.isAtRowStart else { return }
        if collector.rows.isTooLong { runOn.skip() } else { runOn.keep(input) }
        input.empty()
    }
}

extension InputFormat {
    static let csv = InputFormat([".csv"]) { stream, origin, pool in
        TableSource(stream, table: origin.table, folder: origin.folder, pool: pool)
    }
}
