import Encodings

/// Writes the cells of rows like ``TypedRow``, with texts unchanged: a database displays nothing.
struct StoredRow: RowBuffer {
    private var cells: TypedRow

    init(_ columns: [String] = [], from column: Int = 0, appendingTo bytes: consuming [UInt8] = []) {
        cells = TypedRow(columns, from: column, appendingTo: bytes)
    }

    var bytes: [UInt8] { cells.bytes }

    mutating func takeBytes() -> [UInt8] { cells.takeBytes() }
    mutating func endRow() { cells.endRow() }
    mutating func text(_ text: String) { cells.exactText(text) }
    mutating func code(_ code: String) { cells.exactText(code) }
    mutating func hex(_ digits: Span<UInt8>) { cells.hex(digits) }
    mutating func number(_ number: Int) { cells.number(number) }
    mutating func decimal(_ number: DecimalNumber) { cells.decimal(number) }
    mutating func date(_ date: Instant) { cells.date(date) }
    mutating func empty() { cells.empty() }
}
