import Corpus
import Encodings
import FoundationEssentials
import Receipts
import Rules
import Testing

@testable import Subscriptions

struct `The order of observations` {
    /// Receipts that disagree on everything, some of them of one instant.
    private func observations(_ random: inout Seeded) -> [Observation] {
        (0..<Int.random(in: 1...8, using: &random)).map { _ in
            let purchases = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                period(
                    Int.random(in: 1...8, using: &random), from: Double(Int.random(in: 0...60, using: &random)),
                    days: Double(Int.random(in: -5...40, using: &random)),
                    product: ["week", "month"].randomElement(using: &random) ?? ""
                ) {
                    if Int.random(in: 0...3, using: &random) == 0 { $0.kind = nil }
                    if Int.random(in: 0...3, using: &random) == 0 { $0.webOrderLineItemID = nil }
                    $0.isTrialPeriod = Bool.random(using: &random)
                    $0.isInIntroOfferPeriod = Bool.random(using: &random)
                    if Int.random(in: 0...3, using: &random) == 0 { $0.promotionalOfferID = "loyal" }
                    if Int.random(in: 0...3, using: &random) == 0 {
                        $0.cancellationDate = day(Double(Int.random(in: 0...3, using: &random)))
                    }
                }
            }
            let bundleID = (["one", "other"] as [ExactText]).randomElement(using: &random) ?? ""
            let date = Double(Int.random(in: 40...43, using: &random))
            if Bool.random(using: &random), let purchase = purchases.first {
                return token(date, of: purchase, &random)
            }
            return receipt(date, purchases) { $0.bundleID = bundleID }
        }
    }

    /// A token that has something of what is new in 2026: seats, parts, members, items, plans, or another chain.
    private func token(_ date: Double, of purchase: Purchase, _ random: inout Seeded) -> Observation {
        var (purchase, details) = (purchase, TransactionDetails())
        details.ownership = [nil, "PURCHASED", "ASSIGNED"].randomElement(using: &random) ?? nil
        purchase.quantity = [nil, 1, 3].randomElement(using: &random) ?? nil
        details.addNews(of2026: &random)
        details.addNews(of2026: &random)
        if Int.random(in: 0...4, using: &random) == 0 {
            details.previousOriginalTransactionID = "t1"
            purchase.originalTransactionID = ["t1", "t77", "t78"].randomElement(using: &random)
            purchase.originalPurchaseDate = Bool.random(using: &random) ? day(30) : nil
        }
        purchase.details = details
        return receipt(date, [purchase]) { $0.kind = .transaction }
    }

    @Test(arguments: [2, 4096])
    func `changes nothing`(limit: Int) throws {
        var random = Seeded(state: UInt64(limit))
        for _ in 0..<Exhaustive.count(400, sampled: 120) {
            let observations = observations(&random)
            let expected = try Subscription(group(observations), asOf: day(45), Policy(), maxPeriods: limit)
            for _ in 0..<4 {
                let shuffled = observations.shuffled(using: &random).map { observation in
                    var observation = observation
                    observation.purchases.shuffle(using: &random)
                    return observation
                }
                let found = try Subscription(group(shuffled), asOf: day(45), Policy(), maxPeriods: limit)
                #expect(found?.row == expected?.row && found?.periods == expected?.periods)
                #expect(
                    found?.oddities == expected?.oddities && found?.memberPeriods.count == expected?.memberPeriods.count
                )
                #expect(found?.movedAt == expected?.movedAt && found?.isSuccessor == expected?.isSuccessor)
            }
        }
    }

    @Test func `and number of receipts change nothing that is kept`() throws {
        let purchases = (1...24).map { period($0, from: Double(30 * $0)) }
        let few = group([receipt(800, purchases)])
        let many = ManyObservations(
            key: few.key, count: Exhaustive.count(20_000, sampled: 5000), observation: few.observations[0])
        #expect(
            try Subscription(many, asOf: day(800), Policy())?.row == Subscription(few, asOf: day(800), Policy())?.row)
    }

    @Test(arguments: [1, 2, 10, 30]) func `keeps the latest periods, and tells how many it left out`(limit: Int) throws
    {
        let purchases = (1...50).map { period($0, from: Double($0)) }
        for purchases in [purchases, purchases.reversed()] {
            let found = try #require(try subscription(receipt(99, purchases), maxPeriods: limit))
            #expect(found.periods.map(\.productID).count == limit)
            #expect(found.periods.map(\.transactionID) == ((51 - limit)...50).map { "t\($0)" })
            #expect(found.oddities[.tooManyPeriods] == 50 - limit)
        }
    }
}

/// One observation, many times over.
private struct ManyObservations: ObservationGroup {
    let key: GroupKey
    let count: Int
    let observation: Observation
    func forEach(_ body: (Observation) throws -> Void) throws { for _ in 0..<count { try body(observation) } }
}
