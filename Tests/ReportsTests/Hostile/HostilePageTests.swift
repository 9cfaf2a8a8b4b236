import Encodings
import Testing

@testable import Reports

/// The same in the formats of people.
struct `A hundred thousand hostile texts on a page` {
    private static let texts = Array(HostileStrings(100_000, seed: 2))

    @Test func `have nothing in HTML that a browser takes for markup, and can be read as they are`() {
        var wrong: [String] = []
        for text in Self.texts {
            let html = HTMLText.escaped(text)
            let hasMarkup = html.utf8.contains { "<>\"'".utf8.contains($0) }
            if hasMarkup || Self.read(html) != Array(text.utf8) { wrong.append(text.debugDescription) }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(3))")
    }

    @Test func `are in Markdown one piece of code each, which holds nothing with a meaning`() {
        var wrong: [String] = []
        for text in Self.texts where !text.isEmpty {
            let code = MarkdownText.code(text)
            if Self.content(ofCode: code).map(Self.read) != Array(TerminalText.escaped(text).utf8) {
                wrong.append(text.debugDescription)
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(3))")
    }

    /// What stands in a piece of code; `nil` if something in it could end it, its cell or its line, or be a link.
    private static func content(ofCode code: String) -> String? {
        // By bytes: to a browser a bracket with an accent is a bracket.
        let bytes = Array(code.utf8)
        let isSpan = bytes.first == UInt8(ascii: "`") && bytes.last == UInt8(ascii: "`")
        let isElement = bytes.starts(with: "<code>".utf8) && bytes.suffix(7) == Array("</code>".utf8)[...]
        guard isSpan || isElement else { return nil }
        let inner = Array(bytes.dropFirst(isSpan ? 1 : 6).dropLast(isSpan ? 1 : 7))
        let content = String(
            decoding: inner.replacing(Array("<!-- -->&#64;".utf8), with: Array("&#64;".utf8)), as: UTF8.self)
        let forbidden = isSpan ? "<>`|\\*~[]!@$^{}\"'&#\n\r" : "<>`|\\*_~[]!@$^{}:.\n\r"
        let hasMeaning = content.unicodeScalars.contains { forbidden.unicodeScalars.contains($0) }
        return hasMeaning || content.contains("://") || content.contains("www.") ? nil : content
    }

    /// The text with its numbered entities resolved; an ampersand that begins none stays a question mark.
    private static func read(_ text: String) -> [UInt8] {
        var read: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "&") else {
                read.append(byte)
                continue
            }
            guard rest.popFirst() == UInt8(ascii: "#"), let end = rest.firstIndex(of: UInt8(ascii: ";")),
                let value = UInt32(String(decoding: rest[..<end], as: UTF8.self)), let scalar = Unicode.Scalar(value)
            else { return Array("?".utf8) }
            read += Array(String(scalar).utf8)
            rest = rest[(end + 1)...]
        }
        return read
    }
}
