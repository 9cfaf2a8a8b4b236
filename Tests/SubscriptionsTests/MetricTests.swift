import Corpus
import Encodings
import Receipts
import Rules
import Testing

@testable import Subscriptions

struct `The metrics` {
    private static let notes: ExactText = "com.example.notes"

    /// The figures at day 100 of what these receipts show, each of one original transaction.
    private func figures(_ receipts: [Observation], maxKeys: Int = 100) throws -> SubscriptionFigures {
        var policy = RandomSubscriptions.policy
        for app in ["a", "b"] as [ExactText] { policy.apps[app] = Policy.App() }
        var figures = SubscriptionFigures(asOf: day(100), policy: policy, maxKeys: maxKeys)
        for receipt in receipts {
            let read = try OriginalTransaction(group([receipt]), asOf: day(100), policy)
            figures.take(try #require(read))
        }
        return figures
    }

    private func rows(_ figures: SubscriptionFigures) -> [MetricRow] {
        var rows: [MetricRow] = []
        figures.forEachMetric { rows.append($0) }
        return rows
    }

    private func metric(_ name: String, _ month: String, in rows: [MetricRow]) -> MetricRow? {
        rows.first { $0.metric == name && $0.month?.description == month && $0.bundleID.isEmpty }
    }

    /// A month from day 0, and no more, as a receipt of a day shows it.
    private func month(shownOn created: Double, next: Double? = nil) -> Observation {
        receipt(created, [period(1, from: 0)] + (next.map { [period(2, from: $0)] } ?? []))
    }

    @Test func `have churn with its bounds`() throws {
        // Of four that are active on 1 January two renew, one is lost, and one is not refreshed.
        let found = try figures([
            month(shownOn: 70, next: 30), month(shownOn: 35, next: 30), month(shownOn: 40), month(shownOn: 20),
        ])
        let churn = try #require(metric("churn", "2024-01", in: rows(found)))
        #expect(churn.value.description == "0.333333" && churn.count == 4)
        #expect(
            churn.bounds
                == MetricRow.Bounds(low: DecimalNumber(millionths: 250_000), high: DecimalNumber(millionths: 500_000)))
    }

    @Test func `do not take for lost who is back before the month ends`() throws {
        // From 1 January to 11 January, and again from 16 January to 4 March.
        let back = receipt(90, [period(1, from: 0, days: 10), period(2, from: 15, days: 48)])
        let found = try rows(figures([back]))
        #expect(metric("churn", "2024-01", in: found)?.value == DecimalNumber(0))
        #expect(metric("resubscribed", "2024-01", in: found)?.value == DecimalNumber(1))
        #expect(metric("churn", "2024-03", in: found)?.value == DecimalNumber(1))
    }

    @Test func `do not count who came and left within a month, of whom there are as many at its start as at its end`()
        throws
    {
        let found = try rows(figures([receipt(90, [period(1, from: 3, days: 7)])]))
        #expect(metric("churn", "2024-01", in: found) == nil && metric("active_at_start", "2024-01", in: found) == nil)
    }

    @Test func `have the conversion of decided trials, with bounds over all, and refunded ones`() throws {
        let trial = { (change: (inout Purchase) -> Void) in
            period(1, from: 0, days: 7) {
                $0.isTrialPeriod = true
                change(&$0)
            }
        }
        let found = try rows(
            figures([
                receipt(50, [trial { _ in }, period(2, from: 7)]),
                receipt(50, [trial { _ in }, period(2, from: 7) { $0.cancellationDate = day(8) }]),
                receipt(50, [trial { _ in }]), receipt(3, [trial { _ in }]),
                receipt(3, [trial { $0.expiresDate = day(120) }]),
            ]))
        let conversion = try #require(metric("trial_conversion", "2024-01", in: found))
        #expect(conversion.value.description == "0.666667" && conversion.count == 5)
        #expect(conversion.bounds?.low.description == "0.4" && conversion.bounds?.high.description == "0.8")
        #expect(metric("trial_conversion_of_all", "2024-01", in: found)?.value.description == "0.4")
        #expect(metric("refunded_conversions", "2024-01", in: found)?.value == DecimalNumber(1))
        #expect(metric("renewals", "2024-01", in: found) == nil)
    }

