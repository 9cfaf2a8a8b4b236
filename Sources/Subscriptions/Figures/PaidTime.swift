import Encodings

/// The times that the paid periods of a subscription cover, trials not included.
///
/// A period ends where it was refunded. Gaps of a day or less are none, as in the column `lapses`.
struct PaidTime {
    struct Stretch: Equatable {
        var from: Instant
        /// The first instant that is not covered.
        var to: Instant
    }

    enum Outcome: Hashable { case paid, lost, notRefreshed }

    private(set) var stretches: [Stretch] = []
    /// Whether a receipt was made when the last stretch had ended, or later.
    let isEndSeen: Bool

    init(_ subscription: Subscription) {
        var stretches: [Stretch] = []
        for period in subscription.periods where period.isPaid {
            let end = min(period.expiresAt, period.refundedAt ?? period.expiresAt)
            guard period.purchasedAt < end else { continue }
            if let last = stretches.last, !last.to.isMoreThanADay(before: period.purchasedAt) {
                stretches[stretches.count - 1].to = max(last.to, end)
            } else {
                stretches.append(Stretch(from: period.purchasedAt, to: end))
            }
        }
        self.stretches = stretches
        isEndSeen = stretches.last.map { subscription.row.evidenceAt >= $0.to } ?? true
    }

    /// How things stand at a moment after the beginning.
    func outcome(at moment: Instant) -> Outcome {
        guard let next = stretches.first(where: { moment < $0.to }) else { return isEndSeen ? .lost : .notRefreshed }
        return next.from <= moment ? .paid : .lost
    }
}
