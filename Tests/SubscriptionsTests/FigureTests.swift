import Corpus
import Encodings
import Receipts
import Rules
import SampleStore
import Testing

@testable import Subscriptions

struct `Figures of subscriptions` {
    private static func figures(_ all: [Subscription]) -> SubscriptionFigures {
        var figures = SubscriptionFigures(asOf: RandomSubscriptions.asOf, policy: RandomSubscriptions.policy)
        for one in all { figures.take(one) }
        return figures
    }

    /// One original transaction, and what is counted of it in the months of 2024, until 10 April, which is day 100.
    struct Story: CustomTestStringConvertible {
        let testDescription: String
        let proof: Observation
        let counts: [String]
    }

    private static func paid(_ number: Int, _ start: Double, to end: Double, _ product: ExactText = "month") -> Purchase
    {
        period(number, from: start, days: end - start, product: product)
    }

    private static func trial(
        _ number: Int, _ start: Double, to end: Double, _ product: ExactText = "month"
    ) -> Purchase {
        period(number, from: start, days: end - start, product: product) { $0.isTrialPeriod = true }
    }

    private static func cancelled(_ purchase: Purchase, _ date: Double, type: ExactText? = nil) -> Purchase {
        var purchase = purchase
        purchase.cancellationDate = day(date)
        if let type {
            purchase.details = TransactionDetails()
            purchase.details?.revocationType = type
        }
        return purchase
    }

    private static func story(_ name: String, _ purchases: Purchase..., counts: String...) -> Story {
        Story(testDescription: name, proof: receipt(95, purchases), counts: counts)
    }

    /// January ends on day 31, February on day 60, March on day 91.
    static let stories = [
        story(
            "stays", paid(1, 3, to: 33), paid(2, 33, to: 63), paid(3, 63, to: 93), paid(4, 93, to: 123),
            counts: "01 started, first_paid, paid_periods", "02 renewals, active_at_start, paid_periods",
            "03 renewals, active_at_start, paid_periods", "04 renewals, active_at_start, paid_periods"),
        story(
            "comes back", paid(1, 3, to: 13), paid(2, 40, to: 110),
            counts: "01 started, first_paid, paid_periods, lapses", "02 resubscribed, paid_periods, win_backs",
            "03 active_at_start", "04 active_at_start"),
        story(
            "is refunded in another month", cancelled(paid(1, 5, to: 65), 40),
            counts: "01 started, first_paid, paid_periods, refunded_periods", "02 active_at_start, lost"),
        story(
            "ends with its month", paid(1, 1, to: 31),
            counts: "01 started, first_paid, paid_periods"),
        story(
            "begins with a month", paid(1, 31, to: 60),
            counts: "02 started, active_at_start, lost, first_paid, paid_periods"),
        story(
            "was a trial, and is refunded", trial(1, 3, to: 10), cancelled(paid(2, 10, to: 40), 12),
            counts:
                "01 started, trials, trials_converted, refunded_conversions, first_paid, paid_periods, refunded_periods"
        ),
        story(
            "is a trial", trial(1, 94, to: 104),
            counts: "04 started, trials, trials_running"),
        story(
            "was a trial", trial(1, 62, to: 69),
            counts: "03 started, trials, trials_lost"),
        story(
            "was another trial", cancelled(trial(1, 3, to: 10), 5), trial(2, 5, to: 12, "year"),
            paid(3, 12, to: 42, "year"),
            counts: "01 started, trials, trials_converted, first_paid, paid_periods, product_changes",
            "02 active_at_start, lost"),
        story(
            "is a trial after a month", paid(1, 3, to: 33), trial(2, 33, to: 40),
            counts: "01 started, first_paid, paid_periods", "02 trials, trials_lost, active_at_start, lost"),
        story(
            "is bought ahead", paid(1, 105, to: 135),
            counts: "04 started, paid_periods"),
        story(
            "is under a longer period", paid(1, 3, to: 120), paid(2, 13, to: 43), paid(3, 50, to: 80),
            counts: "01 started, renewals, first_paid, paid_periods 2", "02 renewals, active_at_start, paid_periods",
            "03 active_at_start", "04 active_at_start"),
        story(
            "pauses a day, and more", paid(1, 3, to: 33), paid(2, 34, to: 64), paid(3, 65.001, to: 95),
            counts: "01 started, first_paid, paid_periods", "02 renewals, active_at_start, paid_periods",
            "03 active_at_start, resubscribed, paid_periods, lapses, win_backs", "04 active_at_start, lost"),
        story(
            "pauses in a refund", paid(1, 3, to: 33), cancelled(paid(2, 33, to: 63), 34), paid(3, 63, to: 93),
            counts: "01 started, first_paid, paid_periods",
            "02 renewals, active_at_start, lost, paid_periods, refunded_periods, lapses",
            "03 renewals, resubscribed, paid_periods, win_backs", "04 active_at_start, lost"),
        story(
            "is upgraded, and comes back", cancelled(paid(1, 3, to: 368, "year"), 10), paid(2, 10, to: 40, "two"),
            paid(3, 60, to: 110, "two"),
            counts: "01 started, renewals, first_paid, paid_periods 2, product_changes", "02 active_at_start, lapses",
            "03 active_at_start, resubscribed, paid_periods, win_backs", "04 active_at_start"),
        story(
            "is taken back for a cause that nobody knows", cancelled(paid(1, 70, to: 130), 75, type: "SEAT_TAKEN"),
            counts: "03 started, first_paid, paid_periods, taken_back_unknown"),
        story(
            "is upgraded before a renewal that was charged ahead", cancelled(paid(1, 31, to: 61), 31.4),
            paid(2, 30.9, to: 396, "year"),
            counts: "01 started, renewals, first_paid, paid_periods, product_changes",
            "02 active_at_start, paid_periods",
            "03 active_at_start", "04 active_at_start"),
        Story(
            testDescription: "is a trial that was taken back, as a token shows",
            proof: receipt(66, [cancelled(trial(1, 62, to: 92), 65)]) { $0.kind = .transaction },
            counts: ["03 started, trials, trials_lost"]),
    ]

