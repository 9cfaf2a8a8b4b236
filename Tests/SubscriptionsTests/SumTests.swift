import Encodings
import FoundationEssentials
import Receipts
import Rules
import Subscriptions
import Testing

struct `What several have read of a subscription` {
    /// Receipts of many periods that disagree on products, ends and refunds.
    private static let observations: [Observation] = (0..<60).map { number in
        let purchases: [Purchase] = (0..<(number % 5)).map { place in purchase(number, place) }
        return receipt(Double(number % 7), purchases) {
            $0.accountID = "user-\(number % 3)"
            if number % 10 == 0 { $0.bundleID = "other" }
        }
    }

    private static func purchase(_ number: Int, _ place: Int) -> Purchase {
        let start = Double((number * 13 + place) % 50)
        let days = Double((number + place) % 40)
        var purchase = period((number * 7 + place * 11) % 23, from: start, days: days)
        if number % 6 == 0 { purchase.productID = "week" }
        if number % 4 == 0 { purchase.kind = nil }
        if number % 9 == 0 { purchase.webOrderLineItemID = nil }
        if number % 8 == place { purchase.cancellationDate = day(Double(place)) }
        purchase.isTrialPeriod = number % 3 == place
        return purchase
    }

    @Test(arguments: [1, 3, 8, 4096], [1, 2, 7, 60])
    func `adds up to what one reads of all`(limit: Int, parts: Int) throws {
        let group = group(Self.observations)
        let expected = try #require(try Subscription(group, asOf: day(45), maxPeriods: limit))
        var sum = SubscriptionSum(maxPeriods: limit)
        for part in 0..<parts {
            var one = SubscriptionSum(maxPeriods: limit)
            for observation in Self.part(part, of: parts) { one.take(observation) }
            sum.add(try Self.carried(one))
        }
        var secondLook = sum.secondLook
        if secondLook != nil {
            for part in 0..<parts {
                var one = try #require(sum.secondLook)
                for observation in Self.part(part, of: parts) { one.take(observation) }
                secondLook?.add(try Self.carried(one))
            }
        }
        let found = try #require(Subscription(group.key, sum, secondLook, asOf: day(45)))
        #expect(found.row == expected.row)
        #expect(found.periods == expected.periods)
        #expect(found.oddities == expected.oddities)
    }

    private static func part(_ part: Int, of parts: Int) -> [Observation] {
        observations.enumerated().filter { $0.offset % parts == part }.map(\.element)
    }

    /// As it comes out at the other end of a line.
    private static func carried<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }
}
