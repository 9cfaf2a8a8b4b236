import Encodings
import Files

/// Writes the cells of rows in a form of our own, from which ``TypedCells`` makes a spreadsheet's cells later.
///
/// A cell is a tag, and what the tag asks for: nothing, eight bytes of a number, or the length of a text, the text as
/// ``WorkbookText`` leaves it, and a NUL that C can stop at.
struct TypedRow: RowBuffer {
    private(set) var bytes: [UInt8]

    enum Tag: UInt8 {
        case endOfRow
        case empty
        case text
        case number
        case date
    }

    /// Appends to these bytes.
    init(appendingTo bytes: consuming [UInt8] = []) { self.bytes = bytes }

    /// Hands over what was written, and starts again with nothing.
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

    /// Words of ours are text like any other: what an identifier's digits look like is nobody's business.
    mutating func code(_ code: String) { text(code) }

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

    mutating func date(_ date: Instant) {
        append(.date)
        append(UInt64(bitPattern: date.milliseconds))
    }

    mutating func empty() { append(.empty) }

    private mutating func append(_ tag: Tag) { bytes.append(tag.rawValue) }

    /// Writes the length of a text where there is room for it, and the NUL behind the text.
    private mutating func close(from start: Int) {
        let length = UInt32(bytes.count - start - 4)
        for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
        bytes.append(0)
    }

    private mutating func append(_ number: some FixedWidthInteger & UnsignedInteger) {
        for index in 0..<number.bitWidth / 8 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }
}
