import Foundation
import Testing

/// The table `entities`, compared with what the tables `links`, `fraud` and `receipts` of the same report say.
struct `The report entities` {
    /// What links and findings say of each account: its score, counts, first presentation and ring.
    private static let accounts = """
        WITH own AS (
            SELECT l.*, c.verdict,
                CASE l.severity WHEN 'critical' THEN 100 WHEN 'high' THEN 30 WHEN 'medium' THEN 10 WHEN 'low' THEN 3
                    ELSE 1 END * CASE f.confidence WHEN 'likely' THEN 10 WHEN 'possible' THEN 5 ELSE 2 END AS tenths
            FROM links AS l JOIN fraud AS f USING (finding_id) JOIN claims AS c USING (claim_id)
            WHERE l.account_id NOTNULL
        ), rules AS (SELECT account_id, max(tenths) AS tenths FROM own GROUP BY account_id, rule
        ), scores AS (SELECT account_id, sum(tenths) / 10.0 AS score FROM rules GROUP BY account_id)
        SELECT account_id, max(score), count(DISTINCT finding_id), count(DISTINCT claim_id),
            count(DISTINCT iif(verdict = 'valid', claim_id, NULL)), count(DISTINCT iif(verdict = 'invalid', claim_id, NULL)),
            count(DISTINCT iif(verdict = 'unreadable', claim_id, NULL)), count(DISTINCT device_id), min(presented_at),
            -- Whose marks are info is in the ring's findings, but no part of it.
            min(iif(rule = 'fraud-ring' AND severity <> 'info', finding_id, NULL))
        FROM own JOIN scores USING (account_id) GROUP BY account_id
        """
    private static let shown = """
        SELECT id, score, findings, claims, valid, invalid, unreadable, devices, first_presented, ring FROM entities
        WHERE kind = 'account'
        """

    @Test func `counts what links of its account say, the highest score first`() throws {
        let run = try SQLiteExport.reported()
        let (counted, shown) = (Self.accounts, Self.shown)
        for difference in ["\(counted)) EXCEPT SELECT * FROM (\(shown)", "\(shown)) EXCEPT SELECT * FROM (\(counted)"] {
            #expect(try run.rows("SELECT * FROM (\(difference))").isEmpty)
        }
        #expect(try run.strings("SELECT id FROM entities WHERE kind = 'account'").count > 20)
        #expect(try !run.strings("SELECT ring FROM entities WHERE kind = 'account' AND ring NOTNULL").isEmpty)
        #expect(try run.rows("SELECT 1 FROM entities WHERE new NOTNULL OR status <> 'open'").isEmpty)
        let scores = "SELECT score, lag(score) OVER (ORDER BY rowid) AS before FROM entities"
        #expect(try run.rows("SELECT 1 FROM (\(scores)) WHERE before < score").isEmpty)
    }

    private static let isGenuine = #"""
        NOT EXISTS (SELECT 1 FROM json_each('["' || replace(coalesce(c.failed_checks, ''), ';', '","') || '"]')
            WHERE value LIKE 'sign%' OR value LIKE 'chain%' OR value LIKE 'malformed-%')
        """#
    private static let kinds = [
        (
            "device",
            "SELECT l.device_id FROM links AS l JOIN claims AS c USING (claim_id) WHERE l.guid = 'match' AND \(isGenuine)"
        ),
        ("receipt", "SELECT receipt_sha256 FROM links WHERE receipt_sha256 NOTNULL"),
        (
            "transaction",
            """
            SELECT substr(subject, 13) FROM fraud WHERE subject LIKE 'transaction:%' UNION
            SELECT original_transaction_id FROM receipts AS c WHERE original_transaction_id NOTNULL
                AND claim_id IN (SELECT claim_id FROM links) AND \(isGenuine)
            """
        ),
    ]

    @Test(arguments: kinds)
    func `has every device that matches, every receipt, and what findings are about`(kind: String, query: String) throws
    {
        let run = try SQLiteExport.reported()
        let found = Set(try run.strings("SELECT id FROM entities WHERE kind = '\(kind)'"))
        #expect(try !found.isEmpty && found == Set(run.strings(query)))
        #expect(try !run.strings("SELECT id FROM entities WHERE kind = 'signer' AND length(id) = 64").isEmpty)
    }

    private func audit(_ run: SQLiteExport, _ folder: String, _ arguments: String...) throws -> [[String: String]] {
        let tables = ["fraud", "entities"].flatMap { ["--report", "\($0)=" + run.export.path("\(folder)/\($0).csv")] }
        try run.audit(tables + arguments)
        return table(run.export.text(of: "\(folder)/entities.csv") ?? "")
    }

    @Test func `says what is new since an earlier report`() throws {
        let run = try SQLiteExport(count: 400)
        _ = try audit(run, "a")
        let same = try audit(run, "b", "--baseline", run.export.path("a/fraud.csv"))
        #expect(same.allSatisfy { $0["new"] == "false" })
        // The earlier report lacks what is found about one account by several rules.
        let earlier = run.export.text(of: "a/fraud.csv") ?? ""
        let gone = try #require(table(earlier).first { $0["rule"] == "fraud-ring" })
        let lines = earlier.split(separator: "\r\n")
        let kept = lines.filter { !$0.contains(gone["finding_id"] ?? "") }
        #expect(kept.count == lines.count - 1)
        try run.export.write(kept.joined(separator: "\r\n") + "\r\n", to: "earlier.csv")
        let compared = try audit(run, "c", "--baseline", run.export.path("earlier.csv"))
        let new = compared.filter { $0["new"] == "true" }
        #expect(!new.isEmpty && new.count < compared.count)
        #expect(new.allSatisfy { $0["ring"] == "" || $0["ring"] == gone["finding_id"] })
        #expect(new.contains { $0["ring"] == gone["finding_id"] })
    }

    @Test func `has the same rows with a ledger, and all old the night after`() throws {
        let run = try SQLiteExport(count: 400)
        let plain = try audit(run, "a").map { row in row.filter { $0.key != "new" } }
        let first = try audit(run, "b", "--state", run.export.path("ledger.db"))
        #expect(first.map { row in row.filter { $0.key != "new" } } == plain)
        #expect(first.allSatisfy { $0["new"] == "true" })
        let next = try audit(run, "c", "--state", run.export.path("ledger.db"), "--as-of", "2026-07-01")
        #expect(next.count == first.count && next.allSatisfy { $0["new"] == "false" })
    }
}
