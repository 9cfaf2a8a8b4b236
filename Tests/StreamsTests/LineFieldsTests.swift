import Encodings
import Testing

@testable import Streams

struct `The fields of a line` {
    @Test(arguments: [0, 1, -1, Int64.max, Int64.min])
    func `have numbers`(number: Int64) throws {
        let line = written {
            $0.begin(.summary)
            $0.number(number)
            $0.end()
        }
        #expect(line.key == "s")
        #expect(try read(line.fields) { fields throws(LineFault) in try fields.int() } == Int(number))
    }

    @Test(arguments: [0, 1, 999, 1000, -1, -999, -1000, -1001, 1_700_000_000_123, -62_135_596_800_000])
    func `have instants to the millisecond`(milliseconds: Int64) throws {
        let (instant, other) = (Instant(milliseconds: milliseconds), Instant(milliseconds: 1_600_000_000_777))
        let line = written {
            $0.begin(.summary)
            $0.instant(instant)
            $0.instant(instant, since: other)
            $0.end()
        }
        let found = try read(line.fields) { fields throws(LineFault) in
            [try fields.instant(), try fields.instant(since: other)]
        }
        #expect(found == [instant, instant])
    }

    @Test(arguments: ["", "a", "\"\\/", "\u{0}\u{1f}\u{7f}", "é", "e\u{301}", "\u{1f600}", "\t\n\r", "]", "null"])
    func `have texts, octet by octet`(text: String) throws {
        let line = written {
            $0.begin(.summary)
            $0.text(text)
            $0.octets(Array(text.utf8).span)
            $0.end()
        }
        let (found, octets) = try read(line.fields) { fields throws(LineFault) in
            (try fields.text(), try fields.octets())
        }
        #expect(Array(found.utf8) == Array(text.utf8))
        #expect(octets == Array(text.utf8))
    }

    @Test func `have arrays and what is not there`() throws {
        let line = written {
            $0.begin(.summary)
            $0.null()
            $0.beginArray(7)
            $0.text("a")
            $0.endArray()
            $0.number(1)
            $0.end()
        }
        #expect(line.fields == "[\(StreamVersion.number),null,[7,\"a\"],1]\n")
        let found = try read(line.fields) { fields throws(LineFault) in
            let isNull = try fields.isNull()
            let isNullToo = try fields.isNull()
            try fields.beginArray()
            let (first, text, hasMore) = (try fields.int(), try fields.text(), fields.hasMore())
            try fields.endArray()
            return "\(isNull) \(isNullToo) \(first) \(text) \(hasMore) \(try fields.int())"
        }
        #expect(found == "true false 7 a false 1")
    }

    @Test(arguments: [
        ("[0]", "another version"), ("[]", "not JSON: a value belongs at byte 1"),
        ("{}", "not JSON: [ belongs at byte 0"),
        ("[V] 1", "something stands behind it"), ("[V,1]", "not JSON: ] belongs at byte 2"),
        ("[V", "not JSON: ] belongs at byte 2"),
    ])
    func `are refused if the line is not one of this version`(text: String, reason: String) {
        let text = text.replacing("V", with: "\(StreamVersion.number)")
        #expect(fault { () throws(LineFault) in try read(text) { _ in } } == reason)
    }

    @Test(arguments: ["9223372036854775808", "-9223372036854775809", "1.0", "1e3", "null", "true"])
    func `are refused for a number that is none`(number: String) {
        let reason = fault { () throws(LineFault) in
            _ = try read(fields(number)) { fields throws(LineFault) in try fields.int() }
        }
        #expect(reason == "a number is not one, or too large")
    }

    @Test(arguments: ["9223372036854775.808", "1.0000", "1e3", "null"])
    func `are refused for an instant that is none`(instant: String) {
        let reason = fault { () throws(LineFault) in
            _ = try read(fields(instant)) { fields throws(LineFault) in try fields.instant() }
        }
        #expect(reason == "a number is not one, or too large")
    }

    @Test func `are refused if they are not UTF-8`() {
        let bytes = Array("[\(StreamVersion.number),\"".utf8) + [0xff] + Array("\"]".utf8)
        #expect(fault { () throws(LineFault) in _ = try LineFields(bytes.span) } == "it is not UTF-8")
    }
}
