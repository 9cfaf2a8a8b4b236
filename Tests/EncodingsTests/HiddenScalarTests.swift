import Encodings
import FoundationEssentials
import Testing

/// Every scalar there is.
private let scalars = (0...UInt32(0x10_ffff)).compactMap { Unicode.Scalar($0) }

struct `A scalar that is hidden` {
    /// Blank in every font, though the Unicode Character Database says nothing of it.
    private static let blankSymbols: Set<Unicode.Scalar> = ["\u{2800}", "\u{16fe4}", "\u{1d159}"]

    @Test func `is a control, a separator, ignorable, or a blank symbol, as the standard library has them`() {
        var wrong: [Unicode.Scalar] = []
        for scalar in scalars {
            let properties = scalar.properties
            let isHidden =
                switch properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: true
                default:
                    properties.isDefaultIgnorableCodePoint || properties.isBidiControl
                        || ("\u{fff9}"..."\u{fffb}").contains(scalar) || Self.blankSymbols.contains(scalar)
                }
            if HiddenScalar.contains(scalar) != isHidden { wrong.append(scalar) }
        }
        #expect(wrong.isEmpty, "\(wrong.map { String($0.value, radix: 16) })")
    }

    @Test func `is blank where the standard library calls it white space`() {
        let wrong = scalars.filter { HiddenScalar.isBlank($0) != $0.properties.isWhitespace }
        #expect(wrong.isEmpty, "\(wrong.map { String($0.value, radix: 16) })")
    }

    @Test func `is written out for a terminal, and nothing else is`() {
        for scalar in scalars where HiddenScalar.contains(scalar) {
            let escaped = TerminalText.escaped("a\(scalar)b")
            #expect(escaped == "a\\u{\(String(scalar.value, radix: 16))}b")
            #expect(escaped.utf8.allSatisfy { (0x21...0x7e).contains($0) })
        }
        let others = scalars.filter { !HiddenScalar.contains($0) }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: others)
        #expect(TerminalText.escaped(String(text)).utf8.elementsEqual(String(text).utf8))
    }

    @Test func `is an escape in JSON, from which it can be read again`() throws {
        for scalar in scalars where HiddenScalar.contains(scalar) && scalar != "\n" {
            // An encoder leaves DEL and C1 as they are, and escapes C0.
            guard scalar.value > 0x1f else { continue }
            let json = TerminalText.escaped(json: "[\"a\(scalar)b\"]")
            #expect(json.utf8.allSatisfy { (0x21...0x7e).contains($0) })
            let read = try JSONDecoder().decode([String].self, from: Data(json.utf8))
            #expect(read.map { Array($0.utf8) } == [Array("a\(scalar)b".utf8)])
        }
    }
}

struct `A scalar in UTF-8` {
    @Test func `is read where its octets begin, and nowhere else`() {
        for scalar in scalars where scalar.value % 251 == 0 || HiddenScalar.contains(scalar) || scalar.value > 0x10_fff0
        {
            let octets = Array("x\(scalar)".utf8)
            #expect(octets.span.scalar(at: 1) == scalar)
            #expect(octets.span.extracting(droppingLast: 1).scalar(at: 1) == nil)
            for index in octets.indices.dropFirst(2) { #expect(octets.span.scalar(at: index) == nil) }
        }
    }

    @Test(
        arguments: [
            [], [0x80], [0xc0, 0x80], [0xc1, 0xbf], [0xe0, 0x9f, 0xbf], [0xed, 0xa0, 0x80], [0xf0, 0x8f, 0xbf, 0xbf],
            [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xff], [0xe2, 0x82], [0xe2, 0x82, 0x20],
        ] as [[UInt8]])
    func `is none where the octets are not UTF-8`(octets: [UInt8]) {
        #expect(octets.span.scalar(at: 0) == nil)
        #expect(octets.span.scalar(at: -1) == nil)
        #expect(octets.span.scalar(at: octets.count) == nil)
    }
}

struct `Text for a terminal` {
    @Test(arguments: [
        ("\u{1b}[31mred", "\\u{1b}[31mred"),
        ("two\r\nlines", "two\\u{d}\\u{a}lines"),
        ("a\tb\0c", "a\\u{9}b\\u{0}c"),
        ("\u{7f}\u{80}\u{9b}2J\u{9f}", "\\u{7f}\\u{80}\\u{9b}2J\\u{9f}"),
        ("abc\u{202e}dcb", "abc\\u{202e}dcb"),
        ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
        ("ana\u{200b}", "ana\\u{200b}"),
        ("👩\u{200d}👧", "👩\\u{200d}👧"),
        ("a\u{e0041}\u{fe0f}", "a\\u{e0041}\\u{fe0f}"),
    ])
    func `shows what a terminal would obey`(text: String, safe: String) {
        #expect(TerminalText.escaped(text) == safe)
    }

    @Test(arguments: [
        0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
    ])
    func `shows every bidirectional control`(value: Int) throws {
        let scalar = try #require(Unicode.Scalar(value))
        #expect(TerminalText.escaped("a\(scalar)") == "a\\u{\(String(value, radix: 16))}")
    }

    @Test func `shows every control character`() {
        for value in Array(0...0x1f) + Array(0x7f...0x9f) {
            let text = Unicode.Scalar(value).map { String($0) } ?? ""
            #expect(TerminalText.escaped(text) == "\\u{\(String(value, radix: 16))}")
        }
    }

    @Test(arguments: ["", "com.example.notes", "ü — 漢 👩", "C:\\u{1b}", "\u{a0}\u{3000}", "\u{212a}e\u{301}"])
    func `is otherwise as it was`(text: String) {
        #expect(TerminalText.escaped(text) == text)
    }
}

struct `JSON for a terminal` {
    @Test func `keeps its line feeds and escapes the rest as JSON does`() {
        let json = "{\n\"a\" : \"\u{202e}\u{7f}\u{85}\u{e0041}\"\n}"
        #expect(TerminalText.escaped(json: json) == "{\n\"a\" : \"\\u202e\\u007f\\u0085\\udb40\\udc41\"\n}")
    }
}
