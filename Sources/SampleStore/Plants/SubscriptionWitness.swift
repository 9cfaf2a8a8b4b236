import Encodings

/// A claim whose receipt an audit believes, and who presents it.
struct SubscriptionWitness {
    var receipt: ReceiptContent
    /// `nil` if the row names none that can be read.
    var device: SampleDevice?
    /// Empty if the row names none.
    var account: String

    /// The subscriptions that some claims show together.
    ///
    /// Told as plainly as can be, for each subscription from the beginning.
    static func subscriptions(_ witnesses: [SubscriptionWitness]) -> [ExpectedSubscription] {
        let originals = Set(witnesses.flatMap { $0.receipt.purchases.filter(\.renews).map(\.originalTransactionID) })
        return originals.compactMap { original in
            let showing = witnesses.filter { witness in
                witness.receipt.purchases.contains { $0.renews && $0.originalTransactionID == original }
            }
            return subscription(original, showing.sorted { $0.receipt.createdAt < $1.receipt.createdAt })
        }
    }

    /// One subscription, from the oldest receipt to the newest.
    private static func subscription(
        _ original: String, _ witnesses: [SubscriptionWitness]
    ) -> ExpectedSubscription? {
        // A newer receipt writes over what an older one said, but for refunds and the first date.
        var periods: [String: PurchaseContent] = [:]
        var dates: [Instant] = []
        for witness in witnesses {
            for purchase in witness.receipt.purchases
            where purchase.renews && purchase.originalTransactionID == original {
                let line = purchase.webOrderLineItemID
                let name = line == 0 ? purchase.transactionID : "line \(line)"
                let known = periods[name]
                periods[name] = purchase.with {
                    $0.cancelledAt = purchase.cancelledAt ?? known?.cancelledAt
                    $0.purchasedAt = min(purchase.purchasedAt, known?.purchasedAt ?? purchase.purchasedAt)
                }
                dates += [purchase.purchasedAt, purchase.originallyPurchasedAt]
            }
        }
        let course = periods.sorted { ($0.value.purchasedAt, $0.key) < ($1.value.purchasedAt, $1.key) }.map(\.value)
        guard let newest = witnesses.last?.receipt, let started = dates.min(),
            let latest = course.max(by: { $0.end < $1.end })
        else { return nil }
        let day: Int64 = 86_400
        let lapses = course.indices.dropFirst().count { index in
            let end = course[..<index].map(\.end.seconds).max() ?? 0
            return course[index].purchasedAt.seconds - end > day
        }
        return ExpectedSubscription(
            originalTransactionID: original, bundleID: newest.bundleID, productID: latest.productID,
            environment: newest.environment, state: state(latest, newest),
            startedAt: started.description, expiresAt: latest.end.description,
            periods: course.count, trials: course.count(where: \.isTrial),
            introOffers: course.count(where: \.isIntroOffer), refunds: course.count { $0.cancelledAt != nil },
            lapses: lapses, productChanges: zip(course, course.dropFirst()).count { $0.productID != $1.productID },
            devices: Set(witnesses.compactMap(\.device)).count,
            accounts: Set(witnesses.map(\.account)).subtracting([""]).count,
            lastTransactionID: latest.transactionID, evidenceAt: newest.createdAt.description)
    }

    private static func state(_ latest: PurchaseContent, _ newest: ReceiptContent) -> ExpectedSubscription.State {
        if latest.cancelledAt != nil { return .refunded }
        if latest.end > SampleExport.asOf {
            if latest.isTrial { return .trial }
            return latest.isIntroOffer ? .intro : .active
        }
        return newest.createdAt < latest.end ? .notRefreshed : .expired
    }
}

extension PurchaseContent {
    /// Whether it is a period of a subscription, and can be read.
    fileprivate var renews: Bool { kind == .autoRenewable && expiresAt != nil && edits.isEmpty }

    fileprivate var end: Instant { expiresAt ?? purchasedAt }
}
