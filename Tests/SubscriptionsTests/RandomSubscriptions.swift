import Encodings
import Receipts
import Rules
import Subscriptions

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
        try (0..<count).compactMap { _ in
            let purchases = purchases(&random)
            let created = Double(Int.random(in: 0...520, using: &random))
            return try Subscription(group([receipt(created, purchases)]), asOf: asOf)
        }
    }

    private static func purchases(_ random: inout Seeded) -> [Purchase] {
        var start = Double(Int.random(in: -100...480, using: &random))
        var product = products.randomElement(using: &random) ?? ""
        return (1...Int.random(in: 1...9, using: &random)).map { number in
            if Int.random(in: 0...3, using: &random) == 0 { product = products.randomElement(using: &random) ?? "" }
            let days = Double(Int.random(in: -2...60, using: &random))
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
            return purchase
        }
    }
}
