import Encodings
import Files

/// Reads the texts of one file.
final class EvidenceReader {
    private let name: String
    private let stream: any ByteStream
    private var text = ByteArena()
    private var position = 0
    private var line = 1
    private var isWhole = false
    /// The columns of a table; `nil` for other files.
    private var columns: EvidenceColumns?
    /// Whether to interpret quotes in rows. After an unclosed quote they are ignored: each line is then a row.
    private var readsQuotes = true
    private var hasBegun = false
    private var hasEnded = false
    private(set) var damage: InputDamage?
    /// Whether the file had no text so far.
    private(set) var isEmpty = true

    private static let chunk = 1 << 17
    /// The maximum size of a line, and of JSON over several lines.
    private static let maxTextSize = 64 << 20
    /// The maximum size of a row with multi-line cells.
    private static let maxRowSize = 16 << 20

    init(_ path: GivenPath) throws(InputError) {
        name = path.written
        stream = try InputFile(path.path).stream
    }

    /// Adds the next text to a block; `false` at the end of the file.
    func read(into block: inout EvidenceBlock) throws(InputError) -> Bool {
        if !hasBegun { begin() }
        if isWhole {
            guard !hasEnded || position < text.count else { return false }
            while !hasEnded, text.count <= Self.maxTextSize { refill() }
            let damage = text.count > Self.maxTextSize ? "over 64 MiB without an end of line" : damage?.reason
            block.append(ExactText(name), text.span(position..<text.count), damage: damage)
            isEmpty = false
            findCut(text.withoutBlanks(position..<text.count), at: name)
            text.empty()
            (position, hasEnded) = (0, true)
            return true
        }
        if let columns, readsQuotes, let isRow = try readRow(columns, into: &block) { return isRow }
        while true {
            if let end = text.firstIndex(of: 0x0a, from: position) {
                add(position..<end, to: &block)
                position = end + 1
                return true
            }
            guard !hasEnded else {
                guard position < text.count else { return false }
                addLast(to: &block)
                return true
            }
            if text.count - position > Self.maxTextSize {
                block.append("\(name):\(line)", text.span(position..<position), damage: "a line over 64 MiB")
                isEmpty = false
                hasEnded = true
                position = text.count
                return true
            }
            refill()
        }
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
            refill()
        }
    }

    /// Adds the text after the last line end.
    private func addLast(to block: inout EvidenceBlock) {
        let rest = text.withoutBlanks(position..<text.count)
        let place = "\(name):\(line)"
        add(position..<text.count, to: &block)
        findCut(rest, at: place)
        position = text.count
    }

    /// Records that the file ends within a text, like an interrupted write.
    private func findCut(_ range: Range<Int>, at place: String) {
        guard damage == nil, !range.isEmpty, isCut(text.span(range)) else { return }
        damage = InputDamage(source: place, reason: InputDamage.cutShort)
    }

    /// Whether the last text, without surrounding blanks, is incomplete.
    private func isCut(_ text: Span<UInt8>) -> Bool {
        if let columns {
            let cells = columns.cells(of: text)
            return !readsQuotes || cells.count < columns.count || cells.contains { $0.span.isCutToken }
        }
        guard text[0] == 0x7b || text[0] == 0x5b else { return text.isCutToken }
        let last = text[text.count - 1]
        return last != 0x7d && last != 0x5d
    }

    private func add(_ range: Range<Int>, lines: Int = 1, to block: inout EvidenceBlock) {
        defer { line += lines }
        let line = text.withoutBlanks(range)
        guard !line.isEmpty else { return }
        isEmpty = false
        block.append("\(name):\(self.line)", text.span(line), columns, damage: damage?.reason)
    }

    /// Reads the first bytes, and finds out whether each line is a text: a table begins with names, and JSON over
    /// several lines with a line that does not end in a closing bracket.
    private func begin() {
        hasBegun = true
        repeat { refill() } while !hasEnded && text.firstIndex(of: 0x0a, from: 0) == nil && text.count < 1 << 20
        position = text.byteOrderMark
        if let declaration = TableHeader.declaration(in: text.span(0..<text.count)) {
            (position, line) = (declaration.length, 2)
        }
        let first = text.withoutBlanks(position..<(text.firstIndex(of: 0x0a, from: position) ?? text.count))
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
        columns = EvidenceColumns(header: header.span, isTable: InputContent.isNamedTable(name))
        if columns != nil { (position, line) = (min(end + 1, text.count), line + 1) }
    }

    private func refill() {
        if position > Self.chunk {
            let rest = text.span(position..<text.count).copy()
            text.empty()
            text.append(rest.span)
            position = 0
        }
        do throws(StreamDamage) {
            hasEnded = try stream.read(into: &text, atMost: Self.chunk) == 0
        } catch {
            hasEnded = true
            damage = InputDamage(source: name, reason: error.reason)
        }
    }
}
