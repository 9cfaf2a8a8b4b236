import Corpus
import Foundation
import Testing

/// `audit show REPORT SUBJECT --html FILE`.
struct `A case file` {
    /// One report, at which all tests look, with a decision about its first account.
    private static let made = Result {
        let run = try SQLiteExport(count: 300)
        SharedFolders.removeAtExit(run.export.folder.path())
        let state = ["--state", run.export.path("ledger.db")]
        try run.audit("--report", run.export.path("a.sqlite"), state[0], state[1])
        let id = try #require(try run.strings(findingOfAccount).first)
        let review = try AuditProcess(
            ["review", id, "--as", "fraud", "--note", "told <us> & lied", "--by", "anna"] + state)
        try #require(review.exitCode == 0, "\(review.messages)")
        try run.audit("--report", run.export.path("a.sqlite"), state[0], state[1], "--as-of", "2026-07-01")
        return run
    }

    private static let account = "SELECT id FROM entities WHERE kind = 'account' ORDER BY findings DESC, id"
    private static let findingOfAccount = """
        SELECT finding_id FROM entity_findings WHERE kind = 'account' AND id = (\(account) LIMIT 1) ORDER BY finding_id
        """

    private let run: SQLiteExport

    init() throws { run = try Self.made.get() }

    private func page(_ subject: String, in report: String = "a.sqlite", to name: String = "case.html") throws -> String
    {
        let shown = try AuditProcess(["show", run.export.path(report), subject, "--html", run.export.path(name)])
        #expect(shown.exitCode == 0 && shown.output.isEmpty, "\(shown.messages)")
        // The names of cells are only for small screens.
        return try #require(run.export.text(of: name)).replacing(/\ data-name="[^"]*"/, with: "")
    }

    @Test func `has who, when, with whom, findings, money, decisions, claims and how to repeat the run`() throws {
        let id = try #require(try run.strings(Self.account).first)
        let page = try page("account:\(id)")
        for part in [
            "Who", "Timeline", "With whom", "Findings", "Money", "Decisions", "Claims", "What the rules say",
            "How to repeat it",
        ] {
            #expect(page.contains("<h2>\(part)</h2>"), "\(part)")
        }
        #expect(page.contains("When it is wrong.") && page.contains("anna"))
        for column in ["evidence", "subject"] {
            let sql = "SELECT \(column) FROM entity_findings WHERE kind = 'account' AND id = '\(id)'"
            for text in try run.strings(sql) { #expect(page.contains(escaped(text)), "\(text)") }
        }
        let proofs = try run.strings("SELECT receipt_sha256 FROM claims WHERE account_id = '\(id)'")
        #expect(!proofs.isEmpty && proofs.allSatisfy(page.contains))
        let anchors = try run.strings("SELECT value FROM summary WHERE section = 'run' AND item LIKE '%SHA-256%'")
        #expect(anchors.count >= 2 && anchors.allSatisfy(page.contains))
        #expect(page.contains("audit run ") && page.contains("--as-of 2026-07-01T00:00:00Z"))
    }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&#38;").replacing("'", with: "&#39;").replacing("\"", with: "&#34;")
            .replacing("<", with: "&#60;").replacing(">", with: "&#62;")
    }

    /// The sums of what Apple signed for an account's own devices, by the failed checks of its claims.
    private func transactions(of id: String, where condition: String) throws -> Set<String> {
        Set(
            try run.strings(
                """
                SELECT DISTINCT p.transaction_id FROM purchases AS p JOIN claims AS c ON c.claim_id = p.claim_id
                WHERE c.account_id = '\(id)' AND \(condition)
                """))
    }

