import Encodings
import Rules
import Testing

@testable import Subscriptions

struct `Figures of subscriptions` {
    private static func figures(_ all: [Subscription]) -> SubscriptionFigures {
        var figures = SubscriptionFigures(asOf: RandomSubscriptions.asOf, policy: RandomSubscriptions.policy)
        for one in all { figures.take(one) }
        return figures
    }

    private static let samples = Result {
        var random = Seeded(state: 11)
        return try (0..<60).map { number in
            let dated = try RandomSubscriptions.makeDated(1 + number, &random)
            let all = dated.map(\.subscription)
            let reference = ReferenceFigures(
                all: all, receipts: dated.map(\.receipt), asOf: RandomSubscriptions.asOf,
                prices: RandomSubscriptions.prices)
            return (reference: reference, figures: figures(all))
        }
    }

    @Test func `count by month what the reference counts`() throws {
        for (reference, figures) in try Self.samples.get() {
            let expected: [(MonthCount, [String: Int])] = [
                (.started, reference.started()), (.trials, reference.trials()),
                (.trialsConverted, reference.trials(that: "converted")),
                (.trialsRunning, reference.trials(that: "running")),
                (.trialsNotRefreshed, reference.trials(that: "not refreshed")),
                (.trialsLost, reference.trials(that: "lost")),
                (.refundedConversions, reference.refundedConversions()),
                (.renewals, reference.renewals()),
                (.activeAtStart, reference.active(that: ["kept", "lost", "unknown"])),
                (.lost, reference.active(that: ["lost"])), (.notRefreshed, reference.active(that: ["unknown"])),
                (.resubscribed, reference.resubscribed()), (.firstPaid, reference.firstPaid()),
                (.paidPeriods, reference.paidPeriods()), (.refundedPeriods, reference.refundedPeriods()),
                (.oneTimePurchases, [:]), (.refundedOneTimePurchases, [:]), (.lapses, reference.lapses()),
                (.winBacks, reference.winBacks()), (.productChanges, reference.productChanges()),
                (.moves, [:]), (.takenBackUnknown, reference.takenBackUnknown()),
            ]
            #expect(Set(expected.map(\.0)) == Set(MonthCount.allCases))
            for (count, expected) in expected {
                var found: [String: Int] = [:]
                for (month, counts) in figures.content.months where counts[count] > 0 {
                    found[month.description] = counts[count]
                }
                #expect(found == expected, "\(count)")
                #expect(figures.content.total(count) == expected.values.reduce(0, +))
            }
        }
    }

    @Test func `follow cohorts as the reference does`() throws {
        for (reference, figures) in try Self.samples.get().suffix(12) {
            var found: [String: [[Int]]] = [:]
            for row in figures.retentionRows {
                found[row.cohort.description, default: []].append([row.kept, row.lost, row.unknown])
                #expect(found[row.cohort.description]?.count == row.renewal)
            }
            let cohorts = reference.cohorts()
            for month in ReferenceFigures.months {
                let cohort = cohorts[month.name] ?? []
                var expected = (1...SubscriptionFigures.maxRenewals).map { reference.coverages(of: cohort, at: $0) }
                while expected.last == [0, 0, 0] { expected.removeLast() }
                #expect(found[month.name] ?? [] == expected, "\(month.name)")
            }
        }
    }

    @Test func `add up money as the reference does, paid and priced apart, each currency by itself`() throws {
        var currencies: Set<ExactText> = []
        for (reference, figures) in try Self.samples.get() {
            let money = figures.content.money
            for (isPaid, found) in [
                (true, money.recurring.mapValues(\.paid)), (false, money.recurring.mapValues(\.priced)),
            ] {
                let amounts = found.filter { $0.value.subscriptions > 0 }.mapValues { Int($0.monthly) }
                #expect(amounts == reference.recurring(isPaid: isPaid))
                if isPaid { currencies.formUnion(amounts.keys) }
            }
            for (onlyPaid, ofRefunds) in [(false, false), (false, true), (true, false), (true, true)] {
                var found: [String: Int] = [:]
                for (key, revenue) in money.revenue {
                    let amounts = onlyPaid ? revenue.paid : revenue.all
                    let sum = Int(ofRefunds ? amounts.refunds : amounts.gross)
                    if sum > 0 { found["\(key.month) \(key.currency)"] = sum }
                    #expect(amounts.net == amounts.gross - amounts.refunds)
                }
                let expected = reference.revenue(ofRefunds: ofRefunds, onlyPaid: onlyPaid).filter { $0.value > 0 }
                #expect(found == expected)
            }
        }
        #expect(currencies == ["USD", "EUR", "JPY"])
    }

    @Test func `count states by app and by product`() throws {
        for (reference, figures) in try Self.samples.get() {
            for state in SubscriptionState.allCases {
                let all = reference.all.filter { $0.row.state == state }
                #expect(figures.content.states[state] == all.count)
                #expect(figures.content.apps.entries.map { $0.counts[state] } == [all.count])
                for (key, counts) in figures.content.products.entries {
                    #expect(counts[state] == all.count { $0.row.productID == key.productID })
                }
            }
            #expect(
                Set(figures.content.products.entries.map(\.key.productID)) == Set(reference.all.map(\.row.productID)))
            for oddity in Oddity.allCases {
                #expect(figures.content.oddities[oddity] == reference.all.map { $0.oddities[oddity] ?? 0 }.reduce(0, +))
            }
        }
    }

    @Test func `count what has no price beside the money`() throws {
        var seen: Set<MoneyFigures.PeriodCount> = []
        for (reference, figures) in try Self.samples.get() {
            let periods = reference.periods()
            for count in MoneyFigures.PeriodCount.allCases {
                #expect(figures.content.money.periods[count] == periods[count] ?? 0, "\(count)")
            }
            seen.formUnion(periods.keys)
            let running = reference.all.count { [.trial, .intro, .active].contains($0.row.state) }
            #expect(figures.content.money.running.total == running)
            #expect(figures.content.money.running[.trial] == reference.all.count { $0.row.state == .trial })
        }
        #expect(seen == Set(MoneyFigures.PeriodCount.allCases))
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
