import Checks
import Encodings
import Rules
import SQLite

extension ReportQuery {
    static let byApp = ReportQuery(
        name: "by_app",
        meaning:
            "The claims and findings of each app: that of the proof or, without one, the app that the claim names.",
        columns: [
            ("app", "TEXT", "the app; empty if none is known"), ("claims", "INTEGER", "the number of claims"),
            ("not_clean", "INTEGER", "the number of claims with findings or failures"),
            ("findings", "INTEGER", "the number of findings"),
        ] + Severity.allCases.map { ($0.code, "INTEGER", "the number of findings of this severity") },
        sql: """
            SELECT app, sum(claims) AS claims, sum(not_clean) AS not_clean, sum(findings) AS findings,
                \(Severity.allCases.map { "sum(\($0.code)) AS \($0.code)" }.joined(separator: ", "))
            FROM (
                SELECT coalesce(bundle_id, claimed_bundle_id, '') AS app, 1 AS claims,
                    verdict <> 'valid' OR risk IS NOT NULL AS not_clean, 0 AS findings,
                    \(Severity.allCases.map { "0 AS \($0.code)" }.joined(separator: ", "))
                FROM receipts
                UNION ALL
                SELECT coalesce(bundle_id, ''), 0, 0, 1,
                    \(Severity.allCases.map { "severity = '\($0.code)'" }.joined(separator: ", "))
                FROM fraud WHERE change IS NOT 'resolved')
            GROUP BY app ORDER BY findings DESC, claims DESC, app
            """)

    static let affectedProducts = ReportQuery(
        name: "affected_products", meaning: "The products by the number of findings about them.",
        columns: [
            ("product", "TEXT", "the product"), ("app", "TEXT", "the app of the first finding that names one"),
            ("findings", "INTEGER", "the number of findings"),
        ],
        // For columns beside min, SQLite uses the row with the minimum.
        sql: """
            SELECT p.product_id AS product, a.bundle_id AS app, p.findings
            FROM (
                SELECT product_id, count(*) AS findings FROM fraud
                WHERE product_id IS NOT NULL AND change IS NOT 'resolved' GROUP BY product_id) AS p
            LEFT JOIN (
                SELECT product_id, bundle_id, min(rowid) FROM fraud
                WHERE bundle_id IS NOT NULL AND change IS NOT 'resolved' GROUP BY product_id) AS a
            ON a.product_id = p.product_id
            ORDER BY p.findings DESC, p.product_id
            """)
}

/// The claims and findings of one app.
struct AppCounts {
    /// The app; empty if none is known; `nil` for all other apps.
    let name: ExactText?
    var claims = 0
    var notClean = 0
    var findings = 0
    var severities: [Severity: Int] = [:]
}

extension StoredReport {
    /// Returns the apps with the most findings, the sum of the others, and the number of apps.
    func byApp(_ max: Int) throws -> (apps: [AppCounts], count: Int) {
        var apps: [AppCounts] = []
        var others = AppCounts(name: nil)
        var count = 0
        try reader.forEachRow("SELECT * FROM by_app") { row in
            count += 1
            if apps.count < max {
                apps.append(AppCounts(name: ExactText(row.text("app"))))
                apps[apps.count - 1].add(row)
            } else {
                others.add(row)
            }
        }
        return (apps + (others.claims + others.findings > 0 ? [others] : []), count)
    }

    /// Returns the products with the most findings, as cells.
    func affectedProducts(_ max: Int) throws -> [[Summary.Cell]] {
        var rows: [[Summary.Cell]] = []
        try reader.forEachRow("SELECT * FROM affected_products LIMIT \(max)") { row in
            rows.append([
                .text(ExactText(row.text("product"))), .text(ExactText(row.text("app"))),
                .number(row.number("findings")),
            ])
        }
        return rows
    }
}

extension AppCounts {
    fileprivate mutating func add(_ row: DatabaseReader.Cells) {
        claims += row.number("claims")
        notClean += row.number("not_clean")
        findings += row.number("findings")
        for severity in Severity.allCases { severities[severity, default: 0] += row.number(severity.code) }
    }
}
