import Encodings
import Receipts

/// Picks the paid periods of a receipt that matter for counting trials. Together with other proofs they can show that
/// two trials or introductory periods of one product in one original transaction are two offers, with a paid period
/// between them.
///
/// It keeps only a few. For a product with a trial in the receipt these are the paid periods between its trials, the
/// last one before the first trial, and the first one after the last. For a product without a trial they are the first
/// and the last, and only if the receipt does not show the original transaction. If it does show it, and it is not a
/// trial, the subscription began without a trial.
struct PaidBetween {
    private var spans: [PaidPeriod.Subscription: Span] = [:]

    private struct Span {
        /// The first and the last trial.
        var trials: ClosedRange<Instant>?
        /// The earlier and the later of the other periods that are kept: the paid periods next to the trials, or the
        /// first and the last.
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
    /// Whether it is a paid period of a subscription. A period with an unknown offer may be a trial.
    var isPaidPeriod: Bool {
        guard expiresDate != nil, !isTrialPeriod, !isInIntroOfferPeriod else { return false }
        return details?.offerType.map { (1...4).contains($0) } ?? true
    }

    /// The product in its original transaction.
    fileprivate var subscription: PaidPeriod.Subscription {
        PaidPeriod.Subscription(product: productID, original: original)
    }
}
