import Corpus
import Encodings
import Foundation
import Receipts
import Rules
import Testing

@testable import Subscriptions

struct `Bounds of figures` {
    private func take(_ products: some Sequence<Int>, into figures: inout SubscriptionFigures) throws {
        for number in products {
            let purchase = period(1, from: 0, product: "product-\(number + 100)")
            let found = receipt(5, [purchase]) { $0.bundleID = "app-\(number % 7)" }
            if let one = try Subscription(group([found]), asOf: day(10), Policy()) { figures.take(one) }
        }
    }

    @Test func `keep the least products and apps, and count the rest as others`() throws {
        var random = Seeded(state: 31)
        let numbers = (0..<40).flatMap { Array(repeating: $0, count: 1 + $0 % 3) }
        for cut in [0, 10, 33, numbers.count] {
            let shuffled = numbers.shuffled(using: &random)
            var figures = SubscriptionFigures(asOf: day(10), policy: Policy(), maxKeys: 5)
            var other = figures
            try take(shuffled[..<cut], into: &figures)
            try take(shuffled[cut...], into: &other)
            figures += other
            #expect(figures.content.apps.entries.map(\.key) == (0..<5).map { "app-\($0)" })
            #expect(figures.content.apps.others.total == numbers.count { $0 % 7 > 4 })
            #expect(
                figures.content.products.entries.map(\.key.productID)
                    == [0, 7, 14, 21, 28].map { "product-\($0 + 100)" })
            for entry in figures.content.products.entries {
                let number = Int(entry.key.productID.text.dropFirst(8)).map { $0 - 100 } ?? -1
                #expect(entry.counts.total == 1 + number % 3)
            }
            #expect(figures.content.states[.active] == numbers.count)
            let kept = figures.content.products.entries.map(\.counts.total).reduce(0, +)
            #expect(kept + figures.content.products.others.total == numbers.count)
        }
    }

    @Test func `hold for dates at the ends of time`() throws {
        let ends = [Int64.min, -62_135_596_800_000, 0, 253_402_300_799_000, .max].map(Instant.init(milliseconds:))
        for asOf in ends {
            var figures = SubscriptionFigures(asOf: asOf, policy: RandomSubscriptions.policy)
            for first in ends {
                for second in ends {
                    let purchases = [(1, first, second), (2, second, first)].map { number, start, end in
                        period(number, from: 0, product: "year") {
                            $0.purchaseDate = start
                            $0.expiresDate = end
                            $0.isTrialPeriod = number == 1 && first == asOf
                            $0.cancellationDate = second == asOf ? first : nil
                        }
                    }
                    let found = receipt(5, purchases) { $0.createdAt = second }
                    if let one = try Subscription(group([found]), asOf: asOf, Policy()) { figures.take(one) }
                }
            }
            #expect(
                figures.content.states.total == 5 * ends.count { $0 <= asOf } && figures.content.months.count <= 2400)
            #expect(figures.retentionRows.allSatisfy { $0.renewal <= SubscriptionFigures.maxRenewals })
            #expect(!figures.figures.isEmpty)
        }
    }

    @Test func `hold for prices without end`() throws {
        var policy = Policy()
        var product = Product()
        product.period = .day
        product.price = Product.Price(millionths: .max, currency: "USD")
        policy.apps["com.example.notes"] = Policy.App(products: ["month": product])
        var figures = SubscriptionFigures(asOf: day(10), policy: policy)
        let found = receipt(5, [period(1, from: 0)])
        let one = try #require(try Subscription(group([found]), asOf: day(10), Policy()))
        for _ in 0..<100 { figures.take(one) }
        #expect(figures.content.money.recurring["USD"]?.all.monthly == Int128(Int64.max) * 3000)
        let revenue = try #require(figures.figures.first { $0.id == "revenue" })
        #expect(revenue.rows[0][2] == .money(millionths: .max, currency: "USD"))
    }

    @Test func `take a negative price for none`() throws {
        var policy = RandomSubscriptions.policy
        policy.apps["com.example.notes"]?.products?["month"]?.price?.millionths = -1
        var figures = SubscriptionFigures(asOf: day(10), policy: policy)
        let one = try #require(try Subscription(group([receipt(5, [period(1, from: 0)])]), asOf: day(10), Policy()))
        figures.take(one)
        #expect(figures.content.money.running[.unpriced] == 1 && figures.content.money.periods[.unpriced] == 1)
    }
}

struct `A month` {
    @Test(arguments: [
        ("2024-01-31T23:59:59Z", "2024-01"), ("2024-02-01T00:00:00Z", "2024-02"), ("2023-12-31T23:59:59Z", "2023-12"),
        ("2024-02-29T12:00:00Z", "2024-02"), ("1969-12-31T23:59:59Z", "2008-01"), ("2300-05-01T00:00:00Z", "2207-12"),
    ])
    func `is that of the date in UTC`(date: String, month: String) throws {
        #expect(Month(try #require(Instant(rfc3339: date))).description == month)
    }

    @Test func `begins with its first instant, after the month before`() throws {
        var month = Month(Instant(milliseconds: .min))
        var count = 1
        while let next = month.next {
            #expect(Month(next.start) == next && month < next)
            #expect(Month(Instant(milliseconds: next.start.milliseconds - 1)) == month)
            month = next
            count += 1
        }
        #expect(count == 2400 && month == Month(Instant(milliseconds: .max)))
    }
}

/// Figures come in lines, whose numbers may be anybody's.
struct `Figures with the greatest numbers` {
    @Test func `add up to the greatest numbers`() throws {
        var random = Seeded(state: 5)
        var counted = SubscriptionFigures(asOf: RandomSubscriptions.asOf, policy: RandomSubscriptions.policy)
        for subscription in try RandomSubscriptions.make(60, &random) { counted.take(subscription) }
        let text = String(decoding: try JSONEncoder().encode(counted.content), as: UTF8.self)
        let great =
            text
            .replacing(/(?<before>[:,\[])[1-9][0-9]*/) { $0.output.before + "\(Int.max)" }
            .replacing(/"(?<key>gross|refunds|twelfths)":[0-9]+/) { "\"\($0.output.key)\":\(Int128.max)" }
        let content = try JSONDecoder().decode(SubscriptionFigures.Content.self, from: Data(great.utf8))
        var figures = counted
        for _ in 0..<2 { figures += content }
        #expect(figures.content.states[.expired] == .max)
        #expect(figures.content.money.recurring["USD"]?.all.subscriptions == .max)
        #expect(figures.content.money.revenue.values.contains { $0.all.gross == .max })
        #expect(figures.figures.count == counted.figures.count)
    }
}
