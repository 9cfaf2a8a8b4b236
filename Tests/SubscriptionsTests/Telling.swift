import Encodings
import Inputs
import Receipts
import Rules
import Subscriptions

/// Short words for subscriptions in tests. Days are counted from 2024-01-01.
func day(_ number: Double) -> Instant {
    Instant(milliseconds: 1_704_067_200_000 + Int64((number * 86_400_000).rounded()))
}

/// A period of a month's subscription from a day, for so many days, as a whole receipt shows it.
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

func group(_ observations: [Observation]) -> HeldGroup {
    HeldGroup(GroupKey(.originalTransaction, octets: Array("t1".utf8)), observations)
}

func subscription(
    _ observations: Observation..., asOf: Double = 400, most: Int = Subscription.maxPeriods
) throws -> Subscription? {
    try Subscription(group(observations), asOf: day(asOf), maxPeriods: most)
}

func row(_ observations: Observation..., asOf: Double = 400) throws -> SubscriptionRow? {
    try Subscription(group(observations), asOf: day(asOf))?.row
}

/// SplitMix64 for the standard library's functions.
struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return stableMix(state)
    }
}
