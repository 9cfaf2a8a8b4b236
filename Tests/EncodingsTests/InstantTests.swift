import Encodings
import FoundationEssentials
import Testing

struct `An instant` {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2025-04-30T02:30:31Z", 1_745_980_231_000),
        ("2020-10-08T11:17:49.131Z", 1_602_155_869_131), ("2020-10-08T11:17:49.1Z", 1_602_155_869_100),
        ("2020-10-08T11:17:49.131999Z", 1_602_155_869_131), ("2020-10-16T14:29:30+0300", 1_602_847_770_000),
        ("2020-10-16T14:29:30+03:00", 1_602_847_770_000), ("2020-10-16T08:29:30-0300", 1_602_847_770_000),
        ("4001-01-01T02:00:00+0200", 64_092_211_200_000), ("2024-02-29T12:00:00Z", 1_709_208_000_000),
        ("0000-01-01T00:00:00Z", -62_167_219_200_000), ("9999-12-31T23:59:59Z", 253_402_300_799_000),
    ])
    func `is read from RFC 3339`(text: String, milliseconds: Int64) {
        #expect(Instant(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "2025", "2025-04-30", "2025-04-30T02:30:31", "2025-04-30 02:30:31Z", "2025-04-30T02:30:31z",
        "2025-04-30T24:00:00Z", "2025-04-30T02:60:31Z", "2025-04-30T02:30:60Z", "2025-13-01T00:00:00Z",
        "2025-00-01T00:00:00Z", "2025-04-31T00:00:00Z", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
        "2025-04-30T02:30:31.Z", "2025-04-30T02:30:31.1234567890Z", "2025-04-30T02:30:31+2400",
        "2025-04-30T02:30:31+03", "2025-04-30T02:30:31ZZ", " 2025-04-30T02:30:31Z", "+025-04-30T02:30:31Z",
        "２025-04-30T02:30:31Z",
    ])
    func `is not read from`(text: String) {
        #expect(Instant(rfc3339: text) == nil)
    }

    @Test func `is written as Foundation writes it`() throws {
        var state: UInt64 = 1
        for _ in 0..<5000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let seconds = Int64(state >> 24) % 253_402_300_800  // until the end of the year 9999
            let text = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
            #expect(Instant(seconds: seconds).description == text)
            #expect(Instant(rfc3339: text) == Instant(seconds: seconds))
        }
    }

    @Test func `before 1970 rounds down to its second`() {
        #expect(Instant(milliseconds: -1).seconds == -1)
        #expect(Instant(milliseconds: -1).description == "1969-12-31T23:59:59Z")
    }

    @Test func `beyond four digits of a year is held at the last that can be written`() {
        #expect(Instant(milliseconds: .max).description == "9999-12-31T23:59:59Z")
        #expect(Instant(milliseconds: .min).description == "0000-01-01T00:00:00Z")
        #expect(Instant(seconds: .max).adding(seconds: .max) == Instant(milliseconds: .max))
    }
}

struct `Hexadecimal digits` {
    @Test func `are two for each byte`() {
        #expect(Hex.string([0x00, 0x0f, 0xab].span) == "000fab")
    }

    @Test(arguments: [([], "0"), ([0, 0], "0"), ([0, 0x0e, 0xeb], "eeb"), ([0x10], "10")] as [([UInt8], String)])
    func `of a number have no leading zeros`(octets: [UInt8], text: String) {
        #expect(Hex.number(octets.span) == text)
    }

    @Test func `are read in either case, and nothing else is`() {
        for byte in UInt8.min...UInt8.max {
            let digit = Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
            #expect(Hex.value(byte) == digit)
        }
    }
}
