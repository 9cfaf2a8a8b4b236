import Encodings
import Foundation
import Testing

struct `The time of America/Los_Angeles` {
    /// The last second before a change, by UTC, and by how many hours its clocks are behind in it and one second later.
    @Test(arguments: [
        // Since 2007: the second Sunday of March, the first of November.
        ("2007-03-11T09:59:59Z", 8, 7), ("2007-11-04T08:59:59Z", 7, 8), ("2026-03-08T09:59:59Z", 8, 7),
        ("2026-11-01T08:59:59Z", 7, 8),
        // A month that begins with a Sunday, and one that begins the day after.
        ("2015-03-08T09:59:59Z", 8, 7), ("2015-11-01T08:59:59Z", 7, 8), ("2010-03-14T09:59:59Z", 8, 7),
        ("2010-11-07T08:59:59Z", 7, 8),
        // Before: the first Sunday of April, the last of October.
        ("1987-04-05T09:59:59Z", 8, 7), ("1987-10-25T08:59:59Z", 7, 8), ("2001-04-01T09:59:59Z", 8, 7),
        ("2004-10-31T08:59:59Z", 7, 8), ("2006-04-02T09:59:59Z", 8, 7), ("2006-10-29T08:59:59Z", 7, 8),
    ])
    func `changes by rule`(last: String, before: Int64, after: Int64) throws {
        let instant = try #require(Instant(rfc3339: last))
        #expect(PacificTime.offset(at: instant) == -before * 3600)
        #expect(PacificTime.offset(at: instant.adding(seconds: 1)) == -after * 3600)
    }

    @Test(arguments: ["2007-04-01T08:00:00Z", "2007-10-31T12:00:00Z"])
    func `was daylight time in 2007 where it was not the year before`(date: String) throws {
        let instant = try #require(Instant(rfc3339: date))
        #expect(PacificTime.offset(at: instant) == -7 * 3600)
        #expect(PacificTime.offset(at: instant.adding(seconds: -365 * 86_400)) == -8 * 3600)
    }

    @Test(arguments: [
        "2020-01-01T00:00:00Z", "2019-12-31T23:59:59Z", "4001-01-01T00:00:00Z", "0000-01-01T00:00:00Z",
    ])
    func `is standard time in winter, in any year`(date: String) throws {
        #expect(PacificTime.offset(at: try #require(Instant(rfc3339: date))) == -8 * 3600)
    }

    @Test func `has an offset at both ends of the range`() {
        for end in [Int64.min, .max] {
            #expect([-7, -8].contains(PacificTime.offset(at: Instant(milliseconds: end)) / 3600))
        }
    }

    @Test(.enabled(if: TimeZone(identifier: "America/Los_Angeles") != nil, "there is no time zone database"))
    func `is that of the time zone database`() throws {
        let zone = try #require(TimeZone(identifier: "America/Los_Angeles"))
        let (start, end) = (Instant(day: 6209).seconds, Instant(day: 24_837).seconds)  // 1987 to 2037
        for second in stride(from: start, to: end, by: 3600) {
            let expected = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
            let offset = PacificTime.offset(at: Instant(seconds: second))
            if offset != expected { Issue.record("\(Instant(seconds: second)): \(offset), not \(expected)") }
        }
    }
}
