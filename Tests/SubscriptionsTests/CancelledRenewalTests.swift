import Encodings
import Receipts
import Rules
import Testing

@testable import Subscriptions

/// A month that was renewed on day 30, and a year that was bought some hours before, so that the renewal was cancelled.
struct `A renewal that an upgrade cancelled` {
    private let first = period(1, from: 0)

    /// The second month.
    private func renewal(cancelled: Double?, _ change: (inout Purchase) -> Void = { _ in }) -> Purchase {
        period(2, from: 30) {
            $0.cancellationDate = cancelled.map { day($0) }
            change(&$0)
        }
    }

    private func year(from start: Double, days: Double = 365, _ change: (inout Purchase) -> Void = { _ in })
        -> Purchase
    {
        period(3, from: start, days: days, product: "year", change)
    }

    private func upgraded(_ purchase: inout Purchase) {
        var details = TransactionDetails()
        (details.isUpgraded, details.revocationReason) = (true, 0)
        purchase.details = details
    }

    @Test(arguments: [0, 1, 3.5, 8, 23.9, 24])
    func `is not the latest period, whenever it was cancelled`(hours: Double) throws {
        let year = year(from: 30 - hours / 24)
        for cancelled in [year.purchaseDate, year.purchaseDate.adding(seconds: 8 * 3600), day(30), day(30.1)] {
            // More than a day after the purchase of the year.
            if hours > 20, cancelled == day(30.1) { continue }
            let months = [first, renewal(cancelled: nil) { $0.cancellationDate = cancelled }]
            let found = try #require(try subscription(receipt(40, months + [year]), asOf: 50))
            if hours == 0, cancelled != year.purchaseDate { continue }
            #expect(found.row.state == .active && found.row.productID == "year", "\(hours) \(cancelled)")
            #expect(found.row.expiresAt == year.expiresDate && found.row.lastTransactionID == "t3")
            #expect(found.row.refunds == 0 && found.row.lapses == 0 && found.row.productChanges == 1)
            #expect(found.row.startedAt == day(0) && found.row.periods == 3)
            #expect(PaidTime(found).stretches == [day(0)..<day(30 - hours / 24 + 365)])
        }
    }

    @Test(arguments: [true, false], [29.854, 30.1]) func `is not if tokens show it`(
        isDated: Bool, cancelled: Double
    ) throws {
        let renewed = renewal(cancelled: isDated ? cancelled : nil, upgraded)
        let tokens = [(1, first), (31, renewed), (30, year(from: 29.854))].map { signed, purchase in
            receipt(signed, [purchase]) { $0.kind = .transaction }
        }
        for shown in [tokens, tokens.reversed(), Array(tokens.dropFirst())] {
            let row = try #require(try Subscription(group(shown), asOf: day(50), Policy())?.row)
            #expect(row.state == .active && row.productID == "year" && row.refunds == 0)
        }
    }

    @Test func `has the recurring revenue of what replaced it`() throws {
        let found = try #require(
            try subscription(receipt(40, [first, renewal(cancelled: 30.1), year(from: 29.854)]), asOf: 50))
        var figures = SubscriptionFigures(asOf: day(50), policy: RandomSubscriptions.policy)
        figures.take(found)
        let year = try #require(RandomSubscriptions.prices["year"]?.price?.millionths)
        #expect(figures.content.money.recurring["USD"]?.all.monthly == (Int128(year) + 6) / 12)
        #expect(figures.content.total(.refundedPeriods) == 0)
    }

    @Test func `was refunded if nothing longer took its place within a day, or that was taken back, too`() throws {
        let others = [
            year(from: 30 - 25.0 / 24), year(from: 30.001), year(from: 29.9, days: 30.1),
            year(from: 29.9) { $0.cancellationDate = day(31) },
        ]
        for other in others {
            let row = try #require(try row(receipt(40, [first, renewal(cancelled: 30.1), other]), asOf: 50))
            #expect(row.refunds >= 1)
        }
    }

    @Test func `is no refund where the year was upgraded in turn`() throws {
        let purchases = [
            first, renewal(cancelled: 30.1), year(from: 29.9) { $0.cancellationDate = day(45) },
            period(4, from: 45, days: 400, product: "two"),
        ]
        let row = try #require(try row(receipt(60, purchases), asOf: 70))
        #expect(row.refunds == 0 && row.productID == "two" && row.state == .active)
    }

    @Test func `is not the latest period if the year was refunded later`() throws {
        let purchases = [first, renewal(cancelled: 29.9), year(from: 29.9) { $0.cancellationDate = day(45) }]
        let row = try #require(try row(receipt(60, purchases), asOf: 70))
        #expect(row.state == .refunded && row.productID == "year" && row.refunds == 1)
    }

    @Test func `is the latest period if nothing shows what took its place`() throws {
        let tokens = [first, renewal(cancelled: 29.854, upgraded)].map { purchase in
            receipt(31, [purchase]) { $0.kind = .transaction }
        }
        let row = try #require(try Subscription(group(tokens), asOf: day(50), Policy())?.row)
        #expect(row.state == .notRefreshed && row.productID == "month" && row.refunds == 0)
    }

    @Test func `is told from a period whose token is older than the upgrade that ended it`() throws {
        // A week was upgraded to a month, and the month to what nothing shows.
        let week = period(1, from: 0, days: 60, product: "week")
        let month = period(2, from: 5) {
            upgraded(&$0)
            $0.cancellationDate = day(20)
        }
        let tokens = [(1, week), (21, month)].map { signed, purchase in
            receipt(signed, [purchase]) { $0.kind = .transaction }
        }
        let row = try #require(try Subscription(group(tokens), asOf: day(30), Policy())?.row)
        #expect(row.state == .notRefreshed && row.productID == "month")
    }
}