    @Test(arguments: stories) func `count by month what happened`(story: Story) throws {
        var figures = SubscriptionFigures(asOf: day(100), policy: Policy())
        figures.take(try #require(try Subscription(group([story.proof]), asOf: day(100), Policy())))
        let counts = figures.content.months.sorted { $0.key < $1.key }.map { month, counts in
            "\(month.description.dropFirst(5)) "
                + MonthCount.allCases.filter { counts[$0] > 0 }
                .map { counts[$0] == 1 ? $0.name : "\($0.name) \(counts[$0])" }.joined(separator: ", ")
        }
        #expect(counts == story.counts)
    }

    /// A token's price is what was paid; without one, a period recurs by the product's length, if the policy says that.
    @Test(
        arguments: zip(
            RandomSubscriptions.products,
            [149_700_030, 23_960_016, 6_990_007, 3_995_005, 2_996_671, 1_665_003, 915_835] as [Int128]))
    func `take for a month what the policy says of a product`(product: ExactText, monthly: Int128) throws {
        var policy = RandomSubscriptions.policy
        for (expected, count) in [(monthly, 0), (nil, 1)] as [(Int128?, Int)] {
            let bought = group([receipt(1, [period(1, from: 0, product: product)])])
            var figures = SubscriptionFigures(asOf: day(20), policy: policy)
            figures.take(try #require(try Subscription(bought, asOf: day(20), policy)))
            #expect(figures.content.money.recurring["USD"]?.priced.monthly == expected)
            #expect(figures.content.money.running[.unpriced] == count)
            policy.apps["com.example.notes"]?.products?[product]?.period = nil
        }
    }

    @Test func `are what they were: these numbers may change only on purpose`() throws {
        var random = Seeded(state: 11)
        var lines = ""
        for count in 1...60 {
            let figures = Self.figures(try RandomSubscriptions.make(count, &random))
            figures.forEachMetric { lines += "\($0)\n" }
            lines += figures.retentionRows.map { "\($0)\n" }.joined()
        }
        let hash = SampleDigest.sha256.hash(Array(lines.utf8))
        #expect(Hex.string(hash.span) == "319fc48195699fafedac87f0554b5f43ff7f58288b9b880d1be90bd3bd3d04d5")
    }

    @Test func `count states and oddities, by app and by product`() throws {
        var random = Seeded(state: 11)
        let all = try RandomSubscriptions.make(400, &random)
        let content = Self.figures(all).content
        for state in SubscriptionState.allCases {
            let found = all.filter { $0.row.state == state }
            #expect(content.states[state] == found.count)
            #expect(content.apps.entries.map { $0.counts[state] } == [found.count])
            for (key, counts) in content.products.entries {
                #expect(counts[state] == found.count { $0.row.productID == key.productID })
            }
        }
        #expect(Set(content.products.entries.map(\.key.productID)) == Set(all.map(\.row.productID)))
        for oddity in Oddity.allCases {
            #expect(content.oddities[oddity] == all.map { $0.oddities[oddity] ?? 0 }.reduce(0, +))
        }
        let running = all.count { [.trial, .intro, .active].contains($0.row.state) }
        #expect(content.money.running.total == running)
        #expect(content.money.running[.trial] == all.count { $0.row.state == .trial })
    }

    @Test func `are the same in any order and in any parts`() throws {
        var random = Seeded(state: 12)
        for _ in 0..<30 {
            let all = try RandomSubscriptions.make(40, &random)
            let expected = Self.figures(all).figures
            let shuffled = all.shuffled(using: &random)
            #expect(Self.figures(shuffled).figures == expected)
            let cut = Int.random(in: 0...shuffled.count, using: &random)
            var sum = Self.figures(Array(shuffled[..<cut]))
            sum += Self.figures(Array(shuffled[cut...]))
            #expect(sum.figures == expected)
        }
    }
}
