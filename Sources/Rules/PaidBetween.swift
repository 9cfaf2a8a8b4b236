import Encodings
import Receipts

/// Picks the paid periods of a receipt that can show, together with other proofs, that two trials or introductory periods
/// of one product in one original transaction are two offers, as a paid period lies between them.
///
/// Only few are passed on. Of a product of which the receipt shows a trial, too, they are those between its trials, the
/// last one before the first trial, and the first one after the last. Of one of which it shows none they are the first and
/// the last, and only if the receipt does not show the original transaction: one that does, and it is no trial, shows that
/// the subscription began without.
struct PaidBetween {
    private var spans: [PaidPeriod.Subscription: Span] = [:]

    private struct Span {
        /// The first and the last trial.
        var trials: ClosedRange<Instant>?
        /// Of what is passed on besides, the earlier and the later: the paid periods next to the trials, else the first
        /// and the last.
        var lower: Instant?
        var upper: Instant?

        mutating func add(paid date: Instant) {
            guard let trials else {
                lower.add(date)
                return upper = max(upper ?? date, date)
            }
            if date < trials.lowerBound { lower = max(lower ?? date, date) }
            if date > trials.upperBound { upper.add(date) }
        }
    }

    /// - Returns: `nil` if no paid period matters.
    init?(_ purchases: [Purchase]) {
        guard purchases.contains(where: \.isPaidPeriod) else { return nil }
        var begun: Set<ExactText> = []
        for purchase in purchases {
            if purchase.original == purchase.transactionID { begun.insert(purchase.original) }
            guard purchase.isFirstTime else { continue }
            let date = purchase.purchaseDate
            let known = spans[purchase.subscription]?.trials ?? date...date
            spans[purchase.subscription, default: Span()].trials =
                min(known.lowerBound, date)...max(known.upperBound, date)
        }
        for purchase in purchases where purchase.isPaidPeriod {
            let subscription = purchase.subscription
            guard spans[subscription] != nil || !begun.contains(purchase.original) else { continue }
            spans[subscription, default: Span()].add(paid: purchase.purchaseDate)
        }
        if spans.isEmpty { return nil }
    }

    func picks(_ purchase: Purchase) -> Bool {
        guard purchase.isPaidPeriod, let span = spans[purchase.subscription] else { return false }
        let date = purchase.purchaseDate
        return span.lower == date || span.upper == date || span.trials?.contains(date) ?? false
    }
}

extension Purchase {
    /// Whether it is a subscription's period that was paid for. At an offer that nobody knows it may be a trial.
    var isPaidPeriod: Bool {
        guard expiresDate != nil, !isTrialPeriod, !isInIntroOfferPeriod else { return false }
        return details?.offerType.map { (1...4).contains($0) } ?? true
    }

    /// The product in its original transaction.
    fileprivate var subscription: PaidPeriod.Subscription {
        PaidPeriod.Subscription(product: productID, original: original)
    }
}
