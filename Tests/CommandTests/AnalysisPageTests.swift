import Foundation
import Testing

/// The SQL of docs/analysis.md, on a report of a sample.
struct `The page on analysis` {
    /// Each query, with whether it may find nothing.
    private static func queries() throws -> [(sql: String, mayBeEmpty: Bool)] {
        let page = URL(filePath: #filePath).appending(path: "../../../docs/analysis.md").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        return text.components(separatedBy: "```sql").dropFirst().map { part in
            let lines = part.components(separatedBy: "\n```")[0].split(separator: "\n", maxSplits: 1)
            let isMarked = part.hasPrefix(" empty")
            return (String(isMarked ? lines[1] : Substring(lines.joined(separator: "\n"))), isMarked)
        }
    }

    @Test func `has queries that find something in a sample`() throws {
        let run = try SQLiteExport.reported(count: 600)
        let queries = try Self.queries()
        #expect(queries.count >= 20)
        for query in queries {
            let rows = try run.rows(query.sql)
            #expect(!rows.isEmpty || query.mayBeEmpty, "\(query.sql)")
        }
    }

    @Test func `counts each refund once, whichever proof shows it`() throws {
        let run = try SQLiteExport(count: 60)
        try run.audit("--report", run.export.path("a.sqlite"))
        let claims = try run.strings(
            "SELECT claim_id FROM claims WHERE failed_checks IS NULL AND kind = 'app-receipt' LIMIT 2")
        let forged = try #require(
            try run.strings("SELECT claim_id FROM claims WHERE failed_checks LIKE '%signature-invalid%'").first)
        var sql = "DELETE FROM purchases; DELETE FROM evidence;"
        sql += "UPDATE claims SET presented_at = '2026-05-02T00:00:00Z';"
        sql += "UPDATE receipts SET created_at = '2026-04-01T00:00:00Z';"
        let buy = { (claim: String, transaction: String, refund: String, price: String, more: String) in
            """
            INSERT INTO purchases(claim_id, transaction_id, original_transaction_id, product_id, purchased_at,
                refunded_at, price, currency, revocation)
            VALUES('\(claim)', '\(transaction)', 'o', 'p', '2026-01-01T00:00:00Z', \(refund), \(price), \(more));
            """
        }
        let (may, never) = ("'2026-05-01T00:00:00Z'", "NULL")
        // Shown by two rows and two currencies; by evidence alone; reversed; forged; of a family.
        for (claim, currency) in zip(claims, ["EUR", "USD"]) {
            sql += buy(claim, "twice", may, "5", "'\(currency)', 'refund'")
        }
        sql += buy(claims[0], "twice", may, "5", "'EUR', 'refund'")
        sql += buy(claims[0], "told", never, "7", "'USD', NULL")
        sql += buy(claims[0], "reversed", never, "11", "'USD', NULL")
        sql += buy(forged, "forged", may, "13", "'USD', 'refund'")
        sql += buy(claims[0], "family", may, "17", "'USD', 'access-end'")
        for (transaction, signed, revoked) in [
            ("told", "2026-05-01", may), ("reversed", "2026-05-01", may), ("reversed", "2026-05-02", never),
            ("absent", "2026-05-01", may),
        ] {
            sql += """
                INSERT INTO evidence(transaction_id, kind, verdict, signed_at, revoked_at, revocation)
                VALUES('\(transaction)', 'transaction', 'valid', '\(signed)T12:00:00Z', \(revoked),
                    iif(\(revoked) IS NULL, NULL, 'refund'));
                """
        }
        try run.change(run.export.path("a.sqlite"), sql)
        let queries = try Self.queries().map(\.sql)
        let refunds = try run.rows("SELECT transaction_id, shown_by FROM refunds").map { row in
            row.cells.map { $0.value.text ?? "" }
        }
        #expect(Set(refunds) == [["twice", "purchase"], ["told", "evidence"], ["absent", "evidence"]])
        let amounts = try #require(queries.first { $0.contains("AS amount FROM refunds") })
        let worth = try run.rows(amounts).map { row in row.cells.map { "\($0.value)" } }
        #expect(worth.map(\.count) == [3, 3, 3] && worth.map { $0[1] } == ["number(1)", "number(1)", "number(1)"])
        #expect(worth[0][0] == "null" && worth[1][2] == "real(5.0)" && worth[2][2] == "real(7.0)")
    }
}
