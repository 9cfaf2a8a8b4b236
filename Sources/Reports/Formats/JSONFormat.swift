public import Encodings
import Files

/// Writes `--report out.json`: an array of objects, one per line.
enum JSONFormat: TableFormat {
    typealias Row = JSONRow
    static let name = "json"
    static func holds(_ table: ReportRequest.Table) -> Bool { true }
    static let rowEnd = ",\n"

    static func begin(_ columns: [String], withByteOrderMark: Bool) -> [UInt8] { Array("[\n".utf8) }

    static func finish(_ bytes: inout [UInt8]) {
        // Removes the comma after the last row.
        if bytes.suffix(2) == Array(rowEnd.utf8)[...] { bytes.removeLast(2) }
        bytes += Array("\n]\n".utf8)
    }
}

/// Writes `--report out.ndjson`: one object per line.
enum NDJSONFormat: TableFormat {
    typealias Row = JSONRow
    static let name = "ndjson"
    static func holds(_ table: ReportRequest.Table) -> Bool { true }
    static let rowEnd = "\n"
}

/// Writes rows as JSON objects (RFC 8259): text unchanged, a list as an array, an empty cell as `null`.
public struct JSONRow: RowBuffer {
    public private(set) var bytes: [UInt8]
    private let columns: [String]
    private var column: Int

    /// - Parameters:
    ///   - columns: the keys.
    ///   - column: the index of the first column to write; 0 for a new row.
    ///   - bytes: the bytes to append the cells to.
    public init(_ columns: [String], from column: Int = 0, appendingTo bytes: consuming [UInt8] = []) {
        self.bytes = bytes
        self.columns = columns
        self.column = column
    }

    /// Returns the written bytes, and starts over.
    public mutating func takeBytes() -> [UInt8] { bytes.take() }

    public mutating func text(_ text: String) {
        key()
        JSONString.append(text, to: &bytes)
    }

    public mutating func code(_ code: String) {
        key()
        if code.isEmpty { bytes.append(contentsOf: "null".utf8) } else { JSONString.append(code, to: &bytes) }
    }

    public mutating func codes(_ joined: String) {
        array(joined.split(separator: ";").map(String.init))
    }

    public mutating func texts(_ texts: [ExactText]) { array(texts.map(\.text)) }

    private mutating func array(_ texts: [String]) {
        key()
        bytes.append(UInt8(ascii: "["))
        for (index, text) in texts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONString.append(text, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    public mutating func hex(_ digits: Span<UInt8>) {
        key()
        bytes.append(UInt8(ascii: "\""))
        Hex.append(digits, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    public mutating func number(_ number: Int) {
        key()
        bytes.append(decimal: Int64(number))
    }

    public mutating func decimal(_ number: DecimalNumber) {
        key()
        bytes.append(contentsOf: number.description.utf8)
    }

    public mutating func date(_ date: Instant) {
        key()
        bytes.append(UInt8(ascii: "\""))
        date.append(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a value that is already JSON.
    package mutating func json(_ value: JSONBuilder) {
        key()
        bytes.append(copying: value.bytes.span)
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
        if column < columns.count { JSONString.append(columns[column], to: &bytes) }
        bytes.append(UInt8(ascii: ":"))
        column += 1
    }
}