    @Test func `have refunds by the month of purchase, one-time purchases with them, and no upgrades`() throws {
        let once = { (number: Int, refunded: Double?) in
            receipt(
                80,
                [
                    period(number, from: 5) {
                        $0.kind = .consumable
                        $0.expiresDate = nil
                        $0.cancellationDate = refunded.map { day($0) }
                    }
                ])
        }
        let found = try rows(
            figures([
                once(1, nil), once(2, 70), receipt(80, [period(1, from: 0) { $0.cancellationDate = day(40) }]),
                receipt(
                    80,
                    [
                        period(1, from: 0) { $0.cancellationDate = day(10) }, period(2, from: 10, product: "year"),
                    ]),
            ]))
        let rate = try #require(metric("refund_rate", "2024-01", in: found))
        #expect(rate.value.description == "0.4" && rate.count == 5 && rate.bounds == nil)
        #expect(metric("refunded_one_time_purchases", "2024-01", in: found)?.value == DecimalNumber(1))
        #expect(metric("refund_rate", "2024-02", in: found) == nil)
    }

    /// A subscription at a price, with a refund, and a purchase that was paid once.
    private func sold(_ change: @escaping (inout Observation) -> Void) -> [Observation] {
        var details = TransactionDetails()
        (details.price, details.currency, details.ownership) = (9990, "USD", "PURCHASED")
        let refunded = period(1, from: 40) {
            $0.details = details
            $0.details?.revocationReason = 0
            $0.cancellationDate = day(42)
        }
        let running = period(2, from: 80) { $0.details = details }
        let once = period(3, from: 10) { ($0.kind, $0.expiresDate) = (.consumable, nil) }
        return [
            receipt(81, [refunded, running], change), receipt(90, [running], change), receipt(90, [once], change),
        ]
    }

    @Test(arguments: ["Sandbox", "ProductionSandbox", "ProductionVPPSandbox", "Xcode", "LocalTesting", "Moon"])
    func `of an environment in which nobody pays are only how much there is of it`(environment: ExactText) throws {
        let found = try rows(figures(sold { $0.environment = environment }))
        let name: ExactText = environment.text.hasSuffix("Sandbox") ? "Sandbox" : environment
        #expect(found.allSatisfy { $0.environment == name && $0.currency.isEmpty })
        #expect(
            found.map { "\($0.metric) \($0.value)" } == [
                "excluded_subscriptions 2", "excluded_periods 3", "excluded_one_time_purchases 1",
            ])
    }

    @Test(arguments: ["", "Production", "ProductionVPP"])
    func `of production have money`(environment: ExactText) throws {
        let found = try rows(figures(sold { $0.environment = environment }))
        #expect(found.allSatisfy { $0.environment == "Production" && !$0.metric.hasPrefix("excluded") })
        #expect(found.first { $0.metric == "mrr" }?.value.description == "19.98")
    }

    @Test func `have nothing of apps and environments that the policy excludes`() throws {
        #expect(
            try rows(figures(sold { $0.bundleID = "com.example.foreign" })).allSatisfy {
                $0.metric.hasPrefix("excluded_") && $0.environment == "Production"
            })
        var policy = Policy()
        policy.environments = ["Sandbox"]
        for (environment, name) in [("Production", "Production"), ("Sandbox", "Sandbox")] as [(ExactText, ExactText)] {
            var figures = SubscriptionFigures(asOf: day(100), policy: policy)
            for one in sold({ $0.environment = environment }) {
                figures.take(try #require(try OriginalTransaction(group([one]), asOf: day(100), policy)))
            }
            #expect(rows(figures).map(\.environment) == [name, name, name])
        }
    }

    @Test func `have each app by itself, unless its months may be incomplete`() throws {
        let receipts = [("a", 0.0), ("a", 40), ("b", 0), ("b", 40), ("b", 70)].map { app, start in
            receipt(start + 10, [period(1, from: start)]) { $0.bundleID = ExactText(app) }
        }
        let started = { (maxKeys: Int) in
            try rows(figures(receipts, maxKeys: maxKeys)).filter { $0.metric == "started" }
                .map { "\($0.bundleID) \($0.month?.description ?? "") \($0.value)" }
        }
        let all = [" 2024-01 2", " 2024-02 2", " 2024-03 1"]
        let app = ["a 2024-01 1", "a 2024-02 1"]
        #expect(try started(100) == all + app + ["b 2024-01 1", "b 2024-02 1", "b 2024-03 1"])
        // Four keys are three months of one app, with what ended in March, and the first month of the other.
        let cut = try started(4)
        #expect(cut == all + app)
    }

    @Test func `are each there once`() throws {
        var random = Seeded(state: 3)
        var figures = SubscriptionFigures(asOf: RandomSubscriptions.asOf, policy: RandomSubscriptions.policy)
        for one in try RandomSubscriptions.make(80, &random) { figures.take(one) }
        let keys = rows(figures).map {
            "\($0.metric);\($0.environment);\($0.bundleID);\($0.productID);\($0.country);\($0.length);"
                + "\($0.month?.description ?? "");\($0.currency)"
        }
        #expect(keys.count > 300 && Set(keys).count == keys.count)
        for row in rows(figures) {
            if let bounds = row.bounds {
                #expect(bounds.low.millionths <= row.value.millionths && row.value.millionths <= bounds.high.millionths)
            }
        }
        for name in ["first_renewal", "mrr", "revenue_net", "subscriptions_active", "win_backs"] {
            #expect(keys.contains { $0.hasPrefix(name + ";") }, "\(name)")
        }
    }
}

