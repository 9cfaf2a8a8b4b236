import Encodings
import Receipts
import Testing

/// What a purchase cost, as its token shows it.
struct `The amount of a purchase` {
    private func details(_ price: Int64?, _ tiers: [(price: Int64, count: Int)] = []) -> TransactionDetails {
        var details = TransactionDetails()
        details.price = price
        if !tiers.isEmpty {
            details.seats = SeatInfo(tiers: tiers.map { SeatInfo.Tier(price: $0.price, quantity: $0.count) })
        }
        return details
    }

    @Test func `is the sum of all seats by their prices`() throws {
        let amount = details(7992, [(9990, 8), (4995, 4)]).amount(quantity: 12, isRenewable: true)
        #expect(amount?.millionths == 99_900_000 && amount?.seats == 12)
    }

    @Test func `is the average of a seat times the seats where these have no prices`() {
        #expect(details(9990).amount(quantity: 10, isRenewable: true)?.millionths == 99_900_000)
        #expect(details(9990).amount(quantity: nil, isRenewable: true)?.millionths == 9_990_000)
    }

    @Test func `is the price of all pieces of a consumable`() {
        var purchase = Purchase(productID: "coins", transactionID: "1", purchaseDate: Instant(seconds: 0))
        (purchase.kind, purchase.quantity, purchase.details) = (.consumable, 5, details(4950))
        #expect(purchase.amount?.millionths == 4_950_000)
    }

    @Test func `is none for a member, whose token repeats the buyer's`() {
        var purchase = Purchase(productID: "gold", transactionID: "1", purchaseDate: Instant(seconds: 0))
        (purchase.kind, purchase.quantity) = (.autoRenewable, 10)
        purchase.details = details(9990, [(9990, 10)])
        #expect(purchase.amount?.millionths == 99_900_000)
        purchase.details?.ownership = "ASSIGNED"
        #expect(purchase.amount == nil)
    }

    private static let impossible: [(price: Int64?, quantity: Int?, tiers: [(price: Int64, count: Int)])] = [
        (nil, 1, []), (-1, 1, []), (.max, 1, []), (.min, 1, []), (9990, -1, []), (9990, 0, []), (9990, .max, []),
        (9990, 1, [(-1, 1)]), (9990, 1, [(1, -1)]), (9990, 1, [(1, 0)]), (9990, 1, [(.max, 1)]), (9990, 1, [(.max, 2)]),
        (9990, 1, [(0, .max), (0, 1)]),
    ]

    @Test(arguments: impossible.indices) func `is none by numbers that cannot be`(index: Int) {
        let (price, quantity, tiers) = Self.impossible[index]
        #expect(details(price, tiers).amount(quantity: quantity, isRenewable: true) == nil)
    }

    @Test func `goes back by seats between the cheapest and the dearest`() throws {
        let amount = try #require(details(nil, [(9990, 2), (4990, 2)]).amount(quantity: 4, isRenewable: true))
        let refunds = (-1...5).map { amount.refund(ofSeats: $0) }
        #expect(refunds.map(\.amount) == [0, 0, 7_490_000, 14_980_000, 22_470_000, 29_960_000, 29_960_000])
        #expect(refunds.map(\.low) == [0, 0, 4_990_000, 9_980_000, 19_970_000, 29_960_000, 29_960_000])
        #expect(refunds.map(\.high) == [0, 0, 9_990_000, 19_980_000, 24_970_000, 29_960_000, 29_960_000])
    }

    @Test func `goes back by a share that is one`() throws {
        let amount = try #require(PurchaseAmount(millionths: 9_990_000))
        #expect(amount.refund(share: 33_333)?.amount == 3_329_967 && amount.refund(share: 100_000) == amount.whole)
        #expect(amount.refund(share: -1) == nil && amount.refund(share: 100_001) == nil)
    }
}
