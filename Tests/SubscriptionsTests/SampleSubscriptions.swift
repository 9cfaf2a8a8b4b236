import Corpus
import Encodings
import Inputs
import Receipts
import Rules

@testable import Subscriptions

/// An instant of a day. Days are counted from 2024-01-01.
func day(_ number: Double) -> Instant {
    Instant(milliseconds: 1_704_067_200_000 + Int64((number * 86_400_000).rounded()))
}

extension Instant {
    /// The number that ``day(_:)`` makes it of.
    fileprivate var days: Double { Double(milliseconds - 1_704_067_200_000) / 86_400_000 }
}

/// A period of a monthly subscription from a day, for a number of days, with all attributes.
func period(
    _ number: Int, from start: Double, days: Double = 30, product: ExactText = "month",
    _ change: (inout Purchase) -> Void = { _ in }
) -> Purchase {
    var purchase = Purchase(productID: product, transactionID: "t\(number)", purchaseDate: day(start))
    purchase.originalTransactionID = "t1"
    purchase.kind = .autoRenewable
    purchase.expiresDate = day(start + days)
    purchase.webOrderLineItemID = 1000 + number
    change(&purchase)
    return purchase
}

/// A receipt of a day with these purchases.
func receipt(
    _ created: Double, _ purchases: [Purchase], _ change: (inout Observation) -> Void = { _ in }
) -> Observation {
    var observation = Observation(claim: 0, source: "a.csv:1")
    observation.isGenuine = true
    observation.createdAt = day(created)
    observation.bundleID = "com.example.notes"
    observation.environment = "Production"
    observation.purchases = purchases
    change(&observation)
    return observation
}

/// A group whose observations are in memory.
struct ArrayGroup: ObservationGroup {
    let key: GroupKey
    let observations: [Observation]
    var count: Int { observations.count }

    func forEach(_ body: (Observation) throws -> Void) throws { try observations.forEach(body) }
}

func group(_ observations: [Observation]) -> ArrayGroup {
    ArrayGroup(key: GroupKey(.originalTransaction, octets: Array("t1".utf8)), observations: observations)
}

func subscription(
    _ observations: Observation..., asOf: Double = 400, policy: Policy = Policy(),
    maxPeriods limit: Int = Subscription.maxPeriods
) throws -> Subscription? {
    try Subscription(group(observations), asOf: day(asOf), policy, maxPeriods: limit)
}

func row(_ observations: Observation..., asOf: Double = 400) throws -> SubscriptionRow? {
    try Subscription(group(observations), asOf: day(asOf), Policy())?.row
}

/// Small sets of made-up subscriptions of one app, with much that happens in them.
enum RandomSubscriptions {
    static let asOf = day(500)
    static let products: [ExactText] = [
        "day", "week", "month", "two", "quarter", "half", "year", "free", "euro", "unknown",
    ]

    /// What some of the products cost. Prices are of no round twelfths.
    static var prices: [ExactText: Product] {
        var prices: [ExactText: Product] = [:]
        for (number, period) in Product.Period.allCases.enumerated() {
            var product = Product()
            product.period = period
            product.price = Product.Price(millionths: Int64(4_990_001 + 1_000_003 * number), currency: "USD")
            prices[products[number]] = product
        }
        var free = Product()
        free.period = .month
        prices["free"] = free
        var euro = Product()
        euro.price = Product.Price(millionths: 7_000_000, currency: "EUR")
        euro.period = .year
        prices["euro"] = euro
        return prices
    }

    static var policy: Policy {
        var policy = Policy()
        policy.apps["com.example.notes"] = Policy.App(products: prices)
        return policy
    }

    static func make(_ count: Int, _ random: inout Seeded) throws -> [Subscription] {
        try makeDated(count, &random).map(\.subscription)
    }

    /// Subscriptions, each with the date of the receipt that shows it, unless that was made after the reference time.
    static func makeDated(
        _ count: Int, _ random: inout Seeded
    ) throws -> [(subscription: Subscription, receipt: Instant?)] {
        try (0..<count).compactMap { _ in
            let purchases = purchases(&random)
            let created = Double(Int.random(in: 0...520, using: &random))
            // Tokens of some of the periods, older or newer than the receipt.
            let tokens = (0..<Int.random(in: 0...5, using: &random)).compactMap { _ in
                purchases.randomElement(using: &random).map { token(of: $0, &random) }
            }
            let made = day(created)
            return try Subscription(group([receipt(created, purchases)] + tokens), asOf: asOf, policy)
                .map { ($0, made <= asOf ? made : nil) }
        }
    }

