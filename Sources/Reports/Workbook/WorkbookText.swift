import Encodings
import Files

/// Changes text so that a cell of a workbook can hold it.
///
/// Unlike CSV, the text gets no apostrophe: a spreadsheet never executes a cell that was written as text, and would
/// show the apostrophe. Only characters that such a cell cannot hold, or that are invisible in it, are changed.
enum WorkbookText {
    /// The length of a cell in Excel, in UTF-16 units.
    static let limit = 32_767
    /// The end of a truncated text.
    static let mark = "… [cut]"

    /// Appends the text, at most ``limit`` long, without characters that XML cannot represent.
    ///
    /// C0 controls and DEL become their pictures (`␀`); tab and line feed may stay. Every other ``HiddenScalar`` is
    /// written out (`\u{200b}`). U+FFFE and U+FFFF become `�`. `_x0041_`, which a spreadsheet would read as `A`, is
    /// escaped (ECMA-376, 22.9.2.19).
    static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withSpan { text in
            if isPlain(text) { bytes.append(copying: text) } else { appendChanged(text, to: &bytes) }
        }
    }

    /// Returns the text in the form of a cell.
    static func shown(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isPlain(_ text: Span<UInt8>) -> Bool {
        guard text.count <= limit else { return false }
        for index in text.indices {
            let byte = text[index]
            guard byte >= 0x20, byte < 0x7f, byte != underscore || !isEscape(text, at: index) else { return false }
        }
        return true
    }

    private static func appendChanged(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
        let longest = limit - mark.utf16.count
        var (units, index, cut) = (0, 0, bytes.count)
        while index < text.count {
            if units <= longest { cut = bytes.count }
            let byte = text[index]
            let scalar = text.scalar(at: index) ?? "\u{fffd}"
            let end = min(index + UTF8.width(scalar), text.count)
            units += UTF16.width(scalar)
            if byte < 0x20, byte != 0x09, byte != 0x0a {
                bytes.append(contentsOf: [0xe2, 0x90, 0x80 + byte])
            } else if byte == 0x7f {
                bytes.append(contentsOf: "␡".utf8)
            } else if byte >= 0x80, HiddenScalar.contains(scalar) {
                let written = HiddenScalar.written(scalar).utf8
                bytes.append(contentsOf: written)
                units += written.count - UTF16.width(scalar)
            } else if byte == underscore, isEscape(text, at: index) {
                bytes.append(contentsOf: "_x005F_".utf8)
                units += 6
            } else if scalar == "\u{fffe}" || scalar == "\u{ffff}" {
                bytes.append(contentsOf: "\u{fffd}".utf8)
            } else {
                for position in index..<end { bytes.append(text[position]) }
            }
            index = end
            if units > limit {
                bytes.removeLast(bytes.count - cut)
                bytes.append(contentsOf: mark.utf8)
                return
            }
        }
    }

    /// Returns whether this underscore begins `_xHHHH_`.
    private static func isEscape(_ text: Span<UInt8>, at index: Int) -> Bool {
        guard index + 6 < text.count, text[index + 1] == UInt8(ascii: "x"), text[index + 6] == underscore else {
            return false
        }
        return (2...5).allSatisfy { Hex.value(text[index + $0]) != nil }
    }

    private static let underscore = UInt8(ascii: "_")
}

extension String {
    /// Calls a function with the text's UTF-8.
    fileprivate mutating func withSpan(_ body: (Span<UInt8>) -> Void) { body(utf8.span) }
}
