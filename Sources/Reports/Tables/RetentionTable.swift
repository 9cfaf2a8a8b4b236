package import Subscriptions

/// The table `retention`: one row per cohort and renewal, by cohort.
package enum RetentionTable: ReportTable {
    package static let name = "retention"
    package static let stage = RunStage.figures
    package static let isOnPages = true
    package static let columns: [TableColumn<RetentionRow>] = [
        .code("cohort", "the month of the first period at the full price", width: 10) { $0.cohort.description },
        .number("renewal", "1 for the first renewal, 60 at most", width: 10) { $0.renewal },
        .number("kept", "subscriptions with paid time beyond the renewal", width: 10) { $0.kept },
        .number("lost", "subscriptions without, as proofs show", width: 10) { $0.lost },
        .number("unknown", "subscriptions of which no proof shows whether they were renewed", width: 11) { $0.unknown },
    ]

    package static func forEachRow(of run: ReportedRun, _ body: (RetentionRow) throws -> Void) throws {
        try run.figures.retentionRows.forEach(body)
    }
}
