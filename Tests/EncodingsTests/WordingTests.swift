import Encodings
import Testing

struct `A stranger's text in quotation marks` {
    @Test func `is whole if it is short enough`() {
        #expect("".quoted(upTo: 3) == "“”")
        #expect("abc".quoted(upTo: 3) == "“abc”")
    }

    @Test func `is cut if it is longer, and says so`() { #expect("abcd".quoted(upTo: 3) == "“abc…”") }

    @Test func `is short, however many scalars a character has`() {
        let text = "e" + String(repeating: "\u{301}", count: 1000)
        #expect(text.quoted(upTo: 3).unicodeScalars.elementsEqual("“e\u{301}\u{301}…”".unicodeScalars))
    }
}

struct `A number with its noun` {
    @Test(arguments: [(0, "0 bytes"), (1, "1 byte"), (2, "2 bytes"), (1000, "1000 bytes"), (-1, "-1 bytes")])
    func `has the noun in its form`(number: Int, text: String) { #expect(counted(number, "byte") == text) }

    @Test func `is written as somebody wants it`() { #expect(counted(2, "byte") { "+\($0)" } == "+2 bytes") }
}
