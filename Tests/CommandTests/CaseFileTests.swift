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
        return try #require(run.export.text(of: name))
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
