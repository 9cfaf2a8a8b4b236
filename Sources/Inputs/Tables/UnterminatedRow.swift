import Encodings

/// A row that libcsv has begun and not ended: its bytes, so that they can be split again if it is not a row.
struct UnterminatedRow {
    /// The bytes of the row before the current input.
    private var earlier = ByteArena()
    /// The index at which it starts in the current input, if it starts there.
    private var start: Int?
    private let separator: UInt8
    private var quotes: QuoteScanner
    private var laterRow: LaterRow
    private var scanned = 0

    /// - Parameter separator: the separator of cells.
    init(separator: UInt8 = UInt8(ascii: ",")) {
        self.separator = separator
        quotes = QuoteScanner(separator: separator)
        laterRow = LaterRow(separator: separator)
    }

    /// Begins a row at a position of the input.
    mutating func begin(at position: Int) {
        if earlier.isReusable { earlier.empty() } else { earlier = ByteArena() }
        start = position
        quotes = QuoteScanner(separator: separator)
        laterRow = LaterRow(separator: separator)
        scanned = position
    }

    /// Scans the row's next bytes, up to a line break or the end of the input.
    mutating func scan(_ input: ByteArena, upTo end: Int, _ shape: RowShape) {
        let bytes = input.span(scanned..<end)
        let opening = quotes.scan(bytes)
        // Rows after a quote begin after the line in which it opens a cell.
        if let opening { laterRow.begin(bytes.extracting(opening...)) }
        laterRow.scan(bytes, shape, isOpening: opening != nil)
        scanned = end
    }

    /// Whether more than one line has ended in the row.
    var hasLines: Bool { laterRow.hasLines }

    /// Whether a quote is in a place where CSV allows none.
    var isBroken: Bool { quotes.isBroken }

    /// Whether its quotes are in their places, and a line inside them looks like a separate row.
    var holdsRow: Bool { !isBroken && laterRow.isFound }

    /// Returns the index in the input to continue from, if a later line looks like a separate row.
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

    /// Stores the blanks before the row's first cell, of any number, before the input is replaced.
    mutating func keepBlanks(_ input: ByteArena) {
        guard earlier.count + input.count <= TableRows.maxRowSize else { return skip() }
        keep(input)
    }

    /// Stores the row's bytes before the input is replaced.
    mutating func keep(_ input: ByteArena) {
        earlier.append((start ?? 0)..<input.count, of: input)
        start = nil
        scanned = 0
    }

    /// Does the same for a row without stored bytes.
    mutating func skip() { (start, scanned) = (nil, 0) }
}

extension ByteArena {
    /// Returns the index after the next line break, LF or CR; the end if there is none.
    func lineEnd(from start: Int) -> Int {
        let feed = firstIndex(of: 0x0a, from: start).map { $0 + 1 } ?? count
        return firstIndex(of: 0x0d, in: start..<feed).map { $0 + 1 } ?? feed
    }
}

/// Scans the quotes of one row of CSV. A line break in a quoted cell belongs to the row.
///
/// An unclosed quote would join all lines up to the next quote into a single row. RFC 4180, section 2, defines where
/// quotes are allowed; bytes with quotes elsewhere are not a row.
package struct QuoteScanner {
    private enum State {
        case beforeCell, plain, quoted, quoteInQuoted, behindQuoted
    }

    private let isStrict: Bool
    private let separator: UInt8
    private var state = State.beforeCell
    /// The number of cells so far.
    private var cells = 1
    /// Whether a quote is in a place where CSV allows none.
    private(set) var isBroken = false

    /// - Parameter isStrict: whether spaces and tabs around a quoted cell, and line breaks outside quotes, are errors.
    init(isStrict: Bool = false, separator: UInt8 = UInt8(ascii: ",")) {
        self.isStrict = isStrict
        self.separator = separator
    }

    /// Whether the text is one row, without the line break at its end, with a number of cells.
    package static func isRow(_ text: Span<UInt8>, cells: Int) -> Bool {
        var scanner = QuoteScanner(isStrict: true)
        scanner.scan(text)
        return !scanner.isBroken && scanner.state != .quoted && scanner.cells == cells
    }

    /// Scans the next bytes of the row.
    ///
    /// - Returns: the index after the last quote that opens a cell, or of the first one that is not allowed and closes
    ///   no cell; `nil` if there is none.
    @discardableResult
    mutating func scan(_ bytes: Span<UInt8>) -> Int? {
        var index = 0
        var opening: Int?
        while index < bytes.count {
            let wasBroken = isBroken
            let skipped = skip(bytes.extracting(index...))
            if isBroken, !wasBroken { opening = index }
            index += skipped
            guard index < bytes.count else { break }
            let before = state
            scan(bytes[index])
            index += 1
            if !wasBroken, state == .quoted, before == .beforeCell { opening = index }
        }
        return opening
    }

    /// Returns the number of bytes inside a cell, up to the one that ends it or may end it.
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
