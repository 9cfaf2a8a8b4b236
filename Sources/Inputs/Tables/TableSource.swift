import Encodings
import Files

/// The claims of a CSV table or of the manifest of a folder, one per row.
final class TableSource: ClaimSource {
    private var stream: any ByteStream
    private let collector: RowCollector
    private let splitter: CSVSplitter
    private let names: ExportNames
    /// The splitter of plain rows; `nil` if libcsv splits all rows.
    private var plainRows: PlainRows?
    private var input = ByteArena()
    /// The last row of the input, which is incomplete; only of tables with tabs, where quotes may be text.
    private var rest = ByteArena()
    private var holdsRest = false
    private var unterminated = UnterminatedRow()
    /// Whether the last byte read was a line break, or nothing was read yet.
    private var isAtLineStart = true
    private var hasBegun = false
    private var hasEnded = false

    /// The length of a first line that names the separator.
    private var declaration = 0

    /// The number of bytes per read. Other threads wait while these are split, so for short rows it covers some 200.
    /// The last row of each piece is mostly incomplete and goes through libcsv, so for long rows pieces are larger.
    private var chunk = TableSource.chunks.upperBound

    private static let chunks = 16 << 10...128 << 10

    convenience init(
        _ stream: any ByteStream, table: String, folder: ReceiptFolder?, names: ExportNames = ExportNames(),
        unnamed: UnnamedFiles? = nil, pool: BufferPool
    ) {
        let rows = TableRows(table: table, folder: folder, names: names, unnamed: unnamed, pool: pool)
        self.init(stream, rows, names, plainRows: PlainRows())
    }

    init(_ stream: any ByteStream, _ rows: TableRows, _ names: ExportNames = ExportNames(), plainRows: PlainRows?) {
        self.stream = stream
        self.names = names
        collector = RowCollector(rows)
        self.plainRows = plainRows
        splitter = CSVSplitter(collector)
    }

    var fraction: Double? { stream.fraction }

    var omissions: Omissions {
        var omissions = collector.rows.damages
        if let header = collector.rows.header {
            omissions.add(unknownColumns: header.unknown)
            omissions.columnSearch.add(header)
            omissions.unknownValues = collector.rows.unknownValues
            for (name, column) in header.superseded {
                omissions.add("the column “\(name)” is not read, as another one is \(column.name)", to: \.notes)
            }
        }
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
        if !hasBegun { beginSeparating() }
        if rest.count > 0 {
            input.append(0..<rest.count, of: rest)
            rest.empty()
        }
        do throws(StreamDamage) {
            let read = hasBegun ? stream.read : stream.readFirst
            if try read(&input, chunk) == 0 {
                splitRest()
                return finish()
            }
        } catch {
            splitRest()
            return endTorn(upTo: input.count, error.reason)
        }
        let start = hasBegun ? 0 : max(declaration, input.byteOrderMark)
        hasBegun = true
        let firstLine = collector.rows.line
        split(from: start)
        adjustChunk(to: collector.rows.line - firstLine)
        if collector.rows.rowBytes + splitter.pending > TableRows.maxRowSize {
            if let next = nextRow() {
                breakRow(before: next, "a quote in it is not closed")
                return split(from: next)
            }
            collector.rows.abandonRow()
            splitter.discardField()
        }
    }

    /// Adjusts the size of a piece: smaller if it has many rows, and larger if it has few.
    ///
    /// - Parameter lines: the number of lines in the last piece.
    private func adjustChunk(to lines: Int) {
        if lines > 256 {
            chunk = max(Self.chunks.lowerBound, chunk / 2)
        } else if lines < 64 {
            chunk = min(Self.chunks.upperBound, chunk * 2)
        }
    }

    /// Finds the separator of cells in the first line.
    private func beginSeparating() {
        let peeked = PeekedStream(stream, atMost: TableHeader.prefix)
        stream = peeked
        if let found = TableHeader.declaration(in: peeked.start.span) {
            declaration = found.length
            collector.rows.skipLine()
        }
        let start = peeked.start.span
        let found =
            TableHeader.separator(in: start, names)
            ?? TableHeader.separator(in: start, names, naming: Column.allCases)
        guard let separator = found, separator != UInt8(ascii: ",") else { return }
        splitter.separate(by: separator)
        unterminated = UnterminatedRow(separator: separator)
        holdsRest = separator == 0x09 && plainRows != nil
        if plainRows != nil { plainRows = PlainRows(separator: separator) }
    }

