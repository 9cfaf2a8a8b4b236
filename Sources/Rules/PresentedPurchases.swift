import Receipts

/// Chooses what matters of a claim's purchases under its device, its account and its person: refunds but not upgrades,
/// trials and introductory periods, and of the paid periods those that ``PaidBetween`` picks.
///
/// A token's only purchase matters in any case: what lies between others, other tokens show.
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

    /// - Parameter withSingle: whether purchases without an expiry matter, too.
    mutating func chosen(withSingle: Bool) -> [Purchase] {
        var chosen: [Purchase] = []
        for index in purchases.indices {
            let isSingle = isToken || withSingle && purchases[index].expiresDate == nil
            let isBetween = paid?.picks(purchases[index]) ?? false
            guard isSingle || isBetween || purchases[index].isSignificant else { continue }
            var purchase = purchases[index]
            if purchase.cancellationDate != nil, upgrades.revocation(of: purchase) == .upgrade {
                // An upgrade is no refund; it may still be a trial.
                purchase.cancellationDate = nil
                guard isSingle || isBetween || purchase.isSignificant else { continue }
            }
            chosen.append(purchase)
        }
        return chosen
    }
}
