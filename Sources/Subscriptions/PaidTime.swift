import Encodings

/// The times that the paid periods of a subscription cover, trials not included.
///
/// A period ends when it was cancelled. Gaps of a day or less do not count, as in the column `lapses`.
struct PaidTime {
    let stretches: [Range<Instant>]
    /// From the signing of a renewal info to the end of the period that it alone shows; nobody knows what was between the
    /// last stretch and this.
    let renewed: Range<Instant>?
    /// Whether a proof tells what came at the end of all that.
    let isEndSeen: Bool
    /// Whether another chain of transactions goes on from there.
    let hasMoved: Bool

    init(_ subscription: Subscription) {
        var stretches: [Range<Instant>] = []
        for period in subscription.periods where period.isPaid {
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
        (self.stretches, self.renewed) = (stretches, renewed)
        hasMoved = subscription.movedAt != nil
        isEndSeen =
            (renewed ?? stretches.last).map { last in
                let isCancelled = subscription.periods.contains {
                    // What took the place of an upgraded period may be known to nobody.
                    $0.isPaid && $0.cutAt == last.upperBound
                        && !($0.isUpgraded && $0.id == subscription.periods.last?.id)
                }
                return isCancelled || subscription.isKnown(after: last.upperBound)
            } ?? true
    }

    /// Returns the subscription's coverage at a moment. Who moved to another chain of transactions is kept, and counted
    /// there.
    ///
    /// - Parameter first: the index of a stretch that begins at that moment or before; 0 if none is known.
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

/// How the periods of a subscription follow each other, in order of purchase.
struct SubscriptionCourse {
    /// The times of more than a day without a period: from the greatest end so far to the next purchase. Periods that were
    /// taken back are left out, and an upgraded period ends at its upgrade.
    private(set) var lapses: [Range<Instant>] = []
    /// The purchase dates of periods whose product differs from that of the one before.
    private(set) var productChanges: [Instant] = []
    /// Paid periods that follow a paid one, at most a day after all earlier periods have ended. So a trial's conversion
    /// is none.
    private(set) var renewals: [SubscriptionPeriod] = []
    /// How many were bought before an earlier one had ended.
    private(set) var overlaps = 0

    init(_ periods: [SubscriptionPeriod]) {
        /// The end of all periods so far that were not taken back.
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
