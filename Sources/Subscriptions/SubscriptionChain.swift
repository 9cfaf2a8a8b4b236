import Encodings
import Receipts
import Rules

/// The periods of an original transaction, and the chains of transactions before and after it.
struct SubscriptionChain {
    /// The periods in order of purchase, with the reasons for revocations.
    private(set) var periods: [SubscriptionPeriod]
    /// A later period that only a renewal info shows; `nil` if there is none.
    private(set) var unseen: UnseenPeriod?
    /// Whether the token of its first period names the chain before it.
    let isSuccessor: Bool
    /// When another chain replaced it; `nil` if none did.
    private(set) var movedAt: Instant?

    /// - Parameter found: the periods, one for each transaction or line item.
    init(_ found: [SubscriptionPeriod], _ evidence: SubscriptionEvidence) {
        var found = found
        found.decideRevocations()
        periods = found.joiningParts()
        isSuccessor = periods.first { $0.details != nil }?.isSuccessor == true
        unseen = evidence.proofs.unseenPeriod(after: periods)
        if let date = evidence.movedAt { move(found, at: date) }
    }

    /// Ends the latest period at the start of another chain, unless it had ended more than a day before.
    private mutating func move(_ found: [SubscriptionPeriod], at date: Instant) {
        guard let latest = periods.last, latest.purchasedAt <= date else { return }
        if let unseen {
            guard unseen.signedAt <= date, !unseen.end.isMoreThanADay(before: date) else { return }
            self.unseen?.end = min(unseen.end, date)
        } else {
            guard !(latest.cutAt ?? latest.expiresAt).isMoreThanADay(before: date) else { return }
            let parts = Set(latest.transactions.map(\.id))
            var found = found
            for index in found.indices where parts.contains(found[index].id) {
                if found[index].cancelledAt != nil {
                    found[index].details = found[index].details ?? TransactionDetails()
                    found[index].details?.movedAt = date
                }
            }
            found.decideRevocations()
            let joined = found.joiningParts()
            guard let moved = joined.last, !moved.isTakenBack else { return }
            periods = joined
            periods[periods.count - 1].movedAt = max(date, moved.purchasedAt)
        }
        movedAt = date
    }
}
