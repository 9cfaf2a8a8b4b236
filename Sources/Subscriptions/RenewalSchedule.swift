import Encodings

/// The due dates of a subscription's renewals, from the length of its first period at the full price.
///
/// A period of 28 to 31 days, give or take half a day, is a month, and likewise for two, three, six and twelve months.
/// Months are counted by the calendar, in UTC, and a day that a month does not have is its last. Other periods have
/// their stated length.
struct RenewalSchedule {
    /// When the period was bought.
    let start: Instant
    private let length: Length

    private enum Length {
        case months(Int64)
        case milliseconds(Int128)
    }

    /// The ranges of days that are whole months.
    private static let months: [(days: ClosedRange<Int128>, months: Int64)] = [
        (28...31, 1), (59...62, 2), (89...92, 3), (181...184, 6), (365...366, 12),
    ]
    private static let day: Int128 = 86_400_000

    /// - Returns: `nil` for a period that does not end after it begins.
    init?(_ period: SubscriptionPeriod) {
        let stated = Int128(period.expiresAt.milliseconds) - Int128(period.purchasedAt.milliseconds)
        guard stated > 0 else { return nil }
        start = period.purchasedAt
        let known = Self.months.first { entry in
            let (shortest, longest) = (entry.days.lowerBound * Self.day, entry.days.upperBound * Self.day)
            return (shortest - Self.day / 2...longest + Self.day / 2).contains(stated)
        }
        length = known.map { .months($0.months) } ?? .milliseconds(stated)
    }

    /// The length as ISO 8601 writes it; `other` for one that the store does not sell.
    var name: ExactText {
        switch length {
        case .months(12): return "P1Y"
        case .months(let months): return ExactText("P\(months)M")
        case .milliseconds(let length):
            guard twelfthsOfMonths != nil else { return "other" }
            let days = (length + Self.day / 2) / Self.day
            return ExactText(days % 7 == 0 ? "P\(days / 7)W" : "P\(days)D")
        }
    }

    /// Twelve times the number of such periods in a month of 30 days or four weeks; `nil` if the length is not one of
    /// months, weeks or days that the store sells.
    var twelfthsOfMonths: Int128? {
        switch length {
        case .months(let months): return 12 / Int128(months)
        case .milliseconds(let length):
            // Allows for two hours more or less, for daylight saving time.
            let days = (length + Self.day / 2) / Self.day
            guard (length - days * Self.day).magnitude <= UInt128(Self.day / 12) else { return nil }
            switch days {
            case 1...6: return 360 / days
            case 7, 14, 21: return 48 * 7 / days
            default: return nil
            }
        }
    }

    /// Returns when a renewal is due; the first one is 1.
    func due(_ renewal: Int) -> Instant {
        switch length {
        case .months(let months): start.addingMonths(months * Int64(renewal))
        case .milliseconds(let length): start.adding(milliseconds: length * Int128(renewal))
        }
    }

    /// Returns the moment at which a renewal counts as made or not: a tenth of a period, and at most three days, after
    /// the renewal is due. Stores renew a little early or late, and by another time zone's calendar.
    func decided(_ renewal: Int) -> Instant {
        switch length {
        case .months: due(renewal).adding(milliseconds: 3 * Self.day)
        case .milliseconds(let length): due(renewal).adding(milliseconds: min(3 * Self.day, length / 10))
        }
    }
}

extension Instant {
    fileprivate func adding(milliseconds: Int128) -> Instant {
        Instant(milliseconds: Int64(clamping: Int128(self.milliseconds) + milliseconds))
    }

    fileprivate func addingMonths(_ months: Int64) -> Instant {
        let day: Int64 = 86_400_000
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: day)
        let (days, time) = remainder < 0 ? (quotient - 1, remainder + day) : (quotient, remainder)
        let date = CivilDate(daysSinceEpoch: days)
        let (year, month) = (date.year * 12 + date.month - 1 + months).quotientAndRemainder(dividingBy: 12)
        var moved = CivilDate(
            year: month < 0 ? year - 1 : year, month: (month < 0 ? month + 12 : month) + 1, day: date.day)
        while !moved.exists, moved.day > 1 { moved.day -= 1 }
        let milliseconds = Int128(moved.daysSinceEpoch) * Int128(day) + Int128(time)
        return Instant(milliseconds: Int64(clamping: milliseconds))
    }
}
