import Encodings
import Receipts
import Rules
import Testing

@testable import Subscriptions

struct `Odd periods` {
    @Test func `without an original id are counted`() throws {
        let found = try subscription(receipt(5, [period(1, from: 0) { $0.originalTransactionID = nil }]))
        #expect(found?.row.periods == 1 && found?.oddities == [.noOriginalID: 1])
    }

    @Test(arguments: [nil, 1001])
    func `without a kind renew, and are counted`(lineItem: Int?) throws {
        let bare = period(1, from: 0) {
            $0.kind = nil
            $0.webOrderLineItemID = lineItem
        }
        let found = try subscription(receipt(5, [bare]))
        #expect(found?.row.periods == 1)
        #expect(found?.oddities == (lineItem == nil ? [.noKind: 1, .noLineItem: 1] : [.noKind: 1]))
    }

    @Test(arguments: [
        Purchase.Kind.autoRenewable, .nonRenewing, .nonConsumable, .freeSubscription,
    ])
    func `without a kind are of the catalogue's`(kind: Purchase.Kind) throws {
        var product = Product()
        product.kind = kind
        var policy = Policy()
        policy.apps["com.example.notes"] = Policy.App(products: ["month": product])
        let bare = receipt(5, [period(1, from: 0) { $0.kind = nil }])
        #expect(try subscription(bare, policy: policy)?.row.periods == (kind == .autoRenewable ? 1 : nil))
        // What a receipt says counts more.
        #expect(try subscription(receipt(5, [period(1, from: 0)]), policy: policy)?.row.periods == 1)
        // The catalogue of another app says nothing.
        let other = receipt(5, [period(1, from: 0) { $0.kind = nil }]) { $0.bundleID = "com.example.other" }
        #expect(try subscription(other, policy: policy)?.row.periods == 1)
    }

    @Test func `that overlap are counted`() throws {
        let found = try subscription(receipt(50, [period(1, from: 0), period(2, from: 20)]))
        #expect(found?.row.periods == 2 && found?.row.lapses == 0 && found?.oddities == [.overlap: 1])
    }

    @Test func `that end before they begin are counted`() throws {
        let found = try subscription(receipt(50, [period(1, from: 0, days: -3)]))
        #expect(found?.row.expiresAt == day(-3) && found?.row.state == .expired)
        #expect(found?.oddities == [.endsBeforeItBegins: 1])
    }

    @Test func `with two products are of the newest receipt's, which is an upgrade`() throws {
        let older = receipt(5, [period(1, from: 0)])
        let newer = receipt(6, [period(1, from: 0, product: "year")])
        for found in [try subscription(older, newer), try subscription(newer, older)] {
            #expect(found?.row.productID == "year" && found?.row.periods == 1)
            #expect(found?.oddities == [.productsDiffer: 1])
        }
    }

    @Test func `with two expiries end when the newest receipt says, even if that is earlier`() throws {
        let found = try subscription(
            receipt(6, [period(1, from: 0, days: 10)]), receipt(5, [period(1, from: 0, days: 30)]))
        #expect(found?.row.expiresAt == day(10) && found?.oddities == [.expiriesDiffer: 1])
    }

    @Test func `with dates at the ends of time do not overflow`() throws {
        let ends = [Int64.min, .min + 1, -1, 0, .max - 1, .max].map(Instant.init(milliseconds:))
        for first in ends {
            for second in ends {
                let one = period(1, from: 0) {
                    $0.purchaseDate = first
                    $0.expiresDate = second
                }
                let other = period(2, from: 0) {
                    $0.purchaseDate = second
                    $0.expiresDate = first
                    $0.webOrderLineItemID = .max
                }
                let found = receipt(5, [one, other]) { $0.createdAt = first }
                // What was made after the reference time does not count.
                let periods = try Subscription(group([found]), asOf: second, Policy())?.row.periods
                #expect(periods == (first <= second ? 2 : nil))
            }
        }
    }
}
