/// What is counted for each month.
public enum MonthCount: String, CaseIterable, Sendable, Codable {
    case started
    case trials
    case trialsConverted = "trials-converted"
    case trialsRunning = "trials-running"
    case trialsNotRefreshed = "trials-not-refreshed"
    case trialsLost = "trials-lost"
    case renewals
    case activeAtStart = "active-at-start"
    case lost
    case resubscribed
    case notRefreshed = "not-refreshed"
    case firstPaid = "first-paid"
    case paidPeriods = "paid-periods"
    case refunds
    case lapses
    case winBacks = "win-backs"
    case productChanges = "product-changes"

    public var definition: String {
        switch self {
        case .started: "subscriptions whose first purchase was in the month"
        case .trials: "trial periods bought in the month"
        case .trialsConverted: "of those, the ones that a paid period of the same subscription follows at any time"
        case .trialsRunning: "of the others, those that end after as-of"
        case .trialsNotRefreshed: "of the others, those that ended after the newest receipt: it cannot know"
        case .trialsLost: "the others: a receipt from after the end shows no paid period, or they were cancelled"
        case .renewals: "paid periods bought in the month, after an earlier period and without a lapse before them"
        case .activeAtStart: "subscriptions whose paid time covers the first instant of the month"
        case .lost: "paid times that ended in the month, as a receipt from then or later shows"
        case .resubscribed: "paid times that began in the month, after an earlier one of the same subscription"
        case .notRefreshed: "paid times that ended in the month, after the newest receipt: not counted as lost"
        case .firstPaid: "subscriptions whose paid time began in the month for the first time"
        case .paidPeriods: "paid periods bought in the month"
        case .refunds: "paid periods refunded in the month"
        case .lapses: "gaps of more than a day that began in the month and that a later purchase ended"
        case .winBacks: "purchases in the month that ended such a gap"
        case .productChanges: "periods bought in the month of another product than the one before"
        }
    }
}