struct `Retention` {
    @Test func `is by renewal, from the first, with those who are unknown`() throws {
        var figures = SubscriptionFigures(asOf: day(100), policy: Policy())
        let monthly = { (count: Int, created: Double) in
            receipt(created, (0..<count).map { period($0 + 1, from: 30 * Double($0)) })
        }
        // Bought on 1 January: renewals are due on 1 February, 1 March, and 1 April, which is day 91.
        for found in [monthly(1, 50), monthly(2, 99), monthly(2, 50), monthly(4, 99)] {
            figures.take(try #require(try Subscription(group([found]), asOf: day(100), Policy())))
        }
        let rows = figures.retentionRows.map { [$0.renewal, $0.kept, $0.lost, $0.unknown] }
        #expect(rows == [[1, 3, 1, 0], [2, 1, 2, 1], [3, 1, 2, 1]])
        #expect(figures.retentionRows.allSatisfy { $0.cohort.description == "2024-01" })
    }

    @Test func `is also by the length of that period, all months together`() throws {
        var figures = SubscriptionFigures(asOf: day(200), policy: Policy())
        for purchases in [
            [period(1, from: 0), period(2, from: 31)], [period(3, from: 40)], [period(4, from: 0, days: 7)],
        ] {
            let group = group([receipt(190, purchases)])
            figures.take(try #require(try Subscription(group, asOf: day(200), Policy())))
        }
        let figure = try #require(figures.figures.first { $0.id == "retention-by-length" })
        let first = figure.rows.filter { $0[1] == .number(1) }
        #expect(
            first == [
                [.code("P1M"), .number(1), .number(1), .number(1), .number(0), .share(1, of: 2)],
                [.code("P1W"), .number(1), .number(0), .number(1), .number(0), .share(0, of: 1)],
            ])
    }

    @Test func `begins with the first period at the full price`() throws {
        var figures = SubscriptionFigures(asOf: day(100), policy: Policy())
        let purchases = [
            period(1, from: 0, days: 7) { $0.isTrialPeriod = true },
            period(2, from: 7, days: 7) { $0.isInIntroOfferPeriod = true }, period(3, from: 35),
        ]
        figures.take(try #require(try Subscription(group([receipt(99, purchases)]), asOf: day(100), Policy())))
        #expect(figures.retentionRows.map { [$0.renewal, $0.kept, $0.lost] } == [[1, 0, 1], [2, 0, 1]])
        #expect(figures.retentionRows.first?.cohort.description == "2024-02")
    }
}
