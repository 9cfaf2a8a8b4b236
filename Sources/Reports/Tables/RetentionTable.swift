package import Subscriptions

/// The table `retention`: one row per cohort and renewal, by cohort.
extension RetentionRow: TableRow {
    package static let schema = TableSchema(
        name: "retention",
        columns: [
            .init("cohort", .code, width: 10), .init("renewal", .number, width: 10), .init("kept", .number, width: 10),
            .init("lost", .number, width: 10), .init("unknown", .number, width: 11),
        ])

    package func write(to row: inout some CellWriter) {
        row.code(cohort.description)
        row.number(renewal)
        row.number(kept)
        row.number(lost)
        row.number(unknown)
    }
}
