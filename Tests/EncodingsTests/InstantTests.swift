import Corpus
import FoundationEssentials
import Testing

@testable import Encodings

struct `An instant` {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0),
            ("2025-04-30T02:30:31Z", 1_745_980_231_000),
            ("2020-10-08T08:46:35.304Z", 1_602_146_795_304),
            ("2020-10-08T08:46:35.3Z", 1_602_146_795_300),
            ("2020-10-08T08:46:35.304999999Z", 1_602_146_795_304),
            ("4001-01-01T03:00:00+0300", 64_092_211_200_000),
            ("4001-01-01T03:00:00+03:00", 64_092_211_200_000),
            ("1969-12-31T23:59:59Z", -1_000),
            ("1969-12-31T19:00:00-0500", 0),
            ("2024-02-29T12:00:00Z", 1_709_208_000_000),
            ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000),
            ("0000-01-01T00:00:00+23:59", -62_167_305_540_000),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
            ("9999-12-31T23:59:59-23:59", 253_402_387_139_000),
        ] as [(String, Int64)])
    func `is read from RFC 3339`(text: String, milliseconds: Int64) {
        #expect(Instant(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test(
        arguments: [
            ("2025-04-30T02:30:31Z", 1_745_980_231_000), ("2025-04-30t02:30:31z", 1_745_980_231_000),
            ("2025-04-30 02:30:31", 1_745_980_231_000), ("2025-04-30T02:30:31.3049", 1_745_980_231_304),
            ("2025-04-30 02:30:31+00", 1_745_980_231_000), ("2025-04-30 04:30:31.5+02", 1_745_980_231_500),
            ("2025-04-30 04:30:31-0230", 1_745_996_431_000), ("2025-04-30", 1_745_971_200_000),
            ("2025-04-30 02:30:31 UTC", 1_745_980_231_000), ("2025-04-30 02:30:31.000 UTC", 1_745_980_231_000),
            ("2025-04-30 02:30:31.304999 +0000 UTC", 1_745_980_231_304), ("2025-04-30T02:30Z", 1_745_980_200_000),
            ("2025-04-30 04:30:31 +0200 CEST", 1_745_980_231_000), ("2025-04-30 02:30", 1_745_980_200_000),
            ("2025-04-30 04:30:31 +02:00", 1_745_980_231_000), ("20250430", 1_745_971_200_000),
            ("20251330", 20_251_330_000), ("19990430", 19_990_430_000), ("020250430", 20_250_430_000),
            ("1745980231", 1_745_980_231_000), ("1745980231.5", 1_745_980_231_500),
            ("1745980231304", 1_745_980_231_304), ("1745980231304.9", 1_745_980_231_304), ("0", 0),
            ("99999999999", 99_999_999_999_000), ("100000000000", 100_000_000_000),
            ("253402300799999", 253_402_300_799_999), ("1745980231304999", 1_745_980_231_304),
        ] as [(String, Int64)])
    func `is read as exports write it`(text: String, milliseconds: Int64) {
        #expect(Instant(written: text.utf8.span)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "yesterday", "2025-04-31", "2025-04-30T", "2025-04-30T02", "2025-04-30  02:30:31",
        "2025-04-30 02:30:31 ", "2025-04-30 02:30:31 utc", "2025-04-30 02:30:31 CEST", "2025-04-30 UTC",
        "2025-04-30 02:30:31 UTC ", "2025-04-30 02:30:31 +0200 cest", "2025-04-30 02:30:",
        "20250430T02:30:31Z",
        "2025-04-30 02:30:31+", "2025-04-30 02:30:31+1", "2025-04-30 02:30:31+24", "2025-04-30 02:30:31+02:",
        "2025-04-30+02", "30.04.2025", "2025/04/30", "-1", "+1", "1e9", "0x10", "1.", ".5", "253402300800000",
        "99999999999999999999999999999999", "1745980231Z", "１７４５980231",
    ])
    func `is nothing that exports do not write`(text: String) {
        #expect(Instant(written: text.utf8.span) == nil)
    }

    @Test(arguments: [
        "", "2025", "2025-04-30", "2025-04-30T02:30:31", "2025-04-30 02:30:31Z", "2025-04-30T02:30Z",
        "2025-04-30T24:00:00Z", "2025-04-30T23:60:00Z", "2025-04-30T23:59:60Z", "2025-04-31T00:00:00Z",
        "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2025-00-10T00:00:00Z", "2025-13-01T00:00:00Z",
        "2025-01-00T00:00:00Z", "2025-04-30T02:30:31.Z", "2025-04-30T02:30:31.1234567890Z", "2025-04-30T02:30:31,5Z",
        "2025-04-30T02:30:31z", "2025-04-30T02:30:31Z ", " 2025-04-30T02:30:31Z", "2025-04-30T02:30:31ZZ",
        "2025-04-30T02:30:31+3", "2025-04-30T02:30:31+24:00", "2025-04-30T02:30:31+03:60", "2025-04-30T02:30:31+03:0",
        "+025-04-30T02:30:31Z", "-025-04-30T02:30:31Z", "20250-04-30T02:30:31Z", "２025-04-30T02:30:31Z", "yesterday",
        "2025-04-30T02:30:31Z\0",
    ])
    func `is not read from`(text: String) {
        #expect(Instant(rfc3339: text) == nil)
    }

    @Test func `is printed and read as Foundation does it`() throws {
        var random = Seeded(state: 42)
        for _ in 0..<Exhaustive.count(20_000, sampled: 2000) {
            // From 1582-10-15 on; before, Foundation counts by the Julian calendar.
            let seconds = Int64(random.below(253_402_300_800 + 12_219_292_800)) - 12_219_292_800
            let instant = Instant(seconds: seconds)
            let oracle = Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
            #expect(instant.description == oracle)
            #expect(Instant(rfc3339: oracle) == instant)
        }
    }

    @Test func `is read back from what it prints, on every day of four centuries`() {
        for day in Exhaustive.cases(Array(Int64(-10_000)..<136_097), every: 19) {
            let instant = Instant(seconds: day * 86_400 + day & 0xffff)
            #expect(Instant(rfc3339: instant.description) == instant)
        }
    }

    @Test(arguments: [
        (Int64.min, "0000-01-01T00:00:00Z"), (Int64.max, "9999-12-31T23:59:59Z"), (-1, "1969-12-31T23:59:59Z"),
        (999, "1970-01-01T00:00:00Z"), (253_402_300_800_000, "9999-12-31T23:59:59Z"),
    ])
    func `is printed in whole seconds, rounded down, in years of four digits`(milliseconds: Int64, text: String) {
        #expect(Instant(milliseconds: milliseconds).description == text)
    }

    @Test func `is held at the ends of its range`() {
        #expect(Instant(seconds: .max).milliseconds == .max)
        #expect(Instant(seconds: .min).milliseconds == .min)
        let now = Instant(seconds: 1_700_000_000)
        #expect(now.adding(seconds: 60).seconds == 1_700_000_060)
        #expect(now.adding(seconds: -60).seconds == 1_699_999_940)
        #expect(now.adding(seconds: .max).milliseconds == .max)
        #expect(Instant(milliseconds: -1).adding(seconds: .min).milliseconds == .min)
        #expect(Instant(milliseconds: .max).adding(seconds: 1).milliseconds == .max)
    }

    @Test(
        arguments: [
            (0, 0), (86_399_999, 0), (86_400_000, 1), (-1, -1), (-86_400_000, -1), (-86_400_001, -2),
            (1_746_057_599_999, 20_208), (1_746_057_600_000, 20_209),
        ] as [(Int64, Int64)])
    func `is on a day in UTC`(milliseconds: Int64, day: Int64) {
        let instant = Instant(milliseconds: milliseconds)
        #expect(instant.day == day)
        #expect(Instant(day: day) <= instant && instant < Instant(day: day + 1))
    }

    @Test func `is on the day that it is printed with`() {
        for milliseconds in [-62_167_219_200_000, -1, 0, 951_782_400_000, 253_402_300_799_999] as [Int64] {
            let instant = Instant(milliseconds: milliseconds)
            #expect(Instant(day: instant.day).description.prefix(10) == instant.description.prefix(10))
        }
        #expect(Instant(day: .max).milliseconds == .max && Instant(day: .min).milliseconds == .min)
    }

    @Test func `is before a later one`() {
        #expect(Instant(milliseconds: 1) < Instant(milliseconds: 2))
        #expect(Instant(milliseconds: -1).seconds == -1)
        #expect(Instant(milliseconds: -1000).seconds == -1)
        #expect(Instant(milliseconds: -1001).seconds == -2)
    }
}
