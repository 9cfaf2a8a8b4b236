import Encodings
import Receipts
import Subscriptions
import Testing

struct `The state of a subscription` {
    @Test func `is that of its latest period while this runs`() throws {
        #expect(try row(receipt(5, [period(1, from: 0)]), asOf: 29)?.state == .active)
        #expect(try row(receipt(5, [period(1, from: 0) { $0.isTrialPeriod = true }]), asOf: 29)?.state == .trial)
        #expect(try row(receipt(5, [period(1, from: 0) { $0.isInIntroOfferPeriod = true }]), asOf: 29)?.state == .intro)
    }

    @Test func `is not refreshed when no receipt was made after the end`() throws {
        #expect(try row(receipt(29.99, [period(1, from: 0)]), asOf: 30)?.state == .notRefreshed)
    }

    @Test func `is expired when a receipt of the end or later shows no other period`() throws {
        #expect(try row(receipt(30, [period(1, from: 0)]), asOf: 30)?.state == .expired)
        let older = receipt(5, [period(1, from: 0)])
        #expect(try row(older, receipt(31, [period(1, from: 0)]), asOf: 40)?.state == .expired)
    }

    @Test func `is refunded when its latest period is, and not when an earlier one is`() throws {
        let refunded = period(1, from: 0) { $0.cancellationDate = day(3) }
        #expect(try row(receipt(5, [refunded]), asOf: 10)?.state == .refunded)
        #expect(try row(receipt(35, [refunded, period(2, from: 30)]), asOf: 40)?.state == .active)
    }

    @Test func `stays refunded when another receipt shows the period whole`() throws {
        let refunded = receipt(5, [period(1, from: 0) { $0.cancellationDate = day(3) }])
        #expect(try row(refunded, receipt(2, [period(1, from: 0)]))?.state == .refunded)
        let withdrawn = try #require(try subscription(refunded, receipt(6, [period(1, from: 0)])))
        #expect(withdrawn.row.state == .refunded && withdrawn.oddities == [.refundWithdrawn: 1])
        #expect(withdrawn.periods[0].refundedAt == day(3))
    }

    @Test func `is that of the period with the greatest expiry, ties by purchase and then by identity`() throws {
        let year = period(1, from: 0, days: 365, product: "year")
        #expect(try row(receipt(40, [period(2, from: 30), year]))?.productID == "year")
        let later = period(2, from: 335, product: "later")
        #expect(try row(receipt(340, [later, year]))?.productID == "later")
        let twin = period(3, from: 0, days: 365, product: "twin")
        #expect(try row(receipt(340, [twin, year]))?.productID == "twin")
    }
}
