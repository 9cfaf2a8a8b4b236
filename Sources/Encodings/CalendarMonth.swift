/// A month of the Gregorian calendar in UTC.
public struct CalendarMonth: Hashable, Comparable, Sendable {
    /// Months since January of year 0.
    public let number: Int64

    public init(number: Int64) { self.number = number }

    /// The month in which an instant lies.
    public init(of instant: Instant) {
        let (quotient, remainder) = instant.seconds.quotientAndRemainder(dividingBy: 86_400)
        let date = CivilDate(daysSinceEpoch: remainder < 0 ? quotient - 1 : quotient)
        number = 12 * date.year + date.month - 1
    }

    public static func < (a: CalendarMonth, b: CalendarMonth) -> Bool { a.number < b.number }
}

extension CalendarMonth: CustomStringConvertible {
    /// For example `2026-06`.
    public var description: String {
        let year = number >= 0 ? number / 12 : (number - 11) / 12
        let month = number - 12 * year + 1
        let digits = String(year.magnitude)
        return (year < 0 ? "-" : "") + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            + (month < 10 ? "-0" : "-") + String(month)
    }
}