    /// A transaction token that shows what was paid, in one of many currencies.
    private static func token(of purchase: Purchase, _ random: inout Seeded) -> Observation {
        var (purchase, details) = (purchase, TransactionDetails())
        details.price = [nil, 0, -1, 990, 1999, 4990, 59_990].randomElement(using: &random) ?? nil
        details.currency = [nil, "USD", "EUR", "JPY", "euro"].randomElement(using: &random) ?? nil
        details.ownership =
            [nil, "PURCHASED", "PURCHASED", "FAMILY_SHARED", "ASSIGNED", "LOANED"].randomElement(using: &random) ?? nil
        if purchase.cancellationDate != nil, Bool.random(using: &random) {
            details.revocationType = "REFUND_PRORATED"
            details.revocationPercentage = [0, 333, 50_000, 100_000].randomElement(using: &random)
        }
        details.offerType = purchase.isInIntroOfferPeriod ? 1 : purchase.promotionalOfferID == nil ? nil : 3
        purchase.quantity = [nil, nil, 1, 3, 0].randomElement(using: &random) ?? nil
        details.addNews(of2026: &random)
        purchase.details = details
        return receipt(Double(Int.random(in: 0...520, using: &random)), [purchase]) { $0.kind = .transaction }
    }

    private static func purchases(_ random: inout Seeded) -> [Purchase] {
        var start = Double(Int.random(in: -100...480, using: &random))
        var product = products.randomElement(using: &random) ?? ""
        return (1...Int.random(in: 1...9, using: &random)).map { number in
            if Int.random(in: 0...3, using: &random) == 0 { product = products.randomElement(using: &random) ?? "" }
            // No length is that of whole months, which the calendar would count.
            let days = Double((-2...58).filter { !(27...32).contains($0) }.randomElement(using: &random) ?? 7)
            let purchase = period(number, from: start, days: days, product: product) {
                $0.isTrialPeriod = Int.random(in: 0...4, using: &random) == 0
                $0.isInIntroOfferPeriod = Int.random(in: 0...5, using: &random) == 0
                if Int.random(in: 0...7, using: &random) == 0 { $0.promotionalOfferID = "loyal" }
                if Int.random(in: 0...5, using: &random) == 0 {
                    $0.cancellationDate = day(start + Double(Int.random(in: -3...70, using: &random)))
                }
            }
            let gaps: [Double] = [0, 0, 0, 0.5, 1, 1.001, 2, 40, -10]
            start += days + (gaps.randomElement(using: &random) ?? 0)
            guard let date = purchase.cancellationDate, Bool.random(using: &random) else { return purchase }
            // An upgrade, or a purchase just too late to be one.
            start = date.days + [-1, 0, 0.5, 4, 5, 5.1].map { $0 / 1440 }[Int.random(in: 0...5, using: &random)]
            product = products.randomElement(using: &random) ?? ""
            return purchase
        }
    }
}

extension TransactionDetails {
    /// Adds some of the members that are new in 2026, one thing at a time.
    mutating func addNews(of2026 random: inout Seeded) {
        switch Int.random(in: 0...11, using: &random) {
        case 0:
            seats = SeatInfo(tiers: [SeatInfo.Tier(price: 990, quantity: 8), SeatInfo.Tier(price: 495, quantity: 4)])
        case 1: seats = SeatInfo(tiers: [SeatInfo.Tier(price: 990, quantity: -8)])
        case 2:
            seats = SeatInfo(
                tiers: [SeatInfo.Tier(price: 1000, quantity: 2), SeatInfo.Tier(price: 400, quantity: 1)],
                revoked: Int.random(in: -1...4, using: &random))
            seatsRefundedAt = Bool.random(using: &random) ? day(Double(Int.random(in: 0...500, using: &random))) : nil
        case 3, 4: additionalReason = "SEAT_ADDITION"
        case 5: billingPlan = ["MONTHLY", "BILLED_UPFRONT", "NEW_PLAN"].randomElement(using: &random)
        case 6:
            var items = CommerceItems()
            items.refunds = [
                CommerceItems.Refund(amount: 500, date: day(Double(Int.random(in: 0...500, using: &random)))),
                CommerceItems.Refund(amount: [1, -7, 90_000].randomElement(using: &random) ?? 0),
            ]
            items.areAllRevoked = Bool.random(using: &random)
            commerce = items
        case 7: revocationType = "SEAT_TAKEN"
        case 8: (revocationType, revocationReason) = (nil, 2)
        default: break
        }
    }
}
