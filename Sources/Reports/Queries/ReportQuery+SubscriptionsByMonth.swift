import Encodings
import SQLite

extension ReportQuery {
    static let subscriptionsByMonth = ReportQuery(
        name: "subscriptions_by_month",
        meaning: "The figures of subscriptions of all apps and products together, month by month.",
        tables: [("m", "metrics")],
        sql: """
            SELECT m.month, m.metric, m.currency, m.value, m.low, m.high, m.n FROM metrics AS m
            WHERE m.month IS NOT NULL AND m.app IS NULL AND m.product IS NULL AND m.country IS NULL
                AND m.length IS NULL AND m.environment = 'Production'
            ORDER BY m.month, m.metric, m.currency
            """)
}

/// An amount of all apps in one currency, by month, in millionths of its unit.
struct AmountByMonth {
    struct Month {
        let month: String
        let value: Int64
        let low: Int64
        let high: Int64
    }

    let currency: ExactText
    fileprivate(set) var months: [Month] = []
}

extension StoredReport {
    /// Returns a metric that is an amount of money by month: the currencies with the most subscriptions and months.
    func amountByMonth(_ metric: String, _ maxCurrencies: Int = 4) throws -> [AmountByMonth] {
        var amounts: [AmountByMonth] = []
        try reader.forEachRow(
            """
            WITH found AS (SELECT * FROM subscriptions_by_month WHERE metric = ?1 AND currency GLOB '[A-Z][A-Z][A-Z]'),
            ranked AS (
                SELECT currency, row_number() OVER (ORDER BY total(n) DESC, count(*) DESC, currency) AS place
                FROM found GROUP BY currency)
            SELECT f.* FROM found AS f JOIN ranked AS r ON r.currency = f.currency WHERE r.place <= \(maxCurrencies)
            ORDER BY r.place, f.month
            """, [metric]
        ) { row in
            let currency = ExactText(row.text("currency"))
            if amounts.last?.currency != currency { amounts.append(AmountByMonth(currency: currency)) }
            let value = row.millionths("value") ?? 0
            amounts[amounts.count - 1].months.append(
                .init(
                    month: row.text("month"), value: value, low: row.millionths("low") ?? value,
                    high: row.millionths("high") ?? value))
        }
        return amounts
    }
}
