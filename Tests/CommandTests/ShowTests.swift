import Foundation
import Testing

/// `audit show` on a report of a sample, each by what the report says in SQL.
struct `audit show` {
    private let run: SQLiteExport

    init() throws { run = try SQLiteExport.reported(count: 500) }

    private func show(_ subject: String, _ arguments: String...) throws -> AuditProcess {
        try AuditProcess(["show", run.export.path("a.sqlite"), subject] + arguments)
    }

    private func json(_ subject: String) throws -> [String: Any] {
        let shown = try show(subject, "--json")
        #expect(shown.exitCode == 0, "\(shown.messages)")
        return try #require(try JSONSerialization.jsonObject(with: Data(shown.output.utf8)) as? [String: Any])
    }

    private func list(_ name: String, of shown: [String: Any]) -> (total: Int, rows: [[String: Any]]) {
        let list = shown[name] as? [String: Any]
        return (list?["total"] as? Int ?? -1, list?["rows"] as? [[String: Any]] ?? [])
    }

    private func first(_ sql: String) throws -> String { try #require(try run.strings(sql).first) }

    @Test(arguments: ["account", "device", "transaction", "receipt", "signer"])
    func `shows an entity with its findings and claims`(kind: String) throws {
        let id = try first("SELECT id FROM entities WHERE kind = '\(kind)' ORDER BY score DESC, findings DESC, id")
        let shown = try json("\(kind):\(id)")
        let subject = shown["subject"] as? [String: String]
        #expect(subject == ["kind": kind, "id": id])
        let row = try #require(try run.rows("SELECT * FROM entities WHERE kind = '\(kind)' AND id = '\(id)'").first)
        let facts = shown["facts"] as? [String: Any]
        #expect(facts?["score"] as? Double == row["score"] && facts?["worst"] as? String == row["worst"])
        let findings = list("findings", of: shown)
        #expect(findings.total == row["findings"])
        let marks = try run.rows("SELECT * FROM entity_findings WHERE kind = '\(kind)' AND id = '\(id)'")
        #expect(marks.count == findings.total)
        for finding in findings.rows {
            let known = marks.first { $0["finding_id"] == finding["finding_id"] as? String }
            #expect(
                known?["mark"] == finding["mark"] as? String && known?["evidence"] == finding["evidence"] as? String)
        }
        let claims = list("claims", of: shown)
        #expect(claims.total >= row["claims"] ?? .max && claims.rows.count == min(claims.total, 20))
        let text = try show("\(kind):\(id)").output
        #expect(text.hasPrefix("\(kind) \(id)") && text.contains("Findings (\(findings.total))"))
        #expect(text.contains("What to do") && text.contains("Claims (\(claims.total))"))
    }

    @Test func `knows a device in every form in which rows write it`() throws {
        let id = try first(
            "SELECT id FROM entities WHERE kind = 'device' AND length(id) = 36 ORDER BY score DESC, findings DESC, id")
        let form = id.lowercased().replacing("-", with: "")
        for subject in ["device:\(id.lowercased())", "device:\(form)", form] {
            let shown = try json(subject)
            #expect(shown["subject"] as? [String: String] == ["kind": "device", "id": id])
            #expect(list("claims", of: shown).total > 0)
        }
        let others = try run.strings("SELECT DISTINCT device_id FROM claims WHERE length(device_id) = 36")
        #expect(others.allSatisfy { $0 == $0.uppercased() })
    }

    @Test func `lists under others neither the account nor the device of the claim`() throws {
        let id = try first(
            "SELECT claim_id FROM links JOIN fraud USING (finding_id) WHERE fraud.rule = 'shared-receipt'")
        let row = try #require(try run.rows("SELECT account_id, device_id FROM claims WHERE claim_id = '\(id)'").first)
        let others = list("others", of: try json("claim:\(id)")).rows.compactMap { $0["id"] as? String }
        #expect(!others.isEmpty && !others.contains { $0 == row["account_id"] || $0 == row["device_id"] })
    }

