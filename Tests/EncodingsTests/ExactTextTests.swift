import Encodings
import Testing

struct `Text that is compared octet by octet` {
    private static let spellings = ["\u{e9}", "e\u{301}", "e", "", "\0", "\0\0", "abcdefgh", "abcdefgh\0"]

    @Test func `is the same in one spelling only`() {
        #expect(Set(Self.spellings.map { ExactText($0) }).count == Self.spellings.count)
        #expect(Set((Self.spellings + Self.spellings).map { ExactText($0) }).count == Self.spellings.count)
    }

    @Test func `is in the order of its octets`() {
        let sorted = Self.spellings.map { ExactText($0) }.sorted().map { Array($0.text.utf8) }
        #expect(sorted == Self.spellings.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
    }

    @Test func `has another hash in another spelling, so that nobody can choose many with one hash`() {
        var hashes: Set<Int> = []
        for number in 0..<256 {
            let text = (0..<8).map { number >> $0 & 1 == 0 ? "\u{e9}" : "e\u{301}" }.joined()
            hashes.insert(ExactText(text).hashValue)
        }
        #expect(hashes.count == 256)
    }
}

struct `An untrusted text in quotation marks` {
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
