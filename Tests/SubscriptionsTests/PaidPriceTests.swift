import Encodings
import Receipts
import Rules
import Testing

@testable import Subscriptions

/// A transaction token of a day that shows what was paid.
private func token(
    _ signed: Double, _ purchase: Purchase, price: Int64? = 2990, currency: ExactText? = "EUR",
    _ change: (inout TransactionDetails) -> Void = { _ in }
) -> Observation {
    receipt(signed, [purchase]) {
        var details = TransactionDetails()
        (details.price, details.currency) = (price, currency)
        change(&details)
        $0.kind = .transaction
        $0.purchases[0].details = details
    }
}

/// The figures at day 20. The policy's month costs 6.990007 USD.
private func money(_ observations: Observation...) throws -> MoneyFigures {
    var figures = SubscriptionFigures(asOf: day(20), policy: RandomSubscriptions.policy)
    let one = try Subscription(group(observations), asOf: day(20), RandomSubscriptions.policy)
    figures.take(try #require(one))
    return figures.content.money
}

/// One month from 1 January, paid in euros, of a product that has a price in dollars in the policy.
struct `A price in a token` {
    private let month = period(1, from: 0)

    @Test func `is what was paid, and the policy's price is not counted besides`() throws {
        let found = try money(token(1, month))
        #expect(Array(found.recurring.keys) == ["EUR"] && found.recurring["EUR"]?.paid.monthly == 2_990_000)
        #expect(found.revenue.keys.map(\.currency) == ["EUR"])
        #expect(
            found.revenue.values.first?.all.gross == 2_990_000 && found.revenue.values.first?.paid.gross == 2_990_000)
        #expect(found.running[.paid] == 1 && found.running.total == 1)
    }

    @Test(arguments: [0.5, 9]) func `counts whether the receipt that shows the period is older or newer`(
        created: Double
    ) throws {
        #expect(try money(token(1, month), receipt(created, [month])).recurring["EUR"]?.paid.monthly == 2_990_000)
    }

    @Test func `stands apart from those of the policy, and in its own currency`() throws {
        let before = period(2, from: -30) { $0.originalTransactionID = "t1" }
        let found = try money(token(1, month), receipt(2, [before, month]))
        #expect(Set(found.revenue.keys.map(\.currency)) == ["EUR", "USD"])
        #expect(found.revenue.filter { $0.key.currency == "USD" }.allSatisfy { $0.value.paid.gross == 0 })
        #expect(found.periods[.paid] == 1 && found.periods[.priced] == 1)
    }

    private static let notPrices: [(Int64?, ExactText?)] = [
        (nil, "EUR"), (2990, nil), (2990, "eur"), (2990, "EURO"), (2990, "€€€"),
    ]

    @Test(arguments: notPrices)
    func `is none without an amount and a currency`(price: Int64?, currency: ExactText?) throws {
        let found = try money(token(1, month, price: price, currency: currency))
        #expect(found.running[.priced] == 1 && Array(found.recurring.keys) == ["USD"])
    }

    @Test(arguments: [-1, .min, .max]) func `is none, and not the policy's, if it cannot be`(price: Int64) throws {
        let found = try money(token(1, month, price: price))
        #expect(found.running[.unpriced] == 1 && found.periods[.unpriced] == 1 && found.revenue.isEmpty)
    }

    @Test func `is what an offer cost, by the length of its period`() throws {
        let offer = { (days: Double) in period(1, from: 10, days: days) { $0.isInIntroOfferPeriod = true } }
        #expect(try money(token(11, offer(14))).recurring["EUR"]?.paid.monthly == 5_980_000)
        #expect(try money(token(11, offer(91))).recurring["EUR"]?.paid.monthly == 996_667)
        #expect(try money(token(11, offer(40))).running[.unpriced] == 1)
        #expect(try money(receipt(11, [offer(14)])).running[.offer] == 1)
    }

    @Test func `is nobody's revenue where the family shares it`() throws {
        let found = try money(token(1, month) { $0.ownership = "FAMILY_SHARED" })
        #expect(found.revenue.isEmpty && found.recurring.isEmpty)
        #expect(found.running[.shared] == 1 && found.periods[.shared] == 1)
    }

    @Test func `is given back in part if a refund is prorated`() throws {
        let refunded = period(1, from: 0) { $0.cancellationDate = day(5) }
        let prorated = try money(
            token(6, refunded) {
                ($0.revocationType, $0.revocationPercentage) = ("REFUND_PRORATED", 33_333)
            })
        #expect(prorated.revenue.values.first?.paid.refunds == 996_657)
        #expect(try money(token(6, refunded)).revenue.values.first?.paid.refunds == 2_990_000)
    }

    @Test func `is not that of a period that only a renewal info shows`() throws {
        let renewed = receipt(12, []) {
            var info = Token.RenewalInfo()
            (info.productID, info.renewalDate, info.renewalPrice, info.currency) = ("year", day(300), 9990, "EUR")
            ($0.kind, $0.renewal, $0.renewedID, $0.bundleID) = (.renewalInfo, info, "t1", "")
        }
        let trial = period(1, from: 0, days: 10) { $0.isTrialPeriod = true }
        let found = try money(token(1, trial, price: 0) { $0.offerType = 1 }, renewed)
        #expect(Array(found.recurring.keys) == ["USD"] && found.running[.priced] == 1 && found.running[.trial] == 0)
    }
}

struct `What was paid, in metrics` {
    @Test func `is a part of all, in each currency`() throws {
        var figures = SubscriptionFigures(asOf: day(20), policy: RandomSubscriptions.policy)
        for proof in [
            token(1, period(1, from: 0)), token(1, period(1, from: 0), currency: "USD"),
            receipt(1, [period(1, from: 0)]),
        ] {
            figures.take(try #require(try Subscription(group([proof]), asOf: day(20), RandomSubscriptions.policy)))
        }
        var amounts: [String: String] = [:]
        figures.forEachMetric { amounts["\($0.metric) \($0.currency)"] = $0.value.description }
        #expect(amounts["mrr EUR"] == "2.99" && amounts["mrr_paid EUR"] == "2.99" && amounts["mrr_paid USD"] == "2.99")
        #expect(amounts["revenue_gross USD"] == amounts["mrr USD"] && amounts["revenue_paid_gross USD"] == "2.99")
        #expect(amounts["revenue_paid_refunds EUR"] == "0" && amounts["mrr USD"] == "9.980007")
    }
}

struct `What was paid, in the table of revenue` {
    private func columns(_ proof: Observation) throws -> [String] {
        var figures = SubscriptionFigures(asOf: day(20), policy: RandomSubscriptions.policy)
        figures.take(try #require(try Subscription(group([proof]), asOf: day(20), RandomSubscriptions.policy)))
        return try #require(figures.figures.first { $0.id == "revenue" }).columns
    }

    @Test func `has columns of its own if there is any`() throws {
        let all = ["month", "currency", "gross", "refunds", "net"]
        #expect(try columns(receipt(1, [period(1, from: 0)])) == all)
        #expect(try columns(token(1, period(1, from: 0))) == all + ["paid_gross", "paid_refunds", "paid_net"])
    }
}
