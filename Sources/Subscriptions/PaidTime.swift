import Encodings

/// The times covered by the paid periods of a subscription, without trials.
///
/// A cancelled period ends at its cancellation. Gaps of a day or less do not count, as in the column `lapses`.
struct PaidTime {
    let stretches: [Range<Instant>]
    /// From the signing of a renewal info to the end of the period that it alone shows. The time between the last
    /// stretch and this one is unknown.
    let renewed: Range<Instant>?
    /// Whether a proof shows what followed the end of it all.
    let isEndSeen: Bool
    /// Whether another chain of transactions continues from there.
    let hasMoved: Bool

    init(_ subscription: Subscription) {
        var stretches: [Range<Instant>] = []
        // A renewal that an upgrade cancelled may begin after the period that replaced it.
        let paid = subscription.periods.filter(\.isPaid).sorted { $0.purchasedAt < $1.purchasedAt }
        for period in paid {
            let end = period.end
            guard period.purchasedAt < end else { continue }
            if let last = stretches.last, !last.upperBound.isMoreThanADay(before: period.purchasedAt) {
                stretches[stretches.count - 1] = last.lowerBound..<max(last.upperBound, end)
            } else {
                stretches.append(period.purchasedAt..<end)
            }
        }
        var renewed = subscription.unseen.flatMap { $0.signedAt < $0.end ? $0.signedAt..<$0.end : nil }
        if let told = renewed, let last = stretches.last, !last.upperBound.isMoreThanADay(before: told.lowerBound) {
            stretches[stretches.count - 1] = last.lowerBound..<max(last.upperBound, told.upperBound)
            renewed = nil
        }
        self.stretches = stretches
        self.renewed = renewed
        hasMoved = subscription.movedAt != nil
        isEndSeen =
            (renewed ?? stretches.last).map { last in
                let isCancelled = subscription.periods.contains {
                    // The successor of an upgraded period may not be in any proof.
                    $0.isPaid && $0.cutAt == last.upperBound
                        && !($0.isUpgraded && $0.id == subscription.periods.last?.id)
                }
                return isCancelled || subscription.isKnown(after: last.upperBound)
            } ?? true
    }

    /// Returns the subscription's coverage at a moment. A subscription that moved to another chain of transactions
    /// counts as kept, and is counted there.
    ///
    /// - Parameter first: the index of a stretch that begins at or before that moment; 0 if none is known.
    func coverage(at moment: Instant, from first: Int = 0) -> Cohort.Coverage {
        guard let next = stretches[first...].first(where: { moment < $0.upperBound }) else {
            guard let renewed, moment < renewed.upperBound else {
                return hasMoved ? .kept : isEndSeen ? .lost : .unknown
            }
            return renewed.contains(moment) ? .kept : .unknown
        }
        return next.contains(moment) ? .kept : .lost
    }
}

/// The sequence of a subscription's periods, in order of purchase.
struct SubscriptionCourse {
    /// The times of more than a day without a period: from the greatest end so far to the next purchase. Revoked
    /// periods are left out, and an upgraded period ends at its upgrade.
    private(set) var lapses: [Range<Instant>] = []
    /// The purchase dates of periods with another product than the previous one.
    private(set) var productChanges: [Instant] = []
    /// Paid periods that follow a paid one, at most a day after all earlier periods have ended. So the conversion of a
    /// trial is not a renewal.
    private(set) var renewals: [SubscriptionPeriod] = []
    /// The number of periods bought before an earlier one had ended.
    private(set) var overlaps = 0

    init(_ periods: [SubscriptionPeriod]) {
        /// The end of all unrevoked periods so far.
        var end: Instant?
        /// The stated end of all periods so far, and the end of access.
        var (statedEnd, accessEnd): (Instant?, Instant?)
        var before: SubscriptionPeriod?
        for period in periods {
            if !period.isTakenBack {
                if let end, end.isMoreThanADay(before: period.purchasedAt) { lapses.append(end..<period.purchasedAt) }
                end = max(end ?? period.end, period.end)
            }
            if let before, let statedEnd, let accessEnd {
                let isRenewal = before.isPaid && period.isPaid
                if isRenewal, !statedEnd.isMoreThanADay(before: period.purchasedAt) { renewals.append(period) }
                if period.purchasedAt < accessEnd { overlaps += 1 }
                if period.productID != before.productID { productChanges.append(period.purchasedAt) }
            }
            let stated = period.isUpgraded ? period.end : period.expiresAt
            // An upgrade may be bought shortly before the cancellation.
            let access = period.isUpgraded ? period.purchasedAt : period.end
            statedEnd = max(statedEnd ?? stated, stated)
            accessEnd = max(accessEnd ?? access, access)
            before = period
        }
    }
}

extension Instant {
    /// Returns whether this is more than a day before another instant.
    func isMoreThanADay(before other: Instant) -> Bool { self < other && adding(seconds: 86_400) < other }
}
