extension Instant {
    /// Reads a date in the forms of database exports and scripts:
    ///
    /// - RFC 3339, optionally with a blank instead of `T`, without seconds, with `+02` as the offset, without an offset
    ///   (UTC), with a blank before it, ` UTC` in its place, or the name of the zone after it,
    /// - a date alone, `2025-04-30` or `20250430`, for its midnight in UTC,
    /// - the digits of both alone, `20250430123000` or `20250430T123000Z`, in UTC,
    /// - seconds since 1970, or from 10^11 on milliseconds, with or without a fraction; or from 10^15 on
    ///   microseconds, as BigQuery and Debezium write them.
    ///
    /// Digits beyond milliseconds are dropped. Anything else, and dates after the year 9999, are `nil`.
    public init?(written text: Span<UInt8>) {
        var digits = DigitReader(text)
        guard let days = digits.date() ?? Self.days(of: text) else {
            if let found = Self.compact(text) { self = found } else { self.init(sinceEpoch: text) }
            return
        }
        if digits.isAtEnd || text.count == 8 {
            self.init(days: days, time: 0, offset: 0)
            return
        }
        guard digits.skip("T") || digits.skip("t") || digits.skip(" "), let time = digits.time(needsSeconds: false)
        else { return nil }
        var offset: Int64 = 0
        if !digits.isAtEnd, !digits.skip("z"), !digits.skipUTC() {
            _ = digits.skip(" ")
            guard let found = digits.offset(needsMinutes: false) else { return nil }
            offset = found
            digits.skipZoneName()
        }
        guard digits.isAtEnd else { return nil }
        self.init(days: days, time: time, offset: offset)
    }

    /// Returns the days of an eight-digit date from 2000 on. As seconds it would be in 1970.
    private static func days(of text: Span<UInt8>) -> Int64? {
        guard text.count == 8, text[0] == UInt8(ascii: "2") else { return nil }
        var digits = DigitReader(text)
        guard let year = digits.number(of: 4), let month = digits.number(of: 2), let day = digits.number(of: 2) else {
            return nil
        }
        let date = CivilDate(year: year, month: month, day: day)
        return date.exists ? date.daysSinceEpoch : nil
    }

    /// Returns the instant of digits alone from 2000 on. As milliseconds they would be after 2600.
    private static func compact(_ text: Span<UInt8>) -> Instant? {
        guard (14...16).contains(text.count), let days = days(of: text.extracting(..<8)) else { return nil }
        var digits = DigitReader(text.extracting(8...))
        let isMarked = digits.skip("T")
        guard let hour = digits.number(of: 2), let minute = digits.number(of: 2), let second = digits.number(of: 2),
            hour < 24, minute < 60, second < 60, digits.isAtEnd || isMarked && digits.skip("Z") && digits.isAtEnd
        else { return nil }
        return Instant(days: days, time: (hour * 3600 + minute * 60 + second) * 1000, offset: 0)
    }

    /// Reads decimal seconds, milliseconds or microseconds since 1970.
    private init?(sinceEpoch text: Span<UInt8>) {
        var digits = DigitReader(text)
        guard let number = digits.number(upTo: Self.latestWritten * 1000) else { return nil }
        var fraction: Int64 = 0
        if digits.skip(".") {
            guard let found = digits.fraction() else { return nil }
            fraction = found
        }
        guard digits.isAtEnd else { return nil }
        switch number {
        case ..<Self.firstInMilliseconds: self.init(milliseconds: number * 1000 + fraction)
        case ...Self.latestWritten: self.init(milliseconds: number)
        case Self.firstInMicroseconds...: self.init(milliseconds: number / 1000)
        default: return nil
        }
    }

    /// The smallest number that counts as milliseconds: 1973 in milliseconds, and the year 5138 in seconds.
    private static let firstInMilliseconds: Int64 = 100_000_000_000
    /// The smallest number that counts as microseconds: 2001.
    private static let firstInMicroseconds: Int64 = 1_000_000_000_000_000
    /// 9999-12-31T23:59:59.999Z.
    private static let latestWritten: Int64 = 253_402_300_799_999
}
