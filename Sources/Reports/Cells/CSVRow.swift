public import Encodings
import Files

/// Writes the cells of CSV rows (RFC 4180): UTF-8, CRLF, quotes where they are needed.
///
/// A stranger's text that a spreadsheet would obey is disarmed with an apostrophe; what is ours is never altered.
public struct CSVRow: RowBuffer {
    public private(set) var bytes: [UInt8]
    private var isFirst: Bool

    /// Appends to these bytes.
    ///
    /// - Parameter isRowBegun: whether there are cells in them that belong to the same row.
    public init(appendingTo bytes: consuming [UInt8] = [], isRowBegun: Bool = false) {
        self.bytes = bytes
        isFirst = !isRowBegun
    }

    /// Hands over what was written, and starts again with nothing.
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
        let (isObeyed, needsQuotes) = text.withUTF8Span(classify)
        append(text, isDisarmed: isObeyed, inQuotes: needsQuotes)
    }

    /// Never altered, but quoted like any other cell: some of our words are sentences.
    public mutating func code(_ code: String) {
        separate()
        append(code, inQuotes: classify(code.utf8.span).needsQuotes)
    }

    public mutating func hex(_ digits: Span<UInt8>) {
        separate()
        Hex.append(digits, to: &bytes)
    }

    public mutating func number(_ number: Int) {
        separate()
        bytes.append(contentsOf: String(number).utf8)
    }

    public mutating func date(_ date: Instant) {
        separate()
        date.append(to: &bytes)
    }

    public mutating func empty() { separate() }

    private mutating func append(_ text: String, isDisarmed: Bool = false, inQuotes: Bool) {
        if inQuotes { bytes.append(quote) }
        if isDisarmed { bytes.append(apostrophe) }
        if inQuotes {
            for byte in text.utf8 {
                bytes.append(byte)
                if byte == quote { bytes.append(quote) }
            }
            bytes.append(quote)
        } else {
            bytes.append(contentsOf: text.utf8)
        }
    }

    private mutating func separate() {
        if isFirst { isFirst = false } else { bytes.append(comma) }
    }
}

private let quote = UInt8(ascii: "\"")
private let apostrophe = UInt8(ascii: "'")
private let comma = UInt8(ascii: ",")

extension String {
    fileprivate mutating func withUTF8Span<R>(_ body: (Span<UInt8>) -> R) -> R { body(utf8.span) }
}

/// Whether a spreadsheet would obey the text, and whether CSV must quote it.
///
/// A spreadsheet obeys what starts, after blanks, with `= + - @`, and is confused by tab, CR and NUL anywhere.
private func classify(_ text: Span<UInt8>) -> (isObeyed: Bool, needsQuotes: Bool) {
    var isObeyed = false
    var needsQuotes = false
    var isLeading = true
    // Some readers drop blanks at the ends of a cell that has no quotes.
    if let last = text.indices.last, text[last] == 0x20 { needsQuotes = true }
    for index in text.indices {
        let byte = text[index]
        guard byte <= 0x2d || (0x3d...0x40).contains(byte) else {
            isLeading = false
            continue
        }
        switch byte {
        case 0x20: if isLeading { needsQuotes = true }
        case 0x0a: needsQuotes = true
        case 0x09, 0x0d, 0x00:
            isObeyed = true
            needsQuotes = true
        case 0x3d, 0x2b, 0x2d, 0x40:
            if isLeading { isObeyed = true }
            isLeading = false
        case quote, comma:
            needsQuotes = true
            isLeading = false
        default: isLeading = false
        }
    }
    return (isObeyed, needsQuotes)
}
