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

    @Test func `without a kind renew if they have a line item`() throws {
        let found = try subscription(receipt(5, [period(1, from: 0) { $0.kind = nil }]))
        #expect(found?.row.periods == 1 && found?.oddities == [.noKind: 1])
    }

    @Test func `without kind and line item renew if they have an original that is not their own`() throws {
        func bare(_ number: Int) -> Purchase {
            period(number, from: 0) {
                $0.kind = nil
                $0.webOrderLineItemID = nil
            }
        }
        #expect(try subscription(receipt(5, [bare(1)])) == nil)
        #expect(try subscription(receipt(5, [bare(2)]))?.oddities == [.noKind: 1, .noLineItem: 1])
        #expect(try row(receipt(5, [bare(1), period(2, from: 30)]))?.periods == 2)
    }

    @Test func `without all of these renew if there is more than one`() throws {
        let purchases = [1, 2].map { number in
            period(number, from: Double(30 * number)) {
                $0.kind = nil
                $0.webOrderLineItemID = nil
                $0.originalTransactionID = nil
            }
        }
        #expect(try row(receipt(99, purchases))?.periods == 2)
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
                #expect(try Subscription(group([found]), asOf: second)?.row.periods == 2)
            }
        }
    }
}
