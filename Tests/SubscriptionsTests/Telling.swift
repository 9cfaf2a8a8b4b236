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
    _ created: Double, _ purchases: [Purchase], _ change: (inout Sighting) -> Void = { _ in }
) -> Sighting {
    var sighting = Sighting(claim: 0, source: "a.csv:1")
    sighting.isGenuine = true
    sighting.createdAt = day(created)
    sighting.bundleID = "com.example.notes"
    sighting.environment = "Production"
    sighting.purchases = purchases
    change(&sighting)
    return sighting
}

func group(_ sightings: [Sighting]) -> HeldGroup {
    HeldGroup(GroupKey(.originalTransaction, octets: Array("t1".utf8)), sightings)
}

func subscription(
    _ sightings: Sighting..., asOf: Double = 400, most: Int = Subscription.mostPeriods
) throws -> Subscription? {
    try Subscription(group(sightings), asOf: day(asOf), mostPeriods: most)
}

func row(_ sightings: Sighting..., asOf: Double = 400) throws -> SubscriptionRow? {
    try Subscription(group(sightings), asOf: day(asOf))?.row
}

/// SplitMix64 for the standard library's functions.
struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return stableMix(state)
    }
}
