import Encodings

/// A row that libcsv has begun and not ended: its bytes, so that they can be split again if it turns out to be none.
struct RunOnRow {
    /// The bytes of the row before the current input.
    private var earlier = ByteArena()
    /// The index at which it starts in the current input, if it starts there.
    private var start: Int?
    private let separator: UInt8
    private var quotes: QuoteScanner
    private var laterRow: LaterRow
    private var scanned = 0

    /// - Parameter separator: of cells.
    init(separator: UInt8 = UInt8(ascii: ",")) {
        self.separator = separator
        (quotes, laterRow) = (QuoteScanner(separator: separator), LaterRow(separator: separator))
    }

    /// Begins a row at a position of the input.
    mutating func begin(at position: Int) {
        if earlier.isReusable { earlier.empty() } else { earlier = ByteArena() }
        start = position
        (quotes, laterRow) = (QuoteScanner(separator: separator), LaterRow(separator: separator))
        scanned = position
    }

    /// Scans the row's next bytes, up to a line break or the end of the input.
    ///
    /// - Parameter columns: of the table; 0 if they are not known yet.
    mutating func scan(_ input: ByteArena, upTo end: Int, columns: Int) {
        let bytes = input.span(scanned..<end)
        quotes.scan(bytes)
        laterRow.scan(bytes, columns: columns)
        scanned = end
    }

    /// Whether a quote stands where none may.
    var isBroken: Bool { quotes.isBroken }

    /// Returns the index in the input at which to go on, if a later line looks like a row of its own.
    ///
    /// - Parameter input: the earlier bytes of the row are put in front of it, if the line starts there.
    func nextRow(in input: inout ByteArena) -> Int? {
        guard laterRow.isFound else { return nil }
        if let start { return start + laterRow.resumption.start }
        var whole = earlier
        whole.append(0..<input.count, of: input)
        input = whole
        return laterRow.resumption.start
    }

    /// The number of bytes and of lines that are given up, if ``nextRow(in:)`` has found a row.
    var givenUp: (bytes: Int, lines: Int) { (laterRow.resumption.start, laterRow.resumption.lines) }

    /// Returns the bytes of the row up to an index of the input.
    func bytes(_ input: ByteArena, upTo end: Int) -> ByteArena {
        var bytes = earlier
        bytes.append(min(start ?? 0, end)..<end, of: input)
        return bytes
    }

    /// Stores the blanks before the row's first cell, which may be any number, before the input is replaced.
    mutating func keepBlanks(_ input: ByteArena) {
        guard earlier.count + input.count <= TableRows.maxRowSize else { return skip() }
        keep(input)
    }

    /// Stores the row's bytes before the input is replaced.
    mutating func keep(_ input: ByteArena) {
        earlier.append((start ?? 0)..<input.count, of: input)
        (start, scanned) = (nil, 0)
    }

    /// Does the same for a row of which nothing is stored.
    mutating func skip() { (start, scanned) = (nil, 0) }
}

extension ByteArena {
    /// Returns the index behind the next line break, LF or CR; the end if there is none.
    func lineEnd(from start: Int) -> Int {
        let feed = firstIndex(of: 0x0a, from: start).map { $0 + 1 } ?? count
        return firstIndex(of: 0x0d, in: start..<feed).map { $0 + 1 } ?? feed
    }
}

/// Finds the first line behind the first one of a row that libcsv has begun, that looks like a row of its own.
///
/// It scans each byte once, in order, so that the result does not depend on the pieces in which a table arrives.
private struct LaterRow {
    private enum State {
        case first, behindReturn, line, found
    }

    private let separator: UInt8
    private var state = State.first
    private var count = 0
    private var cells = 1
    private var isQuoted = false
    private var hasQuote = false
    /// Where the second line and the current one start, in bytes of the row.
    private var second = 0
    private var start = 0
    /// The lines before the current one, but for the first, and whether a quote stands in one of them.
    private var lines = 0
    private var hasQuotesBefore = false

    /// How many lines with quotes are split again: each may begin a row that runs on.
    private static let maxLines = 32

    init(separator: UInt8) { self.separator = separator }

    /// Whether there is one: with quotes that are closed, and as many cells as the header has, unlike base64 and other text
    /// that was broken into lines.
    var isFound: Bool { state == .found }

    /// Where to go on: at the second line, which may be a row that is malformed, unless that could be too often.
    var resumption: (start: Int, lines: Int) {
        !hasQuotesBefore || lines < Self.maxLines ? (second, 1) : (start, lines + 1)
    }

