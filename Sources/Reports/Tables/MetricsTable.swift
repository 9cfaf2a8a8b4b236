import Encodings
package import Subscriptions

/// The table `metrics`: one row per number, with its dimensions.
package enum MetricsTable: ReportTable {
    package static let name = "metrics"
    package static let stage = RunStage.figures
    package static let isOnPages = true
    package static let columns: [TableColumn<MetricRow>] = [
        .code("metric", "the name of the metric; it never changes", width: 30) { $0.metric },
        .textIfAny("app", "the bundle id; empty for all apps together", width: 28) { $0.bundleID },
        .textIfAny("product", "the product; empty for all products together", width: 34) { $0.productID },
        .textIfAny("country", "the storefront, ISO 3166-1, or `unknown`; empty for all", width: 10) { $0.country },
        .textIfAny("length", "the length of periods, as `P1M`, or `other`; empty for all", width: 10) { $0.length },
        .code("month", "the month; empty for the state at as-of", width: 10) { $0.month?.description },
        .textIfAny("currency", "of amounts of money, ISO 4217", width: 10) { $0.currency },
        .decimal("value", "the number; shares are fractions of 1", width: 14) { $0.value },
        .decimal("low", "the least that the number can be", width: 12) { $0.bounds?.low },
        .decimal("high", "the greatest that it can be", width: 12) { $0.bounds?.high },
        .number("n", "the denominator, open cases included", width: 10) { $0.count },
        .text("environment", "`Production`; others only with `excluded_…`", width: 14) { $0.environment },
    ]

    package static func forEachRow(of run: ReportedRun, _ body: (MetricRow) throws -> Void) throws {
        try run.figures.forEachMetric(body)
    }
}
