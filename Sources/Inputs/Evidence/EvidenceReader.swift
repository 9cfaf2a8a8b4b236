import Encodings
import Files

/// Reads the texts of one file: lines, rows of a table, or JSON over several lines.
///
/// How a file begins decides only how its texts are divided. ``EvidenceText`` finds the tokens in each of them, however
/// it was divided.
final class EvidenceReader {
    private let file: EvidenceFile
    private var stream: any ByteStream
    private var text = ByteArena()
    private var position = 0
    /// The index up to which there is no line break.
    private var searched = 0
    private var line = 1
    /// Whether the current line is longer than ``maxTextSize``, so that it is read in pieces.
    private var isInLongLine = false
    private var isWhole = false
    /// The columns of a table; `nil` for other files.
    private var columns: EvidenceColumns?
    /// Whether to interpret quotes in rows. After an unclosed quote they are ignored: each line is then a row.
    private var readsQuotes = true
    private var hasBegun = false
    private var hasEnded = false
    /// Whether the file begins like gzip and is damaged, or like a receipt, an archive or a picture. Only texts with
    /// tokens are read after that.
    private var isSalvage = false
    private(set) var damage: InputDamage?
    /// Whether the file had no text so far.
    private(set) var isEmpty = true

    private static let chunk = 1 << 17
    /// The maximum size of a line, and of JSON over several lines.
    private let maxTextSize: Int
    /// The maximum size of a row with multi-line cells.
    private static let maxRowSize = 16 << 20
    /// Longer tokens are not read.
    private static let maxTokenSize = 8 << 20

    init(_ file: EvidenceFile, maxTextSize: Int) throws(InputError) {
        self.maxTextSize = maxTextSize
        self.file = file
        stream = try InputFile(file.path).stream
    }

    /// Adds the next text to a block; `false` at the end of the file.
    func read(into block: inout EvidenceBlock) throws(InputError) -> Bool {
        if !hasBegun {
            try begin()
            if isBinary { addStart(to: &block) }
        }
        if isWhole {
            while !hasEnded, text.count <= maxTextSize { try refill() }
            isWhole = text.count <= maxTextSize
            if isWhole { return addWhole(to: &block) }
        }
        if let columns, readsQuotes, let isRow = try readRow(columns, into: &block) { return isRow }
        while true {
            if let end = text.firstIndex(of: 0x0a, from: max(position, searched)) {
                add(position..<end, to: &block)
                position = end + 1
                isInLongLine = false
                return true
            }
            searched = text.count
            guard !hasEnded else {
                guard position < text.count else { return false }
                addLast(to: &block)
                return true
            }
            if text.count - position > maxTextSize {
                addPiece(to: &block)
                return true
            }
            try refill()
        }
    }

    /// Whether the file begins like no text.
    private var isBinary: Bool {
        let start = text.span(0..<min(text.count, ProofStart.length)).copy()
        guard !isSalvage, !start.isEmpty else { return false }
        return ProofStart.isContainer(start) || SeenForm(magic: start) ?? .utf16 != .utf16
    }

    /// Adds the beginning of a file of bytes as one text. A stranger may have written it.
    private func addStart(to block: inout EvidenceBlock) {
        isSalvage = true
        isWhole = false
        columns = nil
        let start = 0..<min(text.count, Self.chunk)
        guard EvidenceText(text.span(start).copy()).found.isEmpty else { return }
        block.append(file, text.span(start))
        isEmpty = false
    }

    /// Adds the whole file.
    private func addWhole(to block: inout EvidenceBlock) -> Bool {
        let range = text.withoutBlanks(position..<text.count)
        defer { position = text.count }
        guard !range.isEmpty else { return false }
        block.append(file, text.span(range), damage: damage?.reason)
        isEmpty = false
        if range.upperBound == text.count { findCut(range, at: file.name.text) }
        return true
    }

    /// Adds the next row of a table, which may have multi-line cells. Returns `false` at the end of the file, and `nil`
    /// if a quote in it is not closed, so that nothing was read.
    private func readRow(_ columns: EvidenceColumns, into block: inout EvidenceBlock) throws(InputError) -> Bool? {
        var scanner = RowScanner(separator: columns.separator)
        var (length, lines) = (0, 0)
        while true {
            while position + length < text.count {
                let byte = text[position + length]
                length += 1
                if byte == 0x0a { lines += 1 }
                guard case .rowEnd = scanner.scan(byte) else { continue }
                add(position..<(position + length - 1), lines: lines, to: &block)
                position += length
                return true
            }
            if length > Self.maxRowSize || hasEnded && scanner.isInQuotes {
                readsQuotes = false
                return nil
            }
            if hasEnded {
                guard length > 0 else { return false }
                addLast(to: &block)
                return true
            }
            try refill()
        }
    }

    /// Adds the text after the last line end.
    private func addLast(to block: inout EvidenceBlock) {
        let rest = text.withoutBlanks(position..<text.count)
        let place = "\(file.name):\(line)"
        add(position..<text.count, to: &block)
        findCut(rest, at: place)
        position = text.count
    }

