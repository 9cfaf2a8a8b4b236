package import Subscriptions

/// The table `retention`: one row per cohort and renewal, by cohort.
package enum RetentionTable: ReportTable {
    package static let name = "retention"
    package static let stage = RunStage.figures
    package static let isOnPages = true
    package static let columns: [TableColumn<RetentionRow>] = [
        .code("cohort", width: 10) { $0.cohort.description },
        .number("renewal", width: 10) { $0.renewal },
        .number("kept", width: 10) { $0.kept },
        .number("lost", width: 10) { $0.lost },
        .number("unknown", width: 11) { $0.unknown },
    ]

    package static func forEachRow(of run: ReportedRun, _ body: (RetentionRow) throws -> Void) throws {
        try run.figures.retentionRows.forEach(body)
    }
}
