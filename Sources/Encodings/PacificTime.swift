/// The time of America/Los_Angeles, computed by rule instead of the machine's time zone database, so that a report is
/// the same everywhere.
///
/// Daylight saving time begins and ends at 2 o'clock local time: since 2007 on the second Sunday of March and the first
/// of November (Energy Policy Act of 2005, section 110), before on the first Sunday of April and the last of October
/// (15 U.S.C. 260a as of 1986). No receipt is older than 1987, when these rules began.
public enum PacificTime {
    private static let standardOffset: Int64 = -8 * 3600
    private static let daylightOffset: Int64 = -7 * 3600

    /// Returns the offset of its clocks from UTC in seconds, a negative number.
    public static func offset(at instant: Instant) -> Int64 {
        let second = instant.seconds
        // Both changes are months away from the turn of a year, so the year in UTC suffices.
        let year = CivilDate(daysSinceEpoch: instant.day).year
        let (start, end) =
            year >= 2007
            ? (sunday(of: year, month: 3, from: 8), sunday(of: year, month: 11, from: 1))
            : (sunday(of: year, month: 4, from: 1), sunday(of: year, month: 10, from: 25))
        let isDaylight =
            second >= start * 86_400 + 2 * 3600 - standardOffset && second < end * 86_400 + 2 * 3600 - daylightOffset
        return isDaylight ? daylightOffset : standardOffset
    }

    /// Returns the day on its calendars, in days since 1970-01-01.
    public static func day(of instant: Instant) -> Int64 { instant.adding(seconds: offset(at: instant)).day }

    /// Returns the first Sunday of a month from a day on, in days since 1970-01-01, which was a Thursday.
    private static func sunday(of year: Int64, month: Int64, from day: Int64) -> Int64 {
        let earliest = CivilDate(year: year, month: month, day: day).daysSinceEpoch
        let weekday = ((earliest + 4) % 7 + 7) % 7
        return earliest + (7 - weekday) % 7
    }
}