    /// Adds the beginning of a line that is too long to be read as a whole, up to a byte that is in no token.
    private func addPiece(to block: inout EvidenceBlock) {
        if !isInLongLine {
            block.append(file, text.span(position..<position), line: line, damage: "a line over 64 MiB")
        }
        var end = text.count
        while end > max(position, text.count - Self.maxTokenSize), text[end - 1].isRunByte { end -= 1 }
        if end == position { end = text.count }
        add(position..<end, lines: 0, to: &block)
        position = end
        isInLongLine = true
    }

    /// Records that the file ends within a text, like an interrupted write. Whoever writes the last text can do that,
    /// so it is no sign that texts after it are missing.
    private func findCut(_ range: Range<Int>, at place: String) {
        guard damage == nil, !range.isEmpty else { return }
        let isCut: Bool
        if text.firstIndex(of: 0, in: range) == nil {
            isCut = self.isCut(text.span(range))
        } else {
            // Text in UTF-16 has a zero beside each character.
            let plain = text.span(range).copy().filter { $0 != 0 }
            isCut = self.isCut(plain.span.withoutBlanks)
        }
        guard isCut else { return }
        damage = InputDamage(source: place, reason: InputDamage.cutShort, losesRows: false)
    }

    /// Whether the last text, without surrounding blanks, is incomplete.
    private func isCut(_ text: Span<UInt8>) -> Bool {
        if let columns {
            let cells = columns.cells(of: text)
            return !readsQuotes || cells.count < columns.count || cells.contains { $0.span.isCutToken }
        }
        guard text.opensJSON else { return text.isCutToken }
        let last = text[text.count - 1]
        return last != 0x7d && last != 0x5d
    }

    private func add(_ range: Range<Int>, lines: Int = 1, to block: inout EvidenceBlock) {
        defer { line += lines }
        let line = text.withoutBlanks(range)
        // The rest of the last line break in UTF-16 or UTF-32.
        guard !line.isEmpty, line.count > 3 || line.contains(where: { text[$0] != 0 }) else { return }
        guard !isSalvage || isSalvaged(text.span(line).copy()) else { return }
        isEmpty = false
        block.append(file, text.span(line), line: self.line, columns, damage: isSalvage ? nil : damage?.reason)
    }

    /// Reads the first bytes, and finds out whether each line is a text: a table begins with names, and JSON over
    /// several lines with a line that does not end in a closing bracket.
    private func begin() throws(InputError) {
        hasBegun = true
        repeat { try refill() } while !hasEnded && text.firstIndex(of: 0x0a, from: 0) == nil && text.count < 1 << 20
        guard !isSalvage else { return }
        position = text.byteOrderMark
        if let declaration = TableHeader.declaration(in: text.span(0..<text.count)) {
            position = declaration.length
            line = 2
        }
        let first = text.withoutBlanks(position..<(text.firstIndex(of: 0x0a, from: position) ?? text.count))
        if ProofStart.beginsReceipt(text.span(first)) { return isWhole = true }
        guard let bracket = first.first.map({ text[$0] }), bracket == 0x7b || bracket == 0x5b else {
            return beginTable()
        }
        let last = text[first.upperBound - 1]
        isWhole = first.count == 1 || last != 0x7d && last != 0x5d
    }

    private func beginTable() {
        let end = text.firstIndex(of: 0x0a, from: position) ?? text.count
        let header = text.span(text.withoutBlanks(position..<end)).copy()
        guard !header.isEmpty, header.count <= TableHeader.prefix else { return }
        columns = EvidenceColumns(header: header.span, isTable: InputContent.isNamedTable(file.name.text))
        if columns != nil { (position, line) = (min(end + 1, text.count), line + 1) }
    }

    private func refill() throws(InputError) {
        if position > Self.chunk {
            text.removeFirst(position)
            (position, searched) = (0, max(0, searched - position))
        }
        do throws(StreamDamage) {
            hasEnded = try stream.read(into: &text, atMost: Self.chunk) == 0
        } catch {
            damage = InputDamage(source: file.name.text, reason: error.reason)
            hasEnded = !(stream is GzipStream)
            if stream is GzipStream { try beginSalvage() }
        }
    }

    /// Continues with the file's own bytes: what anybody wrote first may have begun like gzip.
    private func beginSalvage() throws(InputError) {
        stream = try InputFile(file.path, decompresses: false).stream
        if text.count > 0 { text.append(0x0a) }
        isSalvage = true
        isWhole = false
        columns = nil
    }

    /// Whether a text among bytes that are no text has a token, or a part of one. Then more than those is in the file.
    private func isSalvaged(_ text: [UInt8]) -> Bool {
        let read = EvidenceText(text)
        guard !read.found.isEmpty || damage == nil && read.lost > 0 else { return false }
        damage?.losesRows = false
        return true
    }
}
