public import Encodings

/// A calendar month in UTC, from 2008-01 (the App Store opened that year) to 2207-12.
///
/// Earlier and later dates count in the first and the last month, so that the number of months is bounded for any dates
/// in receipts.
public struct Month: Hashable, Comparable, Sendable {
    /// Months since the year 0.
    private let number: Int64

    private static let range: ClosedRange<Int64> = 2008 * 12...2207 * 12 + 11

    private init(number: Int64) { self.number = min(max(number, Self.range.lowerBound), Self.range.upperBound) }

    /// The month that an instant is in.
    public init(_ instant: Instant) {
        let date = CivilDate(daysSinceEpoch: instant.day)
        self.init(number: date.year * 12 + date.month - 1)
    }

    /// Its first instant.
    public var start: Instant {
        Self.starts[Int(number - Self.range.lowerBound)]
    }

    /// The first instants of all months, computed once.
    private static let starts = range.map { number in
        let (year, month) = number.quotientAndRemainder(dividingBy: 12)
        return Instant(seconds: CivilDate(year: year, month: month + 1, day: 1).daysSinceEpoch * 86_400)
    }

    /// The month after; `nil` after the last.
    public var next: Month? { number < Self.range.upperBound ? Month(number: number + 1) : nil }

    /// Whether a time is before the month's end, so that the month's numbers are not final at that time.
    public func isCut(by time: Instant) -> Bool { next.map { time < $0.start } ?? true }

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

/// The counts for each month.
enum MonthCount: String, CaseIterable, Sendable, Codable {
    case started
    case trials
    case trialsConverted = "trials-converted"
    case refundedConversions = "refunded-conversions"
    case trialsRunning = "trials-running"
    case trialsNotRefreshed = "trials-not-refreshed"
    case trialsLost = "trials-lost"
    case renewals
    case activeAtStart = "active-at-start"
    case lost
    case notRefreshed = "not-refreshed"
    case resubscribed
    case firstPaid = "first-paid"
    case paidPeriods = "paid-periods"
    case refundedPeriods = "refunded-periods"
    case oneTimePurchases = "one-time-purchases"
    case refundedOneTimePurchases = "refunded-one-time-purchases"
    case lapses
    case winBacks = "win-backs"
    case productChanges = "product-changes"
    case moves
    case takenBackUnknown = "taken-back-unknown"

    /// The name in tables.
    var name: String { rawValue.replacing("-", with: "_") }

    var definition: String {
        switch self {
        case .started: "subscriptions whose first purchase was in the month, without moves"
        case .trials: "trial periods bought in the month"
        case .trialsConverted: "of those, the ones that a paid period of the same subscription follows at any time"
        case .refundedConversions: "of the converted ones, those whose first paid period was refunded"
        case .trialsRunning: "of the others, those that end after as-of"
        case .trialsNotRefreshed: "of the others, those that ended after the newest receipt: it cannot know"
        case .trialsLost: "the others: a receipt from after the end shows no paid period, or they were cancelled"
        case .renewals:
            "paid periods bought in the month that follow a paid period without a lapse; a trial conversion is not one"
        case .activeAtStart: "subscriptions whose paid time covers the first instant of the month"
        case .lost:
            "of those, the ones without paid time at the month's end, or at as-of if that is earlier, as receipts show"
        case .notRefreshed: "of those, the ones whose paid time ended by then after the newest receipt: unknown"
        case .resubscribed: "paid times that began in the month, after an earlier one of the same subscription"
        case .firstPaid: "subscriptions whose paid time began in the month for the first time"
        case .paidPeriods: "paid periods bought in the month"
        case .refundedPeriods:
            "of those, the ones that were refunded at any time; upgrades are not refunds, nor are refunds of single items or seats"
        case .oneTimePurchases: "one-time purchases of the month: consumables, others, and periods that do not renew"
        case .refundedOneTimePurchases: "of those, the ones that were refunded at any time"
        case .lapses: "gaps of more than a day that began in the month and that a later purchase ended"
        case .winBacks: "purchases in the month that ended such a gap"
        case .moves:
            "subscriptions that began in the month and replaced another original transaction: a bundle, or a migration"
        case .takenBackUnknown:
            "periods and one-time purchases of the month that Apple took back for an unknown cause: not refunds"
        case .productChanges: "periods bought in the month, of a product other than the one before"
        }
    }
}
