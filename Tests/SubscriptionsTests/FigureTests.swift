import Encodings
import Rules
import Subscriptions
import Testing

struct `Figures of subscriptions` {
    private func figures(_ all: [Subscription]) -> SubscriptionFigures {
        var figures = SubscriptionFigures(asOf: RandomSubscriptions.asOf, policy: RandomSubscriptions.policy)
        for one in all { figures.take(one) }
        return figures
    }

    private func samples() throws -> [(SlowFigures, SubscriptionFigures)] {
        var random = Seeded(state: 11)
        return try (0..<60).map { number in
            let all = try RandomSubscriptions.make(1 + number, &random)
            let slow = SlowFigures(all: all, asOf: RandomSubscriptions.asOf, prices: RandomSubscriptions.prices)
            return (slow, figures(all))
        }
    }

    @Test func `count by month what a second telling counts`() throws {
        for (slow, figures) in try samples() {
            let expected: [(MonthCount, [String: Int])] = [
                (.started, slow.started()), (.trials, slow.trials()),
                (.trialsConverted, slow.trials(that: "converted")), (.trialsRunning, slow.trials(that: "running")),
                (.trialsNotRefreshed, slow.trials(that: "not refreshed")), (.trialsLost, slow.trials(that: "lost")),
                (.renewals, slow.renewals()), (.activeAtStart, slow.activeAtStart()),
                (.lost, slow.ended(isSeen: true)), (.notRefreshed, slow.ended(isSeen: false)),
                (.resubscribed, slow.resubscribed()), (.firstPaid, slow.firstPaid()),
                (.paidPeriods, slow.paidPeriods()), (.refunds, slow.refunds()), (.lapses, slow.lapses()),
                (.winBacks, slow.winBacks()), (.productChanges, slow.productChanges()),
            ]
            #expect(Set(expected.map(\.0)) == Set(MonthCount.allCases))
            for (count, expected) in expected {
                var found: [String: Int] = [:]
                for (month, counts) in figures.months where counts[count] > 0 {
                    found[month.description] = counts[count]
                }
                #expect(found == expected, "\(count)")
                #expect(figures.total(count) == expected.values.reduce(0, +))
            }
        }
    }

    @Test func `follow cohorts as a second telling does`() throws {
        for (slow, figures) in try samples().suffix(12) {
            #expect(figures.cohorts.keys.allSatisfy { slow.firstPaid()[$0.description] != nil })
            for (number, cohort) in SlowFigures.months.enumerated() where slow.firstPaid()[cohort.name] != nil {
                let later = SlowFigures.months.dropFirst(number + 1).filter { $0.start <= slow.asOf }
                let found = figures.cohorts[Month(cohort.start)] ?? []
                #expect(
                    found.map { [$0[.paid], $0[.lost], $0[.notRefreshed]] }
                        == later.map { slow.cohort(cohort.name, at: $0.start) })
            }
        }
    }

    @Test func `add up money as a second telling does`() throws {
        for (slow, figures) in try samples() {
            #expect(figures.money.recurring.mapValues { Int($0.monthly) } == slow.recurring())
            for ofRefunds in [false, true] {
                var found: [String: Int] = [:]
                for (key, revenue) in figures.money.revenue {
                    let sum = Int(ofRefunds ? revenue.refunds : revenue.gross)
                    if sum > 0 { found["\(key.month) \(key.currency)"] = sum }
                    #expect(revenue.net == revenue.gross - revenue.refunds)
                }
                #expect(found == slow.revenue(ofRefunds: ofRefunds))
            }
        }
    }

    @Test func `count states by app and by product`() throws {
        for (slow, figures) in try samples() {
            for state in SubscriptionState.allCases {
                let all = slow.all.filter { $0.row.state == state }
                #expect(figures.states[state] == all.count)
                #expect(figures.apps.entries.map { $0.counts[state] } == [all.count])
                for (key, counts) in figures.products.entries {
                    #expect(counts[state] == all.count { $0.row.productID == key.productID })
                }
            }
            #expect(Set(figures.products.entries.map(\.key.productID)) == Set(slow.all.map(\.row.productID)))
            for oddity in Oddity.allCases {
                #expect(figures.oddities[oddity] == slow.all.map { $0.oddities[oddity] ?? 0 }.reduce(0, +))
            }
        }
    }

    @Test func `count what has no price beside the money`() throws {
        for (slow, figures) in try samples() {
            let paid = slow.all.flatMap(\.periods).filter { !$0.isTrial }
            let offers = paid.filter { $0.isIntroOffer || $0.isPromotionalOffer }.count
            let priced = paid.filter { slow.prices[$0.productID]?.price != nil }
                .count { !$0.isIntroOffer && !$0.isPromotionalOffer }
            #expect(figures.money.periods[.offer] == offers && figures.money.periods[.priced] == priced)
            #expect(figures.money.periods[.unpriced] == paid.count - offers - priced)
            let running = slow.all.count { [.trial, .intro, .active].contains($0.row.state) }
            #expect(figures.money.running.total == running)
            #expect(figures.money.running[.trial] == slow.all.count { $0.row.state == .trial })
        }
    }

    @Test func `are the same in any order and in any parts`() throws {
        var random = Seeded(state: 12)
        for _ in 0..<30 {
            let all = try RandomSubscriptions.make(40, &random)
            let expected = figures(all).figures
            let shuffled = all.shuffled(using: &random)
            #expect(figures(shuffled).figures == expected)
            let cut = Int.random(in: 0...shuffled.count, using: &random)
            var sum = figures(Array(shuffled[..<cut]))
            sum += figures(Array(shuffled[cut...]))
            #expect(sum.figures == expected)
        }
    }
}
