import Checks
import Encodings
import Engine
import Testing

@testable import Streams

struct `The key of a line` {
    private static let keys: [StreamKey] = [
        .notices, .joining, .finding(FindingID(high: 0x0123_4567_89ab_cdef, low: 0xfe)), .summary,
        .claim(ClaimPlace(input: 0, line: 0)), .claim(ClaimPlace(input: 3, line: 70000)),
        .group(.receipt, [0, 0xff, 0x10]), .group(.device, [1, 2, 3, 4, 5, 6]),
        .group(.transaction, Array("1000".utf8)),
        .group(.account, Array("a b\t%é\n\u{0}".utf8)), .group(.account, []),
        .group(.app, Array("com.example.notes\u{0}2020-01-01T00:00:00Z".utf8)),
        .group(.nonce, Array("1000\u{0}00000000-0000-4000-8000-000000000001".utf8)),
        .group(.person, Array("Production\u{0}704".utf8)),
    ]

    private func text(_ key: StreamKey) -> [UInt8] {
        var text: [UInt8] = []
        key.append(to: &text)
        return text
    }

    @Test func `is read as it was written`() throws {
        for key in Self.keys {
            let text = text(key)
            let read = try StreamKey(text.span)
            #expect(read == key)
        }
    }

    @Test func `is ASCII without blanks, whatever the claim says`() {
        for key in Self.keys { #expect(text(key).allSatisfy { (0x21...0x7e).contains($0) }) }
    }

    @Test func `is another for another kind of thing`() {
        #expect(Set(Self.keys.map(text)).count == Self.keys.count)
        #expect(text(.group(.transaction, [0x31])) != text(.group(.account, [0x31])))
    }

    @Test(arguments: Entity.Kind.allCases)
    func `of an entity is read as it was written, whatever its id`(kind: Entity.Kind) throws {
        for id in ["1", "a\tb\n", "é%", ""] as [ExactText] {
            let key = StreamKey.entity(Entity(kind, id))
            let text = text(key)
            #expect(try StreamKey(text.span) == key)
        }
        #expect(Entity.Kind(code: ExactText(kind.code)) == kind)
    }

    @Test func `sorts what must be known of findings before all that is joined with it`() {
        let notices = text(.notices)
        for key in Self.keys where key != .notices { #expect(notices.lexicographicallyPrecedes(text(key)), "\(key)") }
    }

    @Test func `sorts claims in their order`() {
        let places = [(0, 1), (0, 9), (0, 16), (0, 255), (0, 1 << 33), (1, 0), (1, 5), (9, 0), (300, 2)]
        let keys = places.map { text(.claim(ClaimPlace(input: $0.0, line: $0.1))) }
        #expect(keys.sorted { $0.lexicographicallyPrecedes($1) } == keys)
    }

    @Test(arguments: [
        ("", "it has no key"), ("x1", "its key is of an unknown kind"), ("1", "its key is of an unknown kind"),
        ("2x", "its key is of an unknown kind"), ("t%4", "its key has a broken escape"),
        ("t%", "its key has a broken escape"),
        ("t%4g", "its key has a broken escape"), ("r!", "it is not valid base64"),
        ("c", "its key names no claim"),
        ("f", "its key names no finding"), ("f0123456789abcdef000000f", "its key names no finding"),
        ("f0123456789ABCDEF000000fe", "its key names no finding"),
        ("f0123456789abcdef000000fe0", "its key names no finding"),
        ("c0", "its key names no claim"), ("c1f", "its key names no claim"), ("c0g", "its key names no claim"),
        ("cz1", "its key names no claim"),
    ])
    func `is refused if it was not written so`(text: String, reason: String) {
        let bytes = Array(text.utf8)
        #expect(throws: LineFault.malformed(reason)) { _ = try StreamKey(bytes.span) }
    }
}

struct `The place of a claim` {
    @Test func `is a number, and the other way round`() {
        let place = ClaimPlace(input: 5, line: 1 << 39)
        #expect(ClaimPlace(number: place.number) == place)
    }

    @Test func `stays in its input, whatever the line`() {
        #expect(ClaimPlace(input: 1, line: .max) == ClaimPlace(input: 1, line: ClaimPlace.maxLines))
        #expect(ClaimPlace(input: .max, line: -1) == ClaimPlace(input: ClaimPlace.maxInputs - 1, line: 0))
    }
}
