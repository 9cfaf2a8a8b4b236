import Encodings
import Foundation
import Subscriptions
import Testing

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
        #expect(figures.states[.expired] == .max)
        #expect(figures.money.recurring["USD"]?.subscriptions == .max)
        #expect(figures.money.revenue.values.contains { $0.gross == .max })
        #expect(figures.figures.count == counted.figures.count)
    }
}
