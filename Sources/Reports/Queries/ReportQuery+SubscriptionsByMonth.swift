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
