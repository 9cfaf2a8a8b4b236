import Encodings

/// Reads what ``TypedRow`` wrote, cell by cell.
struct TypedCells: ~Escapable {
    private let bytes: Span<UInt8>
    private var position = 0

    enum Cell {
        case endOfRow
        case empty
        /// Where the text stands, with the NUL behind it.
        case text(Range<Int>)
        case number(Int)
        case date(Instant)
    }

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { position >= bytes.count }

    /// The next cell; `nil` at the end.
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
        case .date: return .date(Instant(milliseconds: Int64(bitPattern: number(bytes: 8))))
        }
    }

    private mutating func number(bytes count: Int) -> UInt64 {
        var number: UInt64 = 0
        for index in 0..<count { number |= UInt64(bytes[position + index]) << UInt64(8 * index) }
        position += count
        return number
    }
}