    /// Scans the next bytes of the row: a line up to its break, which is LF or CR, or a piece of one.
    mutating func scan(_ bytes: Span<UInt8>, columns: Int) {
        guard state != .found, bytes.count > 0 else { return }
        if state == .behindReturn {
            state = .line
            // The LF of a CR LF belongs to the line before.
            let isLineFeed = bytes[0] == 0x0a
            if isLineFeed { count += 1 }
            start = count
            if second == 0 { second = count }
            if isLineFeed { return }
        }
        count += bytes.count
        let last = bytes[bytes.count - 1]
        if state == .line {
            for index in bytes.indices {
                if bytes[index] == 0x22 { (isQuoted, hasQuote) = (!isQuoted, true) }
                if bytes[index] == separator, !isQuoted { cells += 1 }
            }
            guard last == 0x0a || last == 0x0d else { return }
            guard columns <= 1 || cells != columns || isQuoted else { return state = .found }
            lines += 1
            hasQuotesBefore = hasQuotesBefore || hasQuote
            (cells, isQuoted, hasQuote) = (1, false, false)
        }
        if last == 0x0a {
            (state, start) = (.line, count)
            if second == 0 { second = count }
        } else if last == 0x0d {
            state = .behindReturn
        }
    }
}

/// Scans the quotes of one row of CSV, of which a line break in a quoted cell is a part.
///
/// A quote that is not closed would make a single row of all lines up to the next quote. RFC 4180, section 2, says
/// where quotes may stand; where they stand elsewhere, the bytes are no row.
package struct QuoteScanner {
    private enum State {
        case beforeCell, plain, quoted, quoteInQuoted, behindQuoted
    }

    private let isStrict: Bool
    private let separator: UInt8
    private var state = State.beforeCell
    /// The number of cells so far.
    private var cells = 1
    /// Whether a quote stands where none may.
    private(set) var isBroken = false

    /// - Parameter isStrict: whether spaces and tabs around a quoted cell, and line breaks outside of quotes, are
    ///   errors.
    init(isStrict: Bool = false, separator: UInt8 = UInt8(ascii: ",")) {
        (self.isStrict, self.separator) = (isStrict, separator)
    }

    /// Whether the text is one row, without the line break at its end, with a number of cells.
    package static func isRow(_ text: Span<UInt8>, cells: Int) -> Bool {
        var scanner = QuoteScanner(isStrict: true)
        scanner.scan(text)
        return !scanner.isBroken && scanner.state != .quoted && scanner.cells == cells
    }

    /// Scans the next bytes of the row.
    mutating func scan(_ bytes: Span<UInt8>) {
        var index = 0
        while index < bytes.count {
            index += skip(bytes.extracting(index...))
            guard index < bytes.count else { return }
            scan(bytes[index])
            index += 1
        }
    }

    /// Returns the number of bytes that lie inside of a cell, up to the one that ends it or may end it.
    private mutating func skip(_ bytes: Span<UInt8>) -> Int {
        switch state {
        case .beforeCell, .quoteInQuoted, .behindQuoted: return 0
        case .quoted: return bytes.firstIndex(of: 0x22) ?? bytes.count
        case .plain:
            let end = bytes.firstIndex(of: separator) ?? bytes.count
            let cell = bytes.extracting(..<end)
            if cell.firstIndex(of: 0x22) != nil { isBroken = true }
            if isStrict, cell.firstIndex(of: 0x0a) != nil || cell.firstIndex(of: 0x0d) != nil { isBroken = true }
            return end
        }
    }

    private mutating func scan(_ byte: UInt8) {
        switch state {
        case .beforeCell, .plain:
            switch byte {
            case 0x22 where state == .beforeCell: state = .quoted
            case 0x22: isBroken = true
            case separator: endCell()
            case 0x0a where isStrict, 0x0d where isStrict: isBroken = true
            case 0x20 where !isStrict, 0x09 where !isStrict: break
            default: state = .plain
            }
        case .quoted: if byte == 0x22 { state = .quoteInQuoted }
        case .quoteInQuoted where byte == 0x22: state = .quoted
        case .quoteInQuoted, .behindQuoted:
            switch byte {
            case separator: endCell()
            case 0x20 where !isStrict, 0x09 where !isStrict, 0x0d where !isStrict, 0x0a where !isStrict:
                state = .behindQuoted
            default: isBroken = true
            }
        }
    }

    private mutating func endCell() {
        state = .beforeCell
        cells += 1
    }
}
