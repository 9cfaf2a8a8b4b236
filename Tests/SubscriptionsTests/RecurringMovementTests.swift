import Corpus
import Encodings
import Receipts
import Rules
import Testing

@testable import Subscriptions

struct `Monthly recurring revenue by month` {
    private func rows(_ figures: SubscriptionFigures) -> [MetricRow] {
        var rows: [MetricRow] = []
        figures.forEachMetric { rows.append($0) }
        return rows
    }

    private func figures(_ receipts: [Observation]) throws -> SubscriptionFigures {
        var figures = SubscriptionFigures(asOf: day(100), policy: RandomSubscriptions.policy)
        for receipt in receipts {
            figures.take(
                try #require(try OriginalTransaction(group([receipt]), asOf: day(100), RandomSubscriptions.policy)))
        }
        return figures
    }

    /// A month costs 6.990007 USD, a quarter 8.990013 USD. Months end on the days 31, 60 and 91, as-of is day 100.
    private static let world = [
        // Stays.
        receipt(95, [period(1, from: 0, days: 35), period(2, from: 35, days: 27), period(3, from: 62, days: 58)]),
        // Leaves in February, and is back in March.
        receipt(95, [period(1, from: 5, days: 40), period(2, from: 70, days: 40)]),
        // Ends in February, and no proof shows what followed.
        receipt(40, [period(1, from: 10, days: 40)]),
        // Goes over to a quarter in February.
        receipt(95, [period(1, from: 0, days: 40), period(2, from: 40, days: 80, product: "quarter")]),
    ]

    @Test(arguments: ["", "com.example.notes"] as [ExactText])
    func `has the movements of a small world, for all apps and for one`(app: ExactText) throws {
        let found = try rows(figures(Self.world)).filter {
            ($0.metric.hasPrefix("mrr_") && $0.metric != "mrr_paid" || $0.metric == "arpu") && $0.bundleID == app
        }
        let lines = found.map { row in
            let bounds = row.bounds.map { " to \($0.high)" } ?? ""
            return "\(row.month?.description ?? "") \(row.metric) \(row.value)\(bounds)"
                + (row.count.map { " of \($0)" } ?? "")
        }
        #expect(
            lines == [
                "2024-01 mrr_opening 0", "2024-01 mrr_new 27.960028",
                "2024-01 mrr_closing 27.960028 to 27.960028 of 4", "2024-01 arpu 6.990007 of 4",
                "2024-02 mrr_opening 27.960028", "2024-02 mrr_contraction 3.993336", "2024-02 mrr_churn 6.990007",
                "2024-02 mrr_unknown 6.990007", "2024-02 mrr_closing 9.986678 to 16.976685 of 2",
                "2024-02 arpu 4.993339 of 2",
                "2024-03 mrr_opening 9.986678", "2024-03 mrr_reactivation 6.990007",
                "2024-03 mrr_closing 16.976685 to 23.966692 of 3", "2024-03 arpu 5.658895 of 3",
                "2024-04 mrr_opening 16.976685", "2024-04 mrr_closing 16.976685 to 23.966692 of 3",
                "2024-04 arpu 5.658895 of 3",
            ])
        #expect(found.allSatisfy { $0.currency == "USD" })
    }

    @Test func `opens with what it closed with, adds up to the same from parts, and ends with what recurs at as-of`()
        throws
    {
        var random = Seeded(state: 23)
        var known = 0
        for _ in 0..<40 {
            let all = try RandomSubscriptions.make(30, &random)
            var whole = SubscriptionFigures(asOf: RandomSubscriptions.asOf, policy: RandomSubscriptions.policy)
            var halves = [whole, whole]
            for (number, one) in all.enumerated() {
                whole.take(one)
                halves[number % 2].take(one)
            }
            halves[1] += halves[0]
            let found = rows(whole)
            #expect(found == rows(halves[1]))
            var closed: [String: Int] = [:]
            let movements = found.filter { $0.metric.hasPrefix("mrr_") && $0.metric != "mrr_paid" }
            for (key, rows) in Dictionary(grouping: movements, by: { "\($0.bundleID) \($0.currency)" }) {
                var sum = 0
                for row in rows {
                    switch row.metric {
                    case "mrr_opening": #expect(row.millionths == sum, "\(key)")
                    case "mrr_closing": #expect(row.millionths == sum, "\(key)")
                    case "mrr_new", "mrr_expansion", "mrr_reactivation": sum += row.millionths
                    default: sum -= row.millionths
                    }
                }
                closed[key] = sum
            }
            for (currency, recurring) in whole.content.money.recurring {
                let sum = try #require(closed[" \(currency)"])
                #expect(abs(sum - Int(recurring.all.monthly)) <= 6)
                #expect(closed["com.example.notes \(currency)"] == sum)
                known += 1
            }
        }
        #expect(known > 40)
    }

    @Test func `splits revenue by product, country and length, each adding up to the app's`() throws {
        let sold = { (storefront: ExactText?, days: Double, price: Int64) in
            receipt(
                95,
                [
                    period(1, from: 10, days: days) {
                        var details = TransactionDetails()
                        (details.price, details.currency, details.storefront) = (price, "EUR", storefront)
                        $0.details = details
                    }
                ]
            ) { $0.kind = .transaction }
        }
        let found = try rows(
            figures([sold("DEU", 31, 5000), sold("FRA", 366, 40_000), sold("de", 7, 1000), sold(nil, 100, 3000)])
        ).filter { $0.metric == "revenue_gross" && $0.bundleID != "" }
        let lines = found.map { "\($0.productID)\($0.country)\($0.length) \($0.value)" }
        #expect(
            lines == [
                " 49", "P1M 5", "P1W 1", "P1Y 40", "other 3", "DEU 5", "FRA 40", "unknown 4", "month 49",
            ])
    }
}

extension MetricRow {
    fileprivate var millionths: Int {
        let parts = value.description.split(separator: ".")
        let whole = (Int(parts[0]) ?? 0) * 1_000_000
        let digits = parts.count > 1 ? String(parts[1]) : ""
        let fraction = Int(digits + String(repeating: "0", count: 6 - digits.count)) ?? 0
        return value.description.hasPrefix("-") ? whole - fraction : whole + fraction
    }
}
