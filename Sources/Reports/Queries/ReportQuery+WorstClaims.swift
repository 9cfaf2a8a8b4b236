import SQLite

extension ReportQuery {
    static let worstClaims = ReportQuery(
        name: "worst_claims", meaning: "The claims with findings or failures, the worst first.",
        columns: [("place", "INTEGER", "its place; 1 is the worst")], tables: [("r", "receipts")],
        sql: """
            SELECT row_number() OVER (
                    ORDER BY coalesce(s.rank, -1) DESC, r.verdict = 'invalid' DESC, r.verdict = 'unreadable' DESC, r.rowid
                ) AS place, r.*
            FROM receipts AS r LEFT JOIN severities AS s ON s.severity = r.risk
            WHERE r.verdict <> 'valid' OR r.risk IS NOT NULL ORDER BY place
            """)
}

/// A claim as shown on a page. Untrusted text is truncated, and its control characters are shown.
struct PageClaim {
    let source: String
    let verdict: String
    let failedChecks: String
    /// The highest severity; empty without findings.
    let risk: String
    let rules: String
    let device: String
    let account: String
    let app: String
    let presentedAt: String
    let id: String

    /// The maximum number of claims on a page, and the minimum number for each rule and each check.
    static let maxShown = 1000
    fileprivate static let share = 5

    fileprivate init(_ row: DatabaseReader.Cells) {
        source = row.safe("source")
        verdict = row.text("verdict")
        failedChecks = row.text("failed_checks")
        risk = row.text("risk")
        rules = row.text("rules")
        device = row.safe("device_id")
        account = row.safe("account_id")
        app = row.safe(row.isNull("bundle_id") ? "claimed_bundle_id" : "bundle_id")
        presentedAt = row.text("presented_at")
        id = row.text("claim_id")
    }
}

extension StoredReport {
    /// Returns the worst claims of a page.
    func worstClaims(_ max: Int = PageClaim.maxShown) throws -> [PageClaim] {
        var claims: [PageClaim] = []
        try forEachWorstClaim(max) { claims.append(PageClaim($0)) }
        return claims
    }

    /// Visits the worst claims, some of every rule and check among them, the worst first: rows of the table `receipts`.
    func forEachWorstClaim(_ max: Int, _ body: (DatabaseReader.Cells) throws -> Void) throws {
        try reader.forEachRow(
            """
            WITH bad AS MATERIALIZED (
                SELECT place, trim(coalesce(failed_checks, '') || ';' || coalesce(rules, ''), ';') AS names, claim_id
                FROM worst_claims),
            named AS (
                SELECT bad.place, row_number() OVER (PARTITION BY name.value ORDER BY bad.place) AS number
                FROM bad, json_each('[' || replace(json_quote(bad.names), ';', '","') || ']') AS name),
            sure AS MATERIALIZED (SELECT DISTINCT place FROM named WHERE number <= \(PageClaim.share)),
            shown AS (
                SELECT place FROM bad ORDER BY place IN (SELECT place FROM sure) DESC, place
                LIMIT max(\(max), (SELECT count(*) FROM sure)))
            SELECT * FROM worst_claims WHERE place IN (SELECT place FROM shown) ORDER BY place
            """
        ) { try body($0) }
    }
}
