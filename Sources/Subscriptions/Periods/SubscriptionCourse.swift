import Encodings

/// How the periods of a subscription follow each other, in order of purchase.
struct SubscriptionCourse {
    /// A time without a period of more than a day: from the greatest expiry so far to the next purchase.
    struct Lapse: Equatable {
        var from: Instant
        var to: Instant
    }

    private(set) var lapses: [Lapse] = []
    /// When periods were bought of another product than the one before.
    private(set) var productChanges: [Instant] = []
    /// Periods after the first without a lapse before them.
    private(set) var renewals: [SubscriptionPeriod] = []
    /// How many were bought before an earlier one had ended.
    private(set) var overlaps = 0

    init(_ periods: [SubscriptionPeriod]) {
        guard let first = periods.first else { return }
        var end = first.expiresAt
        for (before, period) in zip(periods, periods.dropFirst()) {
            if end.isMoreThanADay(before: period.purchasedAt) {
                lapses.append(Lapse(from: end, to: period.purchasedAt))
            } else {
                renewals.append(period)
            }
            if period.purchasedAt < end { overlaps += 1 }
            if period.productID != before.productID { productChanges.append(period.purchasedAt) }
            end = max(end, period.expiresAt)
        }
    }
}

extension Instant {
    /// Whether there is more than a day from here to another.
    func isMoreThanADay(before other: Instant) -> Bool { self < other && adding(seconds: 86_400) < other }
}
