import Encodings
import Files

/// Writes the cells of rows in a binary form, which ``TypedCells`` reads when the workbook is made.
///
/// A cell is a tag and, depending on it, nothing, the eight bytes of a number, or the length of a text, the text as
/// changed by ``WorkbookText``, and a NUL for C.
struct TypedRow: RowBuffer {
    private(set) var bytes: [UInt8]

    enum Tag: UInt8 {
        case endOfRow
        case empty
        case text
        case number
        case decimal
        case date
    }

    init(_ columns: [String] = [], from column: Int = 0, appendingTo bytes: consuming [UInt8] = []) {
        self.bytes = bytes
    }

    mutating func takeBytes() -> [UInt8] { bytes.take() }

    mutating func endRow() { append(.endOfRow) }

    mutating func text(_ text: String) {
        guard !text.isEmpty else { return empty() }
        append(.text)
        let start = bytes.count
        append(UInt32(0))
        WorkbookText.append(text, to: &bytes)
        close(from: start)
    }

    mutating func code(_ code: String) { text(code) }

    /// Writes a text unchanged.
    mutating func exactText(_ text: String) {
        guard !text.isEmpty else { return empty() }
        append(.text)
        let start = bytes.count
        append(UInt32(0))
        bytes.append(contentsOf: text.utf8)
        close(from: start)
    }

    mutating func hex(_ digits: Span<UInt8>) {
        append(.text)
        let start = bytes.count
        append(UInt32(0))
        Hex.append(digits, to: &bytes)
        close(from: start)
    }

    mutating func number(_ number: Int) {
        append(.number)
        append(UInt64(bitPattern: Int64(number)))
    }

    /// A spreadsheet has only floating-point numbers.
    mutating func decimal(_ number: DecimalNumber) {
        append(.decimal)
        append((Double(number.millionths) / 1_000_000).bitPattern)
    }

    mutating func date(_ date: Instant) {
        append(.date)
        append(UInt64(bitPattern: date.milliseconds))
    }

    mutating func empty() { append(.empty) }

    private mutating func append(_ tag: Tag) { bytes.append(tag.rawValue) }

    /// Ends a text: writes its length before it, and the NUL after it.
    private mutating func close(from start: Int) {
        let length = UInt32(bytes.count - start - 4)
        for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
        bytes.append(0)
    }

    private mutating func append(_ number: some FixedWidthInteger & UnsignedInteger) {
        for index in 0..<number.bitWidth / 8 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }
}

/// Reads the cells written by ``TypedRow`` one by one.
struct TypedCells: ~Escapable {
    private let bytes: Span<UInt8>
    private var position = 0

    enum Cell {
        case endOfRow
        case empty
        /// The range of the text and the NUL after it.
        case text(Range<Int>)
        case number(Int)
        case decimal(Double)
        case date(Instant)
    }

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { position >= bytes.count }

    /// Returns the next cell; `nil` at the end.
    mutating func next() -> Cell? {
        guard position < bytes.count, let tag = TypedRow.Tag(rawValue: bytes[position]) else { return nil }
        position += 1
        switch tag {
        case .endOfRow: return .endOfRow
        case .empty: return .empty
        case .text:
            let start = position + 4
            let end = start + Int(number(bytes: 4)) + 1
            position = end
            return .text(start..<end)
        case .number: return .number(Int(Int64(bitPattern: number(bytes: 8))))
        case .decimal: return .decimal(Double(bitPattern: number(bytes: 8)))
        case .date: return .date(Instant(milliseconds: Int64(bitPattern: number(bytes: 8))))
        }
    }

    /// Returns the number of leading bytes that are whole rows: rows may arrive in pieces that end anywhere.
    static func countOfWholeRows(_ bytes: Span<UInt8>) -> Int {
        var (position, whole) = (0, 0)
        while position < bytes.count, let tag = TypedRow.Tag(rawValue: bytes[position]) {
            position += 1
            switch tag {
            case .endOfRow: whole = position
            case .empty: break
            case .text:
                guard bytes.count - position >= 4 else { return whole }
                let length = (0..<4).reduce(0) { $0 | Int(bytes[position + $1]) << (8 * $1) }
                position += 4 + length + 1
            case .number, .decimal, .date: position += 8
            }
        }
        return whole
    }

    private mutating func number(bytes count: Int) -> UInt64 {
        var number: UInt64 = 0
        for index in 0..<count { number |= UInt64(bytes[position + index]) << UInt64(8 * index) }
        position += count
        return number
    }
}

/// Assembles rows written by ``TypedRow`` from pieces that end anywhere.
struct TypedRows {
    /// The beginning of an incomplete row.
    private var rest: [UInt8] = []

    /// Adds the next piece, and returns the complete rows.
    mutating func whole(with piece: Span<UInt8>) -> [UInt8] {
        rest.append(copying: piece)
        let count = TypedCells.countOfWholeRows(rest.span)
        let rows = Array(rest[..<count])
        rest.removeSubrange(..<count)
        return rows
    }
}
