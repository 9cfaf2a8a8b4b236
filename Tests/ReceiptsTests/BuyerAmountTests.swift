import Encodings
import Receipts
import Testing

/// What a purchase cost its buyer in all.
struct `What a purchase cost its buyer` {
    private func amount(
        price: Int64? = 9990, quantity: Int? = nil, kind: Purchase.Kind? = .autoRenewable,
        _ change: (inout TransactionDetails) -> Void = { _ in }
    ) -> Int64? {
        var purchase = Purchase(productID: "gold", transactionID: "460", purchaseDate: Instant(seconds: 0))
        (purchase.quantity, purchase.kind) = (quantity, kind)
        var details = TransactionDetails()
        details.price = price
        change(&details)
        purchase.details = details
        return purchase.amount.map { $0.millionths / 1000 }
    }

    private func sum(of tiers: (price: Int64, quantity: Int)...) -> Int64? {
        amount(quantity: 12) {
            $0.seats = SeatInfo(tiers: tiers.map { SeatInfo.Tier(price: $0.price, quantity: $0.quantity) })
        }
    }

    @Test func `is its price`() {
        #expect(amount() == 9990)
        #expect(amount(quantity: 1) == 9990)
        #expect(amount { $0.ownership = "PURCHASED" } == 9990)
    }

    @Test func `is that of all seats of a subscription`() {
        #expect(amount(quantity: 10) == 99_900)
    }

    @Test func `is the price, of several pieces of a consumable`() {
        #expect(amount(quantity: 10, kind: .consumable) == 9990)
    }

    @Test func `is the sum over price tiers, if there are any`() {
        #expect(sum(of: (9990, 8), (4995, 4)) == 99_900)
    }

    @Test func `is that of the price, if there is no tier`() {
        #expect(amount(quantity: 10) { $0.seats = SeatInfo(revoked: 2) } == 99_900)
    }

    @Test(arguments: ["FAMILY_SHARED", "ASSIGNED", "LOANED", ""]) func `is not paid by a member`(ownership: ExactText) {
        #expect(amount { $0.ownership = ownership } == nil)
    }

    @Test func `is not known without a price`() {
        #expect(amount(price: nil) == nil)
        let purchase = Purchase(productID: "gold", transactionID: "460", purchaseDate: Instant(seconds: 0))
        #expect(purchase.amount == nil)
    }

    @Test func `is not known of several pieces of a type that nobody knows`() {
        #expect(amount(quantity: 10, kind: nil) == nil)
        #expect(amount(quantity: 1, kind: nil) == 9990)
    }

    @Test func `is not known from numbers that cannot be`() {
        #expect(amount(price: -1) == nil)
        #expect(amount(price: .max, quantity: 2) == nil)
        #expect(amount(quantity: .max) == nil)
        #expect(sum(of: (-1, 1)) == nil)
        #expect(sum(of: (1, -1)) == nil)
        #expect(sum(of: (.max, 2)) == nil)
        #expect(sum(of: (.max, 1), (1, 1)) == nil)
    }
}
