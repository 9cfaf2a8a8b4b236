import Encodings
package import Subscriptions

/// The table `metrics`: one row per number, with what it is a number of.
extension MetricRow: TableRow {
    package static let schema = TableSchema(
        name: "metrics",
        columns: [
            .init("metric", .code, width: 30), .init("app", .text, width: 28), .init("product", .text, width: 34),
            .init("month", .code, width: 10), .init("currency", .text, width: 10), .init("value", .decimal, width: 14),
            .init("low", .decimal, width: 12), .init("high", .decimal, width: 12), .init("n", .number, width: 10),
        ])

    package func write(to row: inout some CellWriter) {
        row.code(metric)
        row.text(bundleID.isEmpty ? nil : bundleID)
        row.text(productID.isEmpty ? nil : productID)
        row.code(month?.description ?? "")
        row.text(currency.isEmpty ? nil : currency)
        row.decimal(value)
        if let bounds {
            row.decimal(bounds.low)
            row.decimal(bounds.high)
        } else {
            for _ in 0..<2 { row.empty() }
        }
        if let count { row.number(count) } else { row.empty() }
    }
}
