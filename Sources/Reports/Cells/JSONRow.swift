public import Encodings

/// Writes the cells of rows as JSON objects (RFC 8259), one a row: text as it is, nothing as `null`.
public struct JSONRow: CellWriter {
    public private(set) var bytes: [UInt8]
    private let columns: [String]
    private var column: Int

    /// Appends to these bytes.
    ///
    /// - Parameters:
    ///   - columns: the keys.
    ///   - column: the first that will be written; 0 for a new row.
    public init(_ columns: [String], from column: Int = 0, appendingTo bytes: consuming [UInt8] = []) {
        self.bytes = bytes
        self.columns = columns
        self.column = column
    }

    /// Hands over what was written, and starts again with nothing.
    public mutating func takeBytes() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }

    public mutating func text(_ text: String) {
        key()
        quoted(text)
    }

    public mutating func code(_ code: String) {
        key()
        if code.isEmpty { bytes.append(contentsOf: "null".utf8) } else { quoted(code) }
    }

    public mutating func hex(_ digits: Span<UInt8>) {
        key()
        bytes.append(UInt8(ascii: "\""))
        Hex.append(digits, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    public mutating func number(_ number: Int) {
        key()
        bytes.append(contentsOf: String(number).utf8)
    }

    public mutating func date(_ date: Instant) {
        key()
        bytes.append(UInt8(ascii: "\""))
        date.append(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    public mutating func empty() {
        key()
        bytes.append(contentsOf: "null".utf8)
    }

    public mutating func endRow() {
        bytes.append(UInt8(ascii: "}"))
        column = 0
    }

    private mutating func key() {
        bytes.append(UInt8(ascii: column == 0 ? "{" : ","))
        if column < columns.count { quoted(columns[column]) }
        bytes.append(UInt8(ascii: ":"))
        column += 1
    }

    /// A string of JSON: quotes, backslashes and C0 controls are escaped.
    private mutating func quoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0a: bytes.append(contentsOf: "\\n".utf8)
            case 0x0d: bytes.append(contentsOf: "\\r".utf8)
            case 0x09: bytes.append(contentsOf: "\\t".utf8)
            case ..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(contentsOf: [Hex.digit(byte >> 4), Hex.digit(byte & 0xf)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
