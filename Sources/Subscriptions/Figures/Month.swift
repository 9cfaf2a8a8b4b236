public import Encodings

/// A calendar month in UTC, from 2008-01 (the App Store opened that year) to 2207-12.
///
/// Dates before and after are held in the first month and the last, so that there are no more months than
/// these whatever dates receipts have.
public struct Month: Hashable, Comparable, Sendable {
    /// Months since the year 0.
    private let number: Int64

    private static let range: ClosedRange<Int64> = 2008 * 12...2207 * 12 + 11

    private init(number: Int64) { self.number = min(max(number, Self.range.lowerBound), Self.range.upperBound) }

    /// The month that an instant is in.
    public init(_ instant: Instant) {
        let (days, rest) = instant.seconds.quotientAndRemainder(dividingBy: 86_400)
        let date = CivilDate(daysSinceEpoch: rest < 0 ? days - 1 : days)
        self.init(number: date.year * 12 + date.month - 1)
    }

    /// Its first instant.
    public var start: Instant {
        Self.starts[Int(number - Self.range.lowerBound)]
    }

    /// The first instants of all months: they are asked for again and again.
    private static let starts = range.map { number in
        let (year, month) = number.quotientAndRemainder(dividingBy: 12)
        return Instant(seconds: CivilDate(year: year, month: month + 1, day: 1).daysSinceEpoch * 86_400)
    }

    /// The month after; `nil` after the last.
    public var next: Month? { number < Self.range.upperBound ? Month(number: number + 1) : nil }

    public static func < (a: Month, b: Month) -> Bool { a.number < b.number }
}

extension Month: CustomStringConvertible {
    /// `2024-03`
    public var description: String { String(start.description.prefix(7)) }
}

extension Month: Codable {
    public init(from decoder: any Decoder) throws { self.init(number: try Int64(from: decoder)) }

    public func encode(to encoder: any Encoder) throws { try number.encode(to: encoder) }
}
