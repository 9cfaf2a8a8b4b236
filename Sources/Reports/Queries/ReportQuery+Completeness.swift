import Encodings
import SQLite

extension ReportQuery {
    static let completenessByApp = ReportQuery(
        name: "completeness_by_app",
        meaning: "What Apple sold of each app on each day that the export covers, and how much of it nothing shows.",
        columns: counts, tables: [("c", CompletenessTable.name)],
        sql: """
            SELECT c.app, c.date, sum(c.units) AS sold, sum(c.missing) AS lost FROM completeness AS c
            WHERE c.missing IS NOT NULL GROUP BY c.app, c.date ORDER BY c.app, c.date
            """)

    static let worstGaps = ReportQuery(
        name: "worst_gaps", meaning: "The days and products with most units missing.",
        tables: [("c", CompletenessTable.name)],
        sql: "SELECT c.* FROM completeness AS c WHERE c.missing > 0 ORDER BY c.missing DESC, c.date DESC, c.product_id")

    private static let counts = [
        ("sold", "INTEGER", "how many units Apple sold"), ("lost", "INTEGER", "how many of them nothing shows"),
    ]
}

/// What pages show of the table `completeness`: each app over its latest days, and the worst gaps.
struct CompletenessRows {
    private struct Count {
        var sold = 0
        var lost = 0
    }

    /// The counts of each app, in total and by day.
    private var apps: [(name: ExactText, all: Count, days: [String: Count])] = []
    private var gaps: [[Summary.Cell]] = []
    fileprivate var gapCount = 0

    private static let (maxApps, maxDays) = (24, 31)
    fileprivate static let maxGaps = 10

    fileprivate mutating func add(_ row: DatabaseReader.Cells) {
        let name = ExactText(row.text("app"))
        if apps.last?.name != name { apps.append((name, Count(), [:])) }
        let count = Count(sold: row.number("sold"), lost: row.number("lost"))
        apps[apps.count - 1].all.sold += count.sold
        apps[apps.count - 1].all.lost += count.lost
        apps[apps.count - 1].days[row.text("date")] = count
    }

    fileprivate mutating func add(gap row: DatabaseReader.Cells) {
        gaps.append(
            [.code(row.text("date")), .text(ExactText(row.text("app"))), .text(ExactText(row.text("product_id")))]
                + ["units", "proofs", "evidence_only", "missing"].map { .number(row.number($0)) })
    }

    /// Returns the sections of a page; none without sales reports.
    ///
    /// - Parameter withDays: whether the apps have a column for each of the latest days.
    func sections(withDays: Bool) -> [Summary.Section] {
        guard !apps.isEmpty else { return [] }
        let days = withDays ? Set(apps.flatMap(\.days.keys)).sorted().suffix(Self.maxDays) : []
        let shown = apps.sorted { ($1.all.lost, $0.name) < ($0.all.lost, $1.name) }.prefix(Self.maxApps)
        let more = apps.count - shown.count
        let rows = shown.map { app -> [Summary.Cell] in
            let cells = days.map { day -> Summary.Cell in
                app.days[day].flatMap { $0.sold > 0 ? .share($0.lost, of: $0.sold) : nil } ?? .none
            }
            return [
                .text(app.name), .number(app.all.sold), .number(app.all.lost), .share(app.all.lost, of: app.all.sold),
            ] + cells
        }
        let all = Summary.Section(
            "completeness_apps", "Sold, and not seen, by app",
            "Units that Apple's sales reports name and neither a proof nor evidence shows, on the days that the export "
                + "covers. " + (more > 0 ? "\(grouped(more)) more apps, and all days, are in " : "All days are in ")
                + "`--report completeness=FILE.csv`.",
            columns: ["app", "units", "missing", "all days"] + days.map { String($0.dropFirst(5)) }, rows: rows)
        guard !gaps.isEmpty else { return [all] }
        let rest = gapCount > gaps.count ? " and \(grouped(gapCount - gaps.count)) more in the same table." : ""
        return [
            all,
            Summary.Section(
                "worst_gaps", "The worst gaps",
                "The days and products with most units missing" + (rest.isEmpty ? "." : ";" + rest),
                columns: ["date", "app", "product", "units", "proofs", "evidence only", "missing"], rows: gaps),
        ]
    }
}

extension StoredReport {
    func completeness() throws -> CompletenessRows {
        var rows = CompletenessRows()
        try reader.forEachRow("SELECT * FROM completeness_by_app") { rows.add($0) }
        rows.gapCount = try count("worst_gaps")
        try reader.forEachRow("SELECT * FROM worst_gaps LIMIT \(CompletenessRows.maxGaps)") { rows.add(gap: $0) }
        return rows
    }
}
