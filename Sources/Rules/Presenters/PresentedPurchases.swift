import Receipts

/// Selects the purchases of a claim that matter under its device, its account and its person: refunds but not upgrades,
/// trials and introductory periods, and the paid periods that ``PaidBetween`` picks.
///
/// A token's only purchase always matters, because other tokens show the purchases around it.
struct PresentedPurchases {
    private let purchases: [Purchase]
    private let isToken: Bool
    private let paid: PaidBetween?
    private lazy var upgrades = UpgradeIndex(purchases)

    init(_ purchases: [Purchase], isToken: Bool) {
        self.purchases = purchases
        self.isToken = isToken
        paid = isToken ? nil : PaidBetween(purchases)
    }

    /// - Parameter withSingle: whether purchases without an expiry also matter.
    mutating func chosen(withSingle: Bool) -> [Purchase] {
        var chosen: [Purchase] = []
        for index in purchases.indices {
            let isSingle = isToken || withSingle && purchases[index].expiresDate == nil
            let isBetween = paid?.picks(purchases[index]) ?? false
            guard isSingle || isBetween || purchases[index].isSignificant else { continue }
            var purchase = purchases[index]
            if purchase.cancellationDate != nil, upgrades.revocation(of: purchase) == .upgrade {
                // An upgrade is not a refund, but it may still be a trial.
                purchase.cancellationDate = nil
                guard isSingle || isBetween || purchase.isSignificant else { continue }
            }
            chosen.append(purchase)
        }
        return chosen
    }
}