    @Test func `shows a finding with what it says of each claim`() throws {
        let row = try #require(
            try run.rows("SELECT * FROM fraud WHERE rule = 'shared-receipt' ORDER BY claims DESC, finding_id").first)
        let id: String = try #require(row["finding_id"])
        for subject in ["finding:\(id)", id] {
            let shown = try json(subject)
            #expect((shown["facts"] as? [String: Any])?["evidence"] as? String == row["evidence"])
            #expect(list("claims", of: shown).total == row["claims"])
            #expect(list("others", of: shown).rows.contains { $0["kind"] as? String == "device" })
            let rules = shown["rules"] as? [[String: String]]
            #expect(rules?.count == 1 && rules?[0]["rule"] == "shared-receipt" && rules?[0]["what_to_do"] != "")
        }
    }

    @Test func `shows a claim with its purchases and all that others have in common with it`() throws {
        let id = try first(
            """
            SELECT claim_id FROM finding_claims WHERE claim_id IN (SELECT claim_id FROM purchases WHERE price > 0)
            GROUP BY claim_id ORDER BY count(*) DESC, claim_id
            """)
        let shown = try json("claim:\(id)")
        #expect((shown["facts"] as? [String: Any])?["claim_id"] as? String == id)
        #expect(list("claims", of: shown).total == 1)
        let findings = try run.strings("SELECT finding_id FROM links WHERE claim_id = '\(id)'")
        #expect(Set(list("findings", of: shown).rows.compactMap { $0["finding_id"] as? String }) == Set(findings))
        let transactions = try run.strings("SELECT DISTINCT transaction_id FROM purchases WHERE claim_id = '\(id)'")
        #expect(list("purchases", of: shown).total == transactions.count)
    }

    @Test func `shows an account without findings, too`() throws {
        let id = try first(
            """
            SELECT account_id FROM claims WHERE account_id IS NOT NULL
            EXCEPT SELECT id FROM entities WHERE kind = 'account' ORDER BY 1
            """)
        let text = try show("account:\(id)").output
        #expect(text.contains("No finding concerns it.") && text.contains("Claims (") && !text.contains("Findings ("))
    }

    @Test func `says in text what all of its purchases cost, and how much was refunded`() throws {
        let id = try first(
            """
            SELECT claim_id FROM purchases WHERE verdict = 'valid' AND currency NOT IN ('JPY', 'KWD')
            GROUP BY claim_id HAVING count(DISTINCT transaction_id) = count(*) AND count(*) > 1
                AND count(price) = count(*) AND count(DISTINCT currency) = 1 AND count(refunded_at) = 1
            ORDER BY claim_id
            """)
        let sums = """
            SELECT count(*) AS count, sum(price) AS paid, sum(iif(refunded_at IS NULL, 0, price)) AS refunded FROM purchases
            WHERE claim_id = '\(id)'
            """
        let row = try #require(try run.rows(sums).first)
        let words = try show("claim:\(id)").output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let pattern =
            /that Apple signed: ([\d.]+) [A-Z]{3} in (\d+) transactions, including ([\d.]+) [A-Z]{3} in 1 refund\. Prices/
        let shown = try #require(words.firstMatch(of: pattern)?.output, "\(words)")
        let (count, paid, refunded): (Int?, Double?, Double?) = (row["count"], row["paid"], row["refunded"])
        #expect(Int(shown.2) == count)
        #expect(abs((Double(shown.1) ?? 0) - (paid ?? 1)) < 1e-6)
        #expect(abs((Double(shown.3) ?? 0) - (refunded ?? 1)) < 1e-6)
    }

    @Test func `has no line that is longer than a line, but for one word`() throws {
        let id = try first("SELECT id FROM entities WHERE kind = 'account' ORDER BY findings DESC, id")
        let lines = try show(id).output.split(separator: "\n")
        #expect(lines.count > 10)
        for line in lines where line.count > 100 {
            #expect(line.drop { $0 == " " }.split(separator: " ").count <= 2, "\(line)")
        }
    }

    @Test func `says so if there is nothing of that name, or more than one thing`() throws {
        for subject in ["nobody", "account:nobody", "finding:0", "claim:' OR 1=1 --", ""] {
            let shown = try show(subject)
            #expect(shown.exitCode == 2 && shown.messages.contains("has nothing about"), "\(shown.messages)")
        }
        // What is an account's id and a transaction's.
        let copy = run.export.folder.appending(path: "copy.sqlite").path()
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: run.export.path("a.sqlite"), toPath: copy)
        let transaction = try first("SELECT transaction_id FROM purchases")
        try run.change(
            copy, "UPDATE claims SET account_id = '\(transaction)' WHERE claim_id = (SELECT min(claim_id) FROM claims)")
        let shown = try AuditProcess("show", copy, transaction)
        #expect(shown.exitCode == 2)
        #expect(shown.messages.contains("account:\(transaction), transaction:\(transaction)"), "\(shown.messages)")
    }

    @Test func `escapes what a terminal would obey`() throws {
        let copy = run.export.folder.appending(path: "hostile.sqlite").path()
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: run.export.path("a.sqlite"), toPath: copy)
        let id = try first("SELECT finding_id FROM fraud")
        try run.change(copy, "UPDATE fraud SET evidence = 'a' || char(27) || '[31m', subject = char(0x202e)")
        for arguments in [[], ["--json"]] {
            let shown = try AuditProcess(["show", copy, "finding:\(id)"] + arguments)
            #expect(shown.exitCode == 0)
            #expect(!shown.output.unicodeScalars.contains { $0 == "\u{1b}" || $0 == "\u{202e}" })
        }
    }

    @Test func `refuses what is no report in SQLite`() throws {
        try run.export.write("severity,rule\r\n", to: "fraud.csv")
        for name in ["fraud.csv", "none.sqlite", "sample/receipts"] {
            let shown = try AuditProcess("show", run.export.path(name), "account:a")
            #expect(shown.exitCode == 2 && !shown.messages.isEmpty)
        }
        #expect(run.export.text(of: "none.sqlite") == nil)
        try run.export.write("", to: "other.sqlite")
        try run.change(run.export.path("other.sqlite"), "CREATE TABLE a(b)")
        let other = try AuditProcess("show", run.export.path("other.sqlite"), "account:a")
        #expect(other.exitCode == 2 && other.messages.contains("it is not a SQLite report of audit"))
    }
}
