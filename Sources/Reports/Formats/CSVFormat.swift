public import Checks
public import Encodings
import Files

/// Writes `--report out.csv`: a header, then one row per line.
enum CSVFormat: TableFormat {
    typealias Row = CSVRow
    static let name = "csv"

    static func begin(_ columns: [String], withByteOrderMark: Bool) -> [UInt8] {
        var row = CSVRow(appendingTo: withByteOrderMark ? [0xef, 0xbb, 0xbf] : [])
        row.header(columns)
        return row.bytes
    }
}

/// Writes the cells of CSV rows (RFC 4180): UTF-8, CRLF, quotes where they are needed.
///
/// Untrusted text that a spreadsheet would execute is prefixed with an apostrophe; our own words are never changed.
public struct CSVRow: RowBuffer {
    public private(set) var bytes: [UInt8]
    private var isFirst: Bool

    /// - Parameters:
    ///   - column: the index of the first column to write; 0 for a new row.
    ///   - bytes: the bytes to append the cells to.
    public init(_ columns: [String] = [], from column: Int = 0, appendingTo bytes: consuming [UInt8] = []) {
        self.bytes = bytes
        isFirst = column == 0
    }

    /// Returns the written bytes, and starts over.
    public mutating func takeBytes() -> [UInt8] { bytes.take() }

    public mutating func endRow() {
        bytes.append(0x0d)
        bytes.append(0x0a)
        isFirst = true
    }

    public mutating func header(_ columns: [String]) {
        for column in columns { code(column) }
        endRow()
    }

    public mutating func text(_ text: String) {
        separate()
        var text = text
        let (startsFormula, needsQuotes) = text.withUTF8Span(classify)
        append(text, addsApostrophe: startsFormula, inQuotes: needsQuotes, disarmsParts: needsQuotes)
    }

    /// Writes our own words, quoted like any other cell, because some are sentences.
    public mutating func code(_ code: String) {
        separate()
        append(code, inQuotes: classify(code.utf8.span).needsQuotes)
    }

    public mutating func hex(_ digits: Span<UInt8>) {
        separate()
        Hex.append(digits, to: &bytes)
    }

    public mutating func id(_ id: IdentityHash) {
        separate()
        id.append(to: &bytes)
    }

    public mutating func number(_ number: Int) {
        separate()
        bytes.append(decimal: Int64(number))
    }

    public mutating func decimal(_ number: DecimalNumber) {
        separate()
        bytes.append(contentsOf: number.description.utf8)
    }

    public mutating func date(_ date: Instant) {
        separate()
        date.append(to: &bytes)
    }

    public mutating func empty() { separate() }

    /// Returns a cell without the apostrophes that a row adds to untrusted text.
    static func armed(_ cell: String) -> String {
        let written = cell.utf8.span
        var text: [UInt8] = []
        for index in written.indices {
            let isOurs =
                written[index] == apostrophe
                && (index == 0
                    ? classify(written.extracting(1...)).startsFormula
                    : endsCell(written, at: index - 1) && opensFormula(written, from: index + 1))
            if !isOurs { text.append(written[index]) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func append(
        _ text: String, addsApostrophe: Bool = false, inQuotes: Bool, disarmsParts: Bool = false
    ) {
        if inQuotes { bytes.append(quote) }
        if addsApostrophe { bytes.append(apostrophe) }
        if inQuotes {
            let text = text.utf8.span
            for index in text.indices {
                bytes.append(text[index])
                if text[index] == quote { bytes.append(quote) }
                if disarmsParts, endsCell(text, at: index), opensFormula(text, from: index + 1) {
                    bytes.append(apostrophe)
                }
            }
            bytes.append(quote)
        } else {
            bytes.append(copying: text.utf8.span)
        }
    }

    private mutating func separate() {
        if isFirst { isFirst = false } else { bytes.append(comma) }
    }
}

private let quote = UInt8(ascii: "\"")
private let apostrophe = UInt8(ascii: "'")
private let comma = UInt8(ascii: ",")
private let semicolon = UInt8(ascii: ";")

extension String {
    fileprivate mutating func withUTF8Span<R>(_ body: (Span<UInt8>) -> R) -> R { body(utf8.span) }
}

/// Returns whether a spreadsheet would execute the text, and whether CSV must quote it.
///
/// A spreadsheet executes text that starts with `= + - @` or, in some programs, their fullwidth forms, even after
/// characters that it drops or does not show. Tab, CR and NUL confuse it anywhere. A semicolon separates cells where
/// the comma is the decimal mark: there quotes are ordinary characters, and the text after the semicolon is another
/// cell.
private func classify(_ text: Span<UInt8>) -> (startsFormula: Bool, needsQuotes: Bool) {
    guard text.count > 0 else { return (false, false) }
    var startsFormula = startsLikeFormula(text)
    // Some readers drop blanks at the ends of an unquoted cell.
    var needsQuotes = text[0] == 0x20 || text[text.count - 1] == 0x20
    for index in text.indices {
        let byte = text[index]
        guard byte <= comma || byte == semicolon else { continue }
        switch byte {
        case quote, comma, semicolon, 0x0a: needsQuotes = true
        case 0x09, 0x0d, 0x00:
            startsFormula = true
            needsQuotes = true
        default: break
        }
    }
    return (startsFormula, needsQuotes)
}

/// Returns whether a cell ends with a byte where semicolons separate cells: there a quote in the middle of a cell is an
/// ordinary character, so a semicolon or a line break in quotes also ends the cell.
func endsCell(_ text: Span<UInt8>, at index: Int) -> Bool {
    if text[index] == 0x0d { return index + 1 == text.count || text[index + 1] != 0x0a }
    return text[index] == semicolon || text[index] == 0x0a
}

/// Returns whether a formula begins at an index, after any quotes there.
func opensFormula(_ text: Span<UInt8>, from index: Int) -> Bool {
    var next = index
    while next < text.count, text[next] == quote { next += 1 }
    return startsLikeFormula(text.extracting(next...))
}

/// Returns whether the first visible scalar begins a formula.
private func startsLikeFormula(_ text: Span<UInt8>) -> Bool {
    var index = 0
    while index < text.count {
        let byte = text[index]
        // Visible ASCII, the first byte of nearly all texts.
        if (0x21...0x7e).contains(byte) { return byte == 0x3d || byte == 0x2b || byte == 0x2d || byte == 0x40 }
        guard let scalar = text.scalar(at: index) else { return false }
        switch scalar {
        case "\u{ff1d}", "\u{ff0b}", "\u{ff0d}", "\u{ff20}": return true
        case _ where HiddenScalar.isBlank(scalar) || HiddenScalar.contains(scalar): index += UTF8.width(scalar)
        default: return false
        }
    }
    return false
}
