import Encodings
import Testing

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
