import Encodings
import Receipts
import Testing

@testable import Subscriptions

/// Purchases that equally old proofs show: which one counts may not depend on the order in which they are read.
struct `Of two purchases that differ in anything` {
    private static let base = Purchase(
        productID: "gold", transactionID: "460000000000001", purchaseDate: Instant(seconds: 1_700_000_000))

    private static let changes: [@Sendable (inout Purchase) -> Void] = [
        { $0.productID = "silver" }, { $0.transactionID = "460000000000002" },
        { $0.purchaseDate = Instant(seconds: 1) }, { $0.quantity = 1 }, { $0.originalTransactionID = "" },
        { $0.originalTransactionID = "460000000000001" }, { $0.originalPurchaseDate = Instant(seconds: 1) },
        { $0.kind = .nonConsumable }, { $0.expiresDate = Instant(milliseconds: .min) },
        { $0.expiresDate = Instant(seconds: 1) }, { $0.webOrderLineItemID = 7 },
        { $0.cancellationDate = Instant(seconds: 1) }, { $0.cancellationReason = 0 }, { $0.isTrialPeriod = true },
        { $0.isInIntroOfferPeriod = true }, { $0.statesTrial = true }, { $0.statesIntroOffer = true },
        { $0.promotionalOfferID = "" }, { $0.promotionalOfferID = "spring" }, { $0.details = TransactionDetails() },
        { $0.change { $0.price = 0 } }, { $0.change { $0.currency = "EUR" } },
        { $0.change { $0.ownership = "PURCHASED" } }, { $0.change { $0.storefront = "DEU" } },
        { $0.change { $0.isUpgraded = true } }, { $0.change { $0.revocationReason = 0 } },
        { $0.change { $0.offerType = 1 } },
        { $0.change { $0.revocationType = "" } }, { $0.change { $0.revocationPercentage = -1 } },
        { $0.change { $0.previousOriginalTransactionID = "1" } }, { $0.change { $0.subscriptionGroupID = "1" } },
        { $0.change { $0.appAccountToken = "1" } },
    ]

    @Test func `one is the weaker`() {
        let purchases = [Self.base] + Self.changes.map { Self.base.changed(by: $0) }
        for (index, first) in purchases.enumerated() {
            #expect(!first.isWeaker(than: first))
            for second in purchases[..<index] {
                #expect(first.isWeaker(than: second) != second.isWeaker(than: first), "\(first) \(second)")
            }
        }
    }

    @Test func `the same one counts, whichever is read first`() {
        let purchases = [Self.base] + Self.changes.map { Self.base.changed(by: $0) }
        for (index, first) in purchases.enumerated() {
            for second in purchases[..<index] {
                #expect(Self.sum(first, second) == Self.sum(second, first), "\(first) \(second)")
            }
        }
    }

    /// The dates that count of two one-time purchases.
    private static func sum(_ first: Purchase, _ second: Purchase) -> OneTimePurchase {
        let signedAt = Instant(seconds: 1_700_000_001)
        var sum = OneTimeEvidence(first, of: "com.example.notes", in: "", createdAt: signedAt)
        sum.add(OneTimeEvidence(second, of: "com.example.notes", in: "", createdAt: signedAt))
        return sum.purchase
    }
}

extension Purchase {
    fileprivate mutating func change(_ change: (inout TransactionDetails) -> Void) {
        var details = details ?? TransactionDetails()
        change(&details)
        self.details = details
    }

    fileprivate func changed(by change: (inout Purchase) -> Void) -> Purchase {
        var purchase = self
        change(&purchase)
        return purchase
    }
}
