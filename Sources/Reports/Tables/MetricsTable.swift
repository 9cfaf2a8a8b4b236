import Encodings
package import Subscriptions

/// The table `metrics`: one row per number, with its dimensions.
package enum MetricsTable: ReportTable {
    package static let name = "metrics"
    package static let stage = RunStage.figures
    package static let isOnPages = true
    package static let columns: [TableColumn<MetricRow>] = [
        .code("metric", width: 30) { $0.metric },
        .textIfAny("app", width: 28) { $0.bundleID },
        .textIfAny("product", width: 34) { $0.productID },
        .code("month", width: 10) { $0.month?.description },
        .textIfAny("currency", width: 10) { $0.currency },
        .decimal("value", width: 14) { $0.value },
        .decimal("low", width: 12) { $0.bounds?.low },
        .decimal("high", width: 12) { $0.bounds?.high },
        .number("n", width: 10) { $0.count },
        .text("environment", width: 14) { $0.environment },
    ]

    package static func forEachRow(of run: ReportedRun, _ body: (MetricRow) throws -> Void) throws {
        try run.figures.forEachMetric(body)
    }
}
