import Encodings

/// The known shape of a table's rows: the number of cells, and which of them have a receipt or token.
struct RowShape {
    /// The number of cells; 0 if it is not known yet.
    var cells = 0
    /// The indices of the cells for a receipt; empty if rows name files.
    var receipts: [Int] = []
}

/// Finds the first line after a quote that looks like a separate row, in a row that libcsv has begun.
///
/// It scans each byte once, in order, so that the result does not depend on the pieces in which a table arrives.
struct LaterRow {
    private enum State {
        case first, behindReturn, line, found
    }

    private let separator: UInt8
    private var state = State.first
    private var count = 0
    /// The number of ended lines.
    private var ended = 0
    private var line = Line()
    /// A place in the row, and the number of lines before it.
    private var second: (start: Int, lines: Int)?
    private var start = (start: 0, lines: 0)
    /// The lines between the first one and the current one, and whether one of them has a quote.
    private var lines = -1
    private var hasQuotesBefore = false
    /// The cell that the quote opens: the beginning of its content, and whether all of it may be base64.
    private var opened: Cell?
    /// Whether that cell is a wrapped receipt, which extends to the first line with anything else.
    private var isWrapped = false

    private struct Cell {
        var head: [UInt8] = []
        var isDigits = true

        mutating func add(_ byte: UInt8) {
            if head.count < ProofStart.length { head.append(byte) }
            isDigits = isDigits && ProofStart.isDigit(byte)
        }

        var isWrapped: Bool { isDigits && ProofStart.begins(head.span) }
    }

    /// The current line.
    private struct Line {
        var cells = 1
        var isQuoted = false
        var hasQuote = false
        var isBlank = true
        /// Whether bytes of it have been scanned.
        var hasBegun = false
        var isDigits = true
        /// The beginning of the cell for a receipt.
        var receipt: [UInt8] = []
    }

    /// The maximum number of lines with quotes that are split again: each may begin a row that runs on.
    private static let maxLines = 32

    init(separator: UInt8) { self.separator = separator }

    /// Whether a row was found: with closed quotes, and as many cells as the header, unlike base64 and other wrapped
    /// text; or the first line of a row with a wrapped receipt.
    var isFound: Bool { state == .found }

    /// Whether more than one line has ended in the row.
    var hasLines: Bool { ended > 1 }

    /// The position to continue from: the second line, which may be a malformed row, unless that could happen too
    /// often.
    var resumption: (start: Int, lines: Int) {
        guard let second, !hasQuotesBefore || lines < Self.maxLines else { return start }
        return second
    }

    /// Begins at the line with a quote. The bytes after the quote follow.
    mutating func begin(_ cell: Span<UInt8>) {
        guard state != .found else { return }
        state = .first
        second = nil
        lines = -1
        hasQuotesBefore = false
        isWrapped = false
        line = Line()
        var opened = Cell()
        for index in cell.indices where opened.isDigits { opened.add(cell[index]) }
        self.opened = opened
    }

    /// Scans the next bytes of the row: a line up to its break, which is LF or CR, or a piece of one.
    ///
    /// - Parameter isOpening: whether ``begin(_:)`` was called with some of them.
    mutating func scan(_ bytes: Span<UInt8>, _ shape: RowShape, isOpening: Bool) {
        guard state != .found, bytes.count > 0 else { return }
        if state == .behindReturn {
            state = .line
            // The LF of a CR LF belongs to the line before.
            let isLineFeed = bytes[0] == 0x0a
            if isLineFeed { count += 1 }
            start = (count, ended)
            if second == nil { second = start }
            if isLineFeed { return }
        }
        count += bytes.count
        let last = bytes[bytes.count - 1]
        let isEnd = last == 0x0a || last == 0x0d
        if state == .first {
            if !isOpening, opened != nil { for index in bytes.indices { opened?.add(bytes[index]) } }
            guard isEnd else { return }
            isWrapped = opened?.isWrapped ?? false
            opened = nil
        } else {
            // Nearly all lines belong to receipts: one whole cell.
            if shape.cells > 1, !isWrapped, isEnd, !line.hasBegun, bytes.firstIndex(of: 0x22) == nil,
                bytes.firstIndex(of: separator) == nil
            {
                return endLine(last)
            }
            line.hasBegun = true
            for index in bytes.indices { scan(bytes[index], shape) }
            guard isEnd else { return }
            let isProof = ProofStart.begins(line.receipt.span)
            guard !isRow(shape, isProof) else { return state = .found }
            if isWrapped {
                // The line belongs to the receipt that began earlier and ends at the first line with anything else.
                isWrapped = line.isDigits
                second = nil
                lines = -1
                line = Line()
                return endLine(last)
            }
            hasQuotesBefore = hasQuotesBefore || line.hasQuote
            line = Line()
        }
        endLine(last)
    }

    /// Ends a line: the first one, or one that is not a row.
    private mutating func endLine(_ last: UInt8) {
        lines += 1
        ended += 1
        if last == 0x0a {
            state = .line
            start = (count, ended)
            if second == nil { second = start }
        } else {
            state = .behindReturn
        }
    }

    private mutating func scan(_ byte: UInt8, _ shape: RowShape) {
        if byte == 0x22 {
            line.isQuoted = !line.isQuoted
            line.hasQuote = true
            line.isDigits = false
            line.isBlank = false
        } else if byte == separator, !line.isQuoted {
            line.cells += 1
            line.isDigits = false
            line.isBlank = false
        } else {
            if line.isBlank { line.isBlank = byte.isBlank }
            if isWrapped, line.isDigits { line.isDigits = ProofStart.isDigit(byte) }
            if line.receipt.count < ProofStart.length, shape.receipts.contains(line.cells - 1) {
                line.receipt.append(byte)
            }
        }
    }

    /// Whether the current line, which has ended, looks like a row or the first line of one.
    private func isRow(_ shape: RowShape, _ isProof: Bool) -> Bool {
        if isProof, line.isQuoted ? shape.receipts.contains(line.cells - 1) : line.cells == shape.cells { return true }
        guard !isWrapped, !line.isQuoted, line.cells == shape.cells else { return false }
        // Any text is a line with one cell.
        return shape.cells > 1 || shape.receipts.isEmpty && !line.isBlank && shape.cells == 1
    }
}
