import Encodings

/// The times that the paid periods of a subscription cover, trials not included.
///
/// A period ends when it was refunded. Gaps of a day or less do not count, as in the column `lapses`.
struct PaidTime {
    let stretches: [Range<Instant>]
    /// Whether a receipt was made at the end of the last stretch or later.
    let isEndSeen: Bool

    init(_ subscription: Subscription) {
        var stretches: [Range<Instant>] = []
        for period in subscription.periods where period.isPaid {
            let end = min(period.expiresAt, period.refundedAt ?? period.expiresAt)
            guard period.purchasedAt < end else { continue }
            if let last = stretches.last, !last.upperBound.isMoreThanADay(before: period.purchasedAt) {
                stretches[stretches.count - 1] = last.lowerBound..<max(last.upperBound, end)
            } else {
                stretches.append(period.purchasedAt..<end)
            }
        }
        self.stretches = stretches
        isEndSeen = stretches.last.map { subscription.row.evidenceAt >= $0.upperBound } ?? true
    }

    /// Returns the subscription's standing at a moment after its first paid time began.
    func standing(at moment: Instant) -> Cohort.Standing {
        guard let next = stretches.first(where: { moment < $0.upperBound }) else {
            return isEndSeen ? .lost : .notRefreshed
        }
        return next.contains(moment) ? .paid : .lost
    }
}

/// How the periods of a subscription follow each other, in order of purchase.
struct SubscriptionCourse {
    /// The times of more than a day without a period: from the greatest expiry so far to the next purchase.
    private(set) var lapses: [Range<Instant>] = []
    /// The purchase dates of periods whose product differs from that of the one before.
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
                lapses.append(end..<period.purchasedAt)
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
    /// Returns whether this is more than a day before another instant.
    func isMoreThanADay(before other: Instant) -> Bool { self < other && adding(seconds: 86_400) < other }
}
