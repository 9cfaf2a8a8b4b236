import Encodings
package import Engine

/// The table `completeness`: one row per day and product of Apple's sales reports. Empty without them.
package enum CompletenessTable: ReportTable {
    package static let name = "completeness"
    package static let stage = RunStage.figures
    package static let isOnPages = true
    package static let needsFigures = false
    package static let columns: [TableColumn<Completeness.Row>] = [
        .code("date", "the day of Apple's report", width: 12) { $0.day.date },
        .text("product_id", "the product; `SKU` of the report", width: 34) { $0.productID },
        .text("app", "the bundle id, or the app's SKU where no proof shows it", width: 28) { $0.app },
        .number("units", "how many Apple sold", width: 9) { $0.units },
        .number("refunds", "how many Apple took back on that day, whenever they were sold", width: 9) { $0.refunds },
        .number("proofs", "how many of the day's purchases claims prove", width: 9) { $0.proofs },
        .number("evidence_only", "how many more only evidence shows", width: 13) { $0.evidenceOnly },
        .number("missing", "how many of `units` nothing shows; empty if the export does not cover the day", width: 9) {
            $0.missing
        },
    ]

    package static func forEachRow(of run: ReportedRun, _ body: (Completeness.Row) throws -> Void) throws {
        try run.result?.completeness?.rows.forEach(body)
    }
}
