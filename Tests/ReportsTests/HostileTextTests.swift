import Corpus
import Encodings
import Files
import Foundation
import Inputs
import Testing

@testable import Reports

/// Thousands of untrusted texts in the formats for programs, next to our own numbers.
struct `Thousands of hostile texts` {
    private static let count = Exhaustive.count(100_000, sampled: 4000)
    private static let columns = ["text", "number", "date", "id"]
    private static let texts = Array(HostileStrings(count, seed: 1))

    private struct Row: Decodable {
        var text: String
        var number: Int
        var date: String
        var id: String
    }

    private static func file<Format: TableFormat>(_: Format.Type) -> [UInt8] {
        var bytes = Format.begin(columns, withByteOrderMark: false)
        for (index, text) in texts.enumerated() {
            var row = Format.Row(columns, from: 0, appendingTo: bytes.take())
            row.text(text)
            row.number(-index)
            row.date(Instant(seconds: Int64(index) * 86_399))
            row.text(id(index))
            row.endRow()
            bytes = row.takeBytes()
            bytes += Array(Format.rowEnd.utf8)
        }
        Format.finish(&bytes)
        return bytes
    }

    /// An id of 16 digits, which is greater than what a double holds exactly.
    private static func id(_ index: Int) -> String { String(9_007_199_254_740_993 + index) }

    @Test func `stand in CSV as they are, or disarmed by one apostrophe, and alter nothing beside them`() throws {
        let rows = try #require(CSVRows.read(Self.file(CSVFormat.self)))
        #expect(rows.count == Self.count + 1 && rows.first == Self.columns)
        var wrong: [String] = []
        for (index, (row, text)) in zip(rows.dropFirst(), Self.texts).enumerated() {
            let expected = (Self.isObeyed(text) ? "'" : "") + Self.disarmedParts(of: text)
            let isRight =
                row.count == 4 && Array(row[0].utf8) == Array(expected.utf8) && row[1] == String(-index)
                && row[2] == Instant(seconds: Int64(index) * 86_399).description && row[3] == Self.id(index)
            let isDisarmed = row[0].unicodeScalars.first == "'"
            if !isRight || (Self.isObeyed(row[0]) && !isDisarmed) { wrong.append(text.debugDescription) }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(3))")
    }

    @Test func `parse as JSON, and come back as they were`() throws {
        let rows = try JSONDecoder().decode([Row].self, from: Data(Self.file(JSONFormat.self)))
        var wrong: [String] = []
        for (index, (row, text)) in zip(rows, Self.texts).enumerated() {
            let isRight =
                row.text.unicodeScalars.elementsEqual(text.unicodeScalars) && row.number == -index
                && row.date == Instant(seconds: Int64(index) * 86_399).description && row.id == Self.id(index)
            if !isRight { wrong.append(text.debugDescription) }
        }
        #expect(rows.count == Self.count)
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(3))")
    }

    @Test func `are one line each in NDJSON, the same as in JSON`() {
        let lines = Self.file(NDJSONFormat.self).split(separator: 0x0a)
        #expect(lines.count == Self.count)
        let json = Self.file(JSONFormat.self).split(separator: 0x0a)
        #expect(json.first == Array("[".utf8)[...] && json.last == Array("]".utf8)[...])
        #expect(json.dropFirst().dropLast().map { $0.last == 0x2c ? $0.dropLast() : $0 } == lines)
    }

    /// Whether a spreadsheet would obey the text, in the simplest terms.
    /// A text with an apostrophe after each semicolon that a formula follows.
    private static func disarmedParts(of text: String) -> String {
        var rest = text.unicodeScalars[...]
        var disarmed = String.UnicodeScalarView()
        while let end = rest.firstIndex(where: { [";", "\n", "\r"].contains($0) }) {
            disarmed += rest[...end]
            rest = rest[rest.index(after: end)...]
            if disarmed.last == "\r", rest.first == "\n" { continue }
            let visible = rest.drop { $0 == "\"" }
            if opensFormula(String(String.UnicodeScalarView(visible))) { disarmed.append("'") }
        }
        return String(disarmed) + String(String.UnicodeScalarView(rest))
    }

    private static func isObeyed(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        if scalars.contains(where: { $0 == "\t" || $0 == "\r" || $0 == "\0" }) { return true }
        return opensFormula(text)
    }

    private static func opensFormula(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        let isSeen = { (scalar: Unicode.Scalar) in
            !scalar.properties.isWhitespace && !HiddenScalar.contains(scalar)
        }
        guard let first = scalars.first(where: isSeen) else { return false }
        return "=+-@\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}".unicodeScalars.contains(first)
    }
}

/// The same in the formats for people.
struct `Thousands of hostile texts on a page` {
    private static let texts = Array(HostileStrings(Exhaustive.count(100_000, sampled: 4000), seed: 2))

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

    /// The text in a piece of code; `nil` if something in it could end it, its cell or its line, or be a link.
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
