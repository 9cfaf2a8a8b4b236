import Encodings
import Receipts
import Rules
import Testing

@testable import Subscriptions

/// One month from day 0 for 9.99, as a token shows it, at day 20. The policy's `year` is a year.
private func token(
    _ change: (inout Purchase, inout TransactionDetails) -> Void, product: ExactText = "month", days: Double = 30
) -> Observation {
    var purchase = period(1, from: 0, days: days, product: product)
    var details = TransactionDetails()
    (details.price, details.currency, details.ownership) = (9990, "EUR", "PURCHASED")
    change(&purchase, &details)
    purchase.details = details
    return receipt(12, [purchase]) { $0.kind = .transaction }
}

private func read(_ token: Observation) throws -> Subscription {
    try #require(try Subscription(group([token]), asOf: day(20), RandomSubscriptions.policy))
}

private func numbers(_ token: Observation) throws -> [String: String] {
    var figures = SubscriptionFigures(asOf: day(20), policy: RandomSubscriptions.policy)
    figures.take(try read(token))
    var numbers: [String: String] = [:]
    figures.forEachMetric { if $0.bundleID.isEmpty, $0.productID.isEmpty { numbers[$0.metric] = "\($0.value)" } }
    return numbers
}

struct `A refund of items` {
    private func items(_ amounts: [Int64], areAllRevoked: Bool = false, on date: Double? = 5) -> CommerceItems {
        var items = CommerceItems()
        items.refunds = amounts.map { CommerceItems.Refund(amount: $0, date: date.map { day($0) }) }
        items.areAllRevoked = areAllRevoked
        return items
    }

    @Test(arguments: [nil, 10]) func `is its amount, whether the transaction was taken back or not`(cancelled: Double?)
        throws
    {
        let found = token {
            ($0.cancellationDate, $1.commerce) = (cancelled.map { day($0) }, items([500]))
        }
        #expect(try numbers(found)["revenue_refunds"] == "0.5" && numbers(found)["mrr"] == "9.99")
        #expect(try numbers(found)["refunded_periods"] == nil)
        let row = try read(found).row
        #expect(row.state == .active && row.refunds == 0)
    }

    @Test func `is at most the price, and then the whole was refunded`() throws {
        let found = token { ($0.cancellationDate, $1.commerce) = (day(5), items([9000, 9000])) }
        #expect(try numbers(found)["revenue_refunds"] == "9.99")
        #expect(try read(found).row.state == .refunded)
    }

    @Test func `is nothing by amounts that cannot be`() throws {
        let found = token {
            _ = $0; $1.commerce = items([-500, 0])
        }
        #expect(try numbers(found)["revenue_refunds"] == "0")
    }

    @Test func `belongs to no month if nothing says when it was`() throws {
        let found = token {
            _ = $0; $1.commerce = items([500], on: nil)
        }
        #expect(try numbers(found)["revenue_refunds"] == "0")
        #expect(try numbers(found)["revenue_refunds_undated"] == "0.5")
    }
}

struct `A year that is paid in months` {
    @Test(arguments: ["MONTHLY", "NEW_PLAN"]) func `recurs at what a month costs`(plan: ExactText) throws {
        let found = token(
            {
                _ = $0; $1.billingPlan = plan
            }, product: "year")
        #expect(try numbers(found)["mrr"] == "9.99")
    }

    @Test func `recurs as a year if that was paid in advance`() throws {
        let found = token(
            {
                _ = $0; $1.billingPlan = "BILLED_UPFRONT"
            }, product: "year", days: 366)
        #expect(try numbers(found)["mrr"] == "0.8325")
    }

    @Test func `is not priced by the policy, whose price is that of the year`() throws {
        let found = token(
            {
                _ = $0; ($1.billingPlan, $1.price) = ("MONTHLY", nil)
            }, product: "year")
        #expect(try numbers(found)["mrr"] == nil && numbers(found)["revenue_gross"] == nil)
    }

    @Test func `ends as the newest token says, or as a renewal info does that no other follows`() throws {
        let month = token {
            _ = $0; $1.commitmentExpiresDate = day(360)
        }
        let renewal = { (renews: Bool) in
            receipt(13, []) {
                var info = Token.RenewalInfo()
                (info.productID, info.commitmentRenews, info.commitmentRenewalDate) = ("month", renews, day(365))
                ($0.kind, $0.renewal, $0.renewedID, $0.bundleID) = (.renewalInfo, info, "t1", "")
            }
        }
        #expect(try row(month)?.commitmentEndsAt == day(360))
        #expect(try row(month, renewal(true))?.commitmentEndsAt == day(360))
        #expect(try row(month, renewal(false))?.commitmentEndsAt == day(365))
        #expect(try row(month, renewal(false), asOf: 20)?.state == .active)
    }
}

struct `What was taken back for a cause that is not known` {
    private static let causes: [(type: ExactText?, reason: Int?)] = [("SEAT_TAKEN", nil), (nil, 2), ("", 0)]

    @Test(arguments: causes.indices) func `is revoked, and no refund`(index: Int) throws {
        let found = token {
            $0.cancellationDate = day(5)
            ($1.revocationType, $1.revocationReason) = Self.causes[index]
        }
        #expect(try read(found).row.state == .revoked && read(found).row.refunds == 0)
        let numbers = try numbers(found)
        #expect(numbers["taken_back_unknown"] == "1" && numbers["refunded_periods"] == nil)
        #expect(numbers["refund_rate"] == "0" && numbers["revenue_refunds"] == "0")
    }

    @Test(arguments: ["ASSIGNED", "FAMILY_SHARED", "LOANED"], ["REFUND_FULL", "SEAT_TAKEN", nil])
    func `is not counted of a member, whose access ended`(ownership: ExactText, type: ExactText?) throws {
        let found = token {
            $0.cancellationDate = day(5)
            ($1.ownership, $1.revocationType) = (ownership, type)
        }
        #expect(try read(found).row.state == .revoked && read(found).row.refunds == 0)
        let numbers = try numbers(found)
        #expect(numbers["taken_back_unknown"] == nil && numbers["refunded_periods"] == nil)
        #expect(numbers["revenue_gross"] == nil)
    }

    @Test func `is counted of a single purchase`() throws {
        let bought = token {
            ($0.kind, $0.expiresDate, $0.cancellationDate) = (.nonConsumable, nil, day(5))
            $1.revocationReason = 2
        }
        var figures = SubscriptionFigures(asOf: day(20), policy: Policy())
        figures.take(try #require(try OriginalTransaction(group([bought]), asOf: day(20), Policy())))
        #expect(figures.content.total(.takenBackUnknown) == 1)
        #expect(figures.content.total(.refundedOneTimePurchases) == 0)
    }
}
