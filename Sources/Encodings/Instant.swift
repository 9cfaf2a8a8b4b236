/// A point in time, in milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// Receipts have whole seconds and, now and then, milliseconds. Every value that ``init(rfc3339:)`` can read fits.
public struct Instant: Comparable, Hashable, Sendable {
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Seconds since the epoch. Values beyond the range of milliseconds are clamped to it.
    public init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        milliseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// Whole seconds since the epoch, rounded down.
    public var seconds: Int64 {
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The day in UTC, in days since 1970-01-01.
    public var day: Int64 {
        let (quotient, remainder) = seconds.quotientAndRemainder(dividingBy: 86_400)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The start of a day in UTC, in days since 1970-01-01. Values beyond the range of milliseconds are clamped to it.
    public init(day: Int64) {
        let (seconds, overflow) = day.multipliedReportingOverflow(by: 86_400)
        self.init(seconds: overflow ? (day < 0 ? .min : .max) : seconds)
    }

    public static func < (a: Instant, b: Instant) -> Bool { a.milliseconds < b.milliseconds }

    /// Returns this instant, later by a number of seconds, clamped to the range.
    public func adding(seconds: Int64) -> Instant {
        let (sum, overflow) = milliseconds.addingReportingOverflow(Instant(seconds: seconds).milliseconds)
        return Instant(milliseconds: overflow ? (seconds < 0 ? .min : .max) : sum)
    }
}

extension Instant: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

extension Instant: CustomStringConvertible {
    /// RFC 3339 in UTC with whole seconds, for example `2025-04-30T02:30:31Z`.
    public var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

extension Instant {
    /// Reads an RFC 3339 date-time: `2025-04-30T02:30:31Z`, with or without a fraction (digits beyond milliseconds are
    /// dropped), `Z` or an offset with or without its colon. Xcode's local store writes `+0300`. Anything else is
    /// `nil`.
    public init?(rfc3339 text: Span<UInt8>) {
        var digits = DigitReader(text)
        guard let days = digits.date(), digits.skip("T"), let time = digits.time(), let offset = digits.offset(),
            digits.isAtEnd
        else { return nil }
        self.init(days: days, time: time, offset: offset)
    }

    /// Makes an instant from days since 1970, milliseconds since midnight, and an offset in seconds east of Greenwich.
    init(days: Int64, time: Int64, offset: Int64) {
        self.init(milliseconds: (days * 86_400 - offset) * 1000 + time)
    }

    /// Reads the same from a string.
    public init?(rfc3339 text: String) { self.init(rfc3339: text.utf8.span) }

    /// Appends RFC 3339 in UTC with whole seconds, as in every report.
    ///
    /// Years beyond four digits, which no receipt can have in UTC, are clamped to 0000 and 9999.
    public func append(to text: inout [UInt8]) {
        let lowest: Int64 = -62_167_219_200  // 0000-01-01T00:00:00Z
        let highest: Int64 = 253_402_300_799  // 9999-12-31T23:59:59Z
        let clamped = min(max(seconds, lowest), highest)
        let day = clamped >= 0 ? clamped / 86_400 : (clamped - 86_399) / 86_400
        let date = CivilDate(daysSinceEpoch: day)
        let time = clamped - day * 86_400
        appendNumber(date.year / 100, to: &text)
        appendNumber(date.year % 100, "-", to: &text)
        appendNumber(date.month, "-", to: &text)
        appendNumber(date.day, "T", to: &text)
        appendNumber(time / 3600, ":", to: &text)
        appendNumber(time / 60 % 60, ":", to: &text)
        appendNumber(time % 60, "Z", to: &text)
    }

    private func appendNumber(_ number: Int64, _ separator: Unicode.Scalar? = nil, to text: inout [UInt8]) {
        text.append(UInt8(truncatingIfNeeded: 48 + number / 10))
        text.append(UInt8(truncatingIfNeeded: 48 + number % 10))
        if let separator { text.append(UInt8(truncatingIfNeeded: separator.value)) }
    }
}

/// A day of the proleptic Gregorian calendar, and its distance from 1970-01-01.
///
/// The arithmetic counts eras of 400 years, which all have 146,097 days, and years that begin in March, so that the
/// leap day comes last.
package struct CivilDate: Equatable {
    package var year: Int64
    package var month: Int64
    package var day: Int64

    /// Whether this is a day of the calendar: 2023-02-29 is not.
    package var exists: Bool { (1...12).contains(month) && day >= 1 && day <= Self.days(inMonth: month, of: year) }

    /// Days since 1970-01-01, negative before it.
    package var daysSinceEpoch: Int64 {
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    package init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    package init(daysSinceEpoch: Int64) {
        let shifted = daysSinceEpoch + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