    @Test func `says of a forged receipt that its signature is invalid, and counts none of its money`() throws {
        let id = try #require(
            try run.strings(
                """
                SELECT c.account_id FROM purchases AS p JOIN claims AS c ON c.claim_id = p.claim_id
                WHERE c.account_id IS NOT NULL GROUP BY c.account_id
                HAVING min(coalesce(instr(c.failed_checks, 'signature-invalid'), 0)) > 0 ORDER BY 1
                """
            ).first)
        let forged = try transactions(of: id, where: "1")
        let page = try page("account:\(id)", to: "forged.html")
        #expect(page.contains("the receipt says, its signature is invalid: purchase of "))
        #expect(!page.contains("Apple signed: purchase of ") && !page.contains("Apple signed for another device"))
        let words = forged.count == 1 ? "1 transaction" : "\(forged.count) transactions"
        #expect(
            page.contains(
                "Purchases of its own that Apple signed: none. Not counted: \(words) that only a receipt with an invalid"
            ))
    }

    @Test func `names the owner of a copied receipt as owner, and counts none of its money for who copied it`() throws {
        let pair = try #require(
            try run.rows(
                """
                SELECT c.account_id AS thief, o.account_id AS owner, c.receipt_sha256 AS receipt FROM claims AS c
                JOIN claims AS o ON o.receipt_sha256 = c.receipt_sha256 AND o.account_id <> c.account_id
                JOIN purchases AS p ON p.claim_id = c.claim_id
                WHERE c.guid = 'mismatch' AND o.guid = 'match' AND o.verdict = 'valid'
                    AND c.failed_checks NOT LIKE '%sign%' AND NOT EXISTS (
                        SELECT 1 FROM claims AS m WHERE m.account_id = c.account_id AND m.guid = 'match')
                ORDER BY 1, 2
                """
            ).first)
        let (thief, owner): (String?, String?) = (pair["thief"], pair["owner"])
        let page = try page("account:\(try #require(thief))", to: "copied.html")
        #expect(page.contains("<tr><td>owner</td><td>account</td><td><code>\(try #require(owner))</code></td>"))
        #expect(
            page.contains("bought by another account: purchase of ") && !page.contains("Apple signed: purchase of "))
        #expect(page.contains("Purchases of its own that Apple signed: none."))
        let own = try self.page("account:\(try #require(owner))", to: "owner.html")
        #expect(!own.contains("<td>owner</td><td>account</td>") && own.contains("Apple signed: purchase of "))
    }

    @Test func `explains its words, has no name of a column, and a link that leads to the findings`() throws {
        let id = try #require(try run.strings(Self.account).first)
        let page = try page("account:\(id)")
        for name in ["at stake at least", "at_stake", "unpriced", "last_presented", "failed_checks"] {
            #expect(!page.contains(name), "\(name)")
        }
        #expect(page.contains("<dt>score</dt><dd>the points of its marks") && page.contains("critical 100, high 30"))
        #expect(
            page.contains("<a class=\"skip\" href=\"#findings\">")
                && page.contains("<section id=\"findings\" tabindex=\"-1\">"))
    }

    @Test func `escapes every text, and needs no script and no network`() throws {
        let id = try #require(try run.strings(Self.account).first)
        let page = try page("account:\(id)")
        #expect(page.contains("told &#60;us&#62; &#38; lied"))
        #expect(page.contains("default-src 'none'; style-src 'sha256-"))
        #expect(!page.contains("<script") && !page.contains("http://") && !page.contains("https://"))
        #expect(page.contains("@page"))
    }

    @Test(arguments: ["device", "transaction", "receipt", "signer"])
    func `is made of any subject`(kind: String) throws {
        let sql = "SELECT id FROM entities WHERE kind = '\(kind)' ORDER BY score DESC"
        let id = try #require(try run.strings(sql).first)
        #expect(try page("\(kind):\(id)", to: "\(kind).html").contains("Case file: <code>\(kind) \(id)"))
    }

    @Test func `says of an account without findings that none concerns it`() throws {
        let id = try #require(
            try run.strings(
                """
                SELECT account_id FROM claims WHERE account_id IS NOT NULL
                EXCEPT SELECT id FROM entities WHERE kind = 'account' ORDER BY 1
                """
            ).first)
        #expect(try page("account:\(id)", to: "clean.html").contains("No finding concerns it."))
    }

    @Test func `shows an id that looks like markup as it is`() throws {
        let path = run.export.path("hostile.sqlite")
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: run.export.path("a.sqlite"), toPath: path)
        let id = "<img src=x onerror=alert(1)>\"&\u{202e}"
        try run.change(
            path,
            """
            INSERT INTO claims(claim_id, receipts, account_id, device_id, source, receipt_sha256, presented_at)
            VALUES('\(id)', 1, '\(id)', '\(id)', '\(id)', '\(id)', '\(id)')
            """)
        let page = try page("account:\(id)", in: "hostile.sqlite", to: "hostile.html")
        #expect(page.contains("account &#60;img src=x onerror=alert(1)&#62;&#34;&#38;\\u{202e}"))
        #expect(!page.contains("<img") && !page.contains("\u{202e}"))
    }

    @Test func `says what it leaves out of a subject with very many claims`() throws {
        let path = run.export.path("many.sqlite")
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: run.export.path("a.sqlite"), toPath: path)
        let id = try #require(try run.strings(Self.account).first)
        try run.change(
            path,
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
            INSERT INTO claims(claim_id, receipts, account_id, presented_at, receipt_sha256)
            SELECT printf('%024x', i), 1, '\(id)', printf('2020-01-01T%02d:%02d:00Z', i / 60 % 24, i % 60), printf('%064x', i)
            FROM n
            """)
        let page = try page("account:\(id)", in: "many.sqlite", to: "many.html")
        #expect(page.contains("Left out here: 19,5") && page.utf8.count < 1_000_000)
    }

    @Test func `takes the place of no report that it reads`() throws {
        let report = run.export.path("a.sqlite")
        let id = try #require(try run.strings(Self.account).first)
        let link = run.export.path("link.html")
        try? FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: report)
        for path in [report, link] {
            let shown = try AuditProcess(["show", report, "account:\(id)", "--html", path])
            #expect(shown.exitCode == 64 && shown.messages.contains("would replace"), "\(shown.messages)")
        }
        #expect(try AuditProcess(["show", report, "account:\(id)"]).exitCode == 0)
    }

    @Test func `is not written if there is nothing of the name`() throws {
        let file = run.export.path("nobody.html")
        let shown = try AuditProcess(["show", run.export.path("a.sqlite"), "account:nobody", "--html", file])
        #expect(shown.exitCode == 2 && !FileManager.default.fileExists(atPath: file))
    }

    @Test func `shows decisions on the terminal, too`() throws {
        let id = try #require(try run.strings(Self.account).first)
        let shown = try AuditProcess(["show", run.export.path("a.sqlite"), "account:\(id)"])
        #expect(shown.output.contains("Decisions (1)") && shown.output.contains("by anna: told <us> & lied"))
    }
}
