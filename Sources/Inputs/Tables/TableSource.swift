/// A CSV table, or the manifest of a folder: one claim a row.
final class TableSource: ClaimSource {
    private let stream: any ByteStream
    private let collector: RowCollector
    private let splitter: CSVSplitter
    /// `nil` if all rows are left to libcsv.
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
            if try read(&input, Self.chunk) == 0 { return finish() }
        } catch {
            hasEnded = true
            collector.rows.endTorn(error.reason)
            return
        }
        let start = hasBegun ? 0 : input.byteOrderMark
        hasBegun = true
        split(from: start)
        if collector.rows.rowBytes + splitter.pending > TableRows.longestRow {
            if let next = nextRow() {
                breakRow("a quote in it is not closed")
                return split(from: next)
            }
            collector.rows.giveUpRow()
            splitter.forgetField()
        }
    }

    /// Where the row stands that follows the first line of the one that has begun, if a row seems to stand there.
    private func nextRow() -> Int? {
        guard !collector.rows.isTooLong, let columns = collector.rows.header?.columns.count else { return nil }
        return runOn.nextRow(in: &input, columns: columns)
    }

    /// Ends a row that is none with its first line.
    private func breakRow(_ reason: String) {
        collector.rows.breakRow(reason)
        splitter.forgetRow()
    }

    private func finish() {
        if !hasBegun { collector.rows.note("the table is empty: it has not even a header") }
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

    /// Splits what was read into rows, the plain ones fast and the others, with what is not all there, by libcsv.
    private func split(from start: Int) {
        var position = start
        while position < input.count {
            if splitter.isAtRowStart {
                if let taken = plainRows?.take(from: input, at: position, &collector.rows) { position = taken }
                runOn.begin(at: position)
            }
            let next = input.lineEnd(from: position)
            // libcsv may end a row that goes on, so it is looked at before.
            runOn.take(input, upTo: next)
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
        if collector.rows.isTooLong { runOn.leave() } else { runOn.keep(input) }
        input.empty()
    }
}