    /// Returns the index to continue from after the first line of the current row, if rows seem to follow it.
    private func nextRow() -> Int? {
        guard !collector.rows.isTooLong, collector.rows.header != nil else { return nil }
        return unterminated.nextRow(in: &input)
    }

    /// Ends the current row, which is not a row, with its first line, or with the lines up to the next row.
    ///
    /// - Parameter next: the index in the input at which the next row starts.
    private func breakRow(before next: Int, _ reason: String) {
        let (bytes, lines) = unterminated.givenUp
        collector.rows.breakRow(input.span((next - bytes)..<next), lines: lines, reason)
        splitter.discardRow()
        isAtLineStart = true
    }

    /// Ends the table with the current row, which is unreadable, up to an index of the input.
    private func endTorn(upTo end: Int, _ reason: String) {
        hasEnded = true
        let bytes = collector.rows.isTooLong || isAtRowStart ? ByteArena() : unterminated.bytes(input, upTo: end)
        collector.rows.endTorn(bytes.span(0..<bytes.count), reason)
    }

    /// Adds the row that has just ended before an index of the input, if it is unreadable.
    private func endUnread(before end: Int) {
        guard collector.rows.awaitsBytes else { return }
        let bytes = unterminated.bytes(input, upTo: end)
        collector.rows.endUnread(bytes.span(0..<bytes.count))
    }

    private func finish() {
        if !hasBegun { collector.rows.addDamage("the table is empty, without a header", losesRows: false) }
        if splitter.finish() {
            endUnread(before: input.count)
            hasEnded = true
        } else if let next = nextRow() {
            breakRow(before: next, "a quote in it is not closed")
            split(from: next)
        } else {
            endTorn(
                upTo: input.count, "a quote is not closed, so everything after it is part of this row")
        }
    }

    /// Splits the input into rows: plain ones fast, others and incomplete ones with libcsv.
    private func split(from start: Int) {
        var position = start
        while position < input.count {
            let shape = collector.rows.header?.shape ?? RowShape()
            if isAtRowStart {
                if let end = plainRows?.split(input, from: position, into: &collector.rows) { position = end }
                if hold(from: position) { return }
                unterminated.begin(at: position)
            }
            let next = input.lineEnd(from: position)
            // libcsv may end a row that continues, so it is examined before.
            unterminated.scan(input, upTo: next, shape)
            if unterminated.isBroken, let row = nextRow() {
                breakRow(before: row, "a quote in it is unclosed or misplaced")
                position = row
                continue
            }
            guard splitter.parse(input, position..<next) else {
                return endTorn(upTo: next, "out of memory")
            }
            // Other rows may have become part of one with wrong quotes.
            if splitter.isAtRowStart {
                if unterminated.isBroken, unterminated.hasLines { collector.rows.noteBrokenRow() }
                if unterminated.holdsRow { collector.rows.noteHiddenRow() }
            }
            endUnread(before: next)
            isAtLineStart = input[next - 1] == 0x0a || input[next - 1] == 0x0d
            position = next
        }
        guard !isAtRowStart else { return }
        if collector.rows.isTooLong {
            unterminated.skip()
        } else if splitter.isAtRowStart {
            unterminated.keepBlanks(input)
        } else {
            unterminated.keep(input)
        }
        input.empty()
    }

    /// Splits the last row, which has no line end.
    private func splitRest() {
        guard holdsRest else { return }
        holdsRest = false
        plainRows?.isAtEnd = true
        guard hasBegun, input.count > 0 else { return }
        if input.firstIndex(of: 0x22, from: 0) != nil, input[input.count - 1] != 0x0a { input.append(0x0a) }
        split(from: 0)
    }

    /// Keeps an incomplete row for the next piece, if quotes in it may be text.
    private func hold(from start: Int) -> Bool {
        guard holdsRest, input.count - start <= TableRows.maxRowSize,
            plainRows?.needsMore == true || input.firstIndex(of: 0x0a, from: start) == nil
        else { return false }
        rest.append(start..<input.count, of: input)
        input.empty()
        return true
    }

    /// Whether a row starts at the next byte. libcsv skips blanks before a row's first cell.
    private var isAtRowStart: Bool { isAtLineStart && splitter.isAtRowStart }
}
