import Foundation
import SampleStore
import Testing

/// A company gives its accounts new ids, and its ledger follows.
struct `audit ledger accounts` {
    private let export: TestExport
    private let ids: [String]
    /// In the shared sample: the rows name its files.
    private let rows = "sample/receipts/rows-\(UUID()).csv"

    init() throws {
        export = try TestExport()
        try export.writeSample(count: 240, seed: 11, plantShare: 0.4)
        let claims = table(export.text(of: "sample/receipts/devices.csv") ?? "")
        ids = Set(claims.compactMap { $0["account_id"] }.filter { $0.hasPrefix("account-") }).sorted()
        try export.write(export.text(of: "sample/receipts/devices.csv") ?? "", to: rows)
    }

    private func audit(_ asOf: String, _ more: [String] = []) throws -> AuditProcess {
        try AuditProcess(
            [
                "run", export.path(rows), "--root", export.path("sample/root.cer"), "--as-of",
                asOf, "--report", "fraud=" + export.path("fraud.csv"), "--state", export.path("ledger.db"), "--quiet",
            ] + more)
    }

    private func accounts(_ more: [String] = []) throws -> AuditProcess {
        try AuditProcess(["ledger", "accounts", export.path("map.csv"), "--state", export.path("ledger.db")] + more)
    }

    private func newID(_ old: String) -> String {
        // Others sort first than before.
        let place = ids.firstIndex(of: old) ?? -1
        return "customer-\(100_000 - place)"
    }

    private func writeMap(_ ids: [String], header: String = "account_id,new_account_id") throws {
        try export.write(([header] + ids.map { "\($0),\(newID($0))" }).joined(separator: "\n") + "\n", to: "map.csv")
    }

    /// Gives the accounts of the export their new ids.
    private func migrate() throws {
        let text = try #require(export.text(of: "sample/receipts/devices.csv"))
        let known = Set(ids)
        let rows = text.split(separator: "\r\n").map { row in
            row.split(separator: ",", omittingEmptySubsequences: false)
                .map { known.contains(String($0)) ? newID(String($0)) : String($0) }.joined(separator: ",")
        }
        try export.write(rows.joined(separator: "\r\n") + "\r\n", to: self.rows)
    }

    private var findings: [[String: String]] { table(export.text(of: "fraud.csv") ?? "") }

    /// What stays of findings: everything but ids of accounts, and what is made of them.
    private func stays(_ findings: [[String: String]], renamed: Bool) -> Set<[String]> {
        Set(
            findings.map { row in
                var subject = row["subject"] ?? ""
                if renamed, subject.hasPrefix("account:") { subject = "account:" + newID(String(subject.dropFirst(8))) }
                return [subject]
                    + ["rule", "severity", "claims", "events", "first_seen", "status"].map { row[$0] ?? "" }
            })
    }

    /// Two nights, and a review of a finding about each kind of subject.
    private func begin(_ more: [String] = []) throws -> [[String: String]] {
        let first = try audit("2026-06-28", more)
        try #require(first.exitCode == 0, "\(first.messages)")
        for kind in ["account:", "claim:", "device:", "receipt:"] {
            let row = try #require(findings.first { $0["subject"]?.hasPrefix(kind) == true }, "\(kind)")
            let arguments = ["review", "--state", export.path("ledger.db"), row["finding_id"] ?? "", "--as"]
            let review = try AuditProcess(arguments + [kind == "claim:" ? "fraud" : "watch"])
            try #require(review.exitCode == 0, "\(review.messages)")
        }
        let second = try audit("2026-06-29", more)
        try #require(second.exitCode == 0, "\(second.messages)")
        return findings
    }

    @Test func `takes claims, findings and reviews over, and the next night finds nothing new`() throws {
        let before = try begin()
        try #require(before.count { $0["status"] != "open" } > 3)
        try writeMap(ids + ["nobody"])
        let moved = try accounts()
        let text = "accounts of \(ids.count + 1) have new ids, with "
        #expect(moved.exitCode == 0 && moved.messages.contains(text), "\(moved.messages)")
        try migrate()
        for asOf in ["2026-06-30", "2026-07-01"] {
            let run = try audit(asOf)
            #expect(run.exitCode == 0, "\(run.messages)")
            #expect(findings.allSatisfy { $0["change"] == "persisting" })
            #expect(stays(findings, renamed: false) == stays(before, renamed: true))
            #expect(!findings.contains { row in ids.contains { row["evidence"]?.contains("“\($0)”") == true } })
        }
        #expect(try accounts().exitCode == 2, "nobody has the old ids any more")
    }

    @Test func `takes over what is no longer in the export, and a second time`() throws {
        let before = try begin()
        try writeMap(ids)
        #expect(try accounts().exitCode == 0)
        try export.write(
            (["new,newest"] + ids.map { "\(newID($0)),\($0)-2" }).joined(separator: "\n") + "\n", to: "map.csv")
        #expect(try accounts().exitCode == 0)
        try export.write((["newest,old"] + ids.map { "\($0)-2,\($0)" }).joined(separator: "\n") + "\n", to: "map.csv")
        #expect(try accounts().exitCode == 0)
        let run = try audit("2026-06-30")
        #expect(run.exitCode == 0, "\(run.messages)")
        #expect(findings.allSatisfy { $0["change"] == "persisting" })
        #expect(stays(findings, renamed: false) == stays(before, renamed: false))
    }

    @Test func `takes original ids for a ledger of pseudonyms`() throws {
        try export.write([UInt8](repeating: 7, count: 32), to: "key")
        let key = ["--pseudonymise", export.path("key")]
        let before = try begin(key)
        try writeMap(ids)
        #expect(try accounts().messages.contains("was made with pseudonyms"))
        #expect(try accounts(key).exitCode == 0)
        try migrate()
        let run = try audit("2026-06-30", key)
        #expect(run.exitCode == 0, "\(run.messages)")
        #expect(findings.count == before.count && findings.allSatisfy { $0["change"] == "persisting" })
        #expect(findings.count { $0["status"] != "open" } == before.count { $0["status"] != "open" })
    }

    @Test func `refuses what is not one to one, has no header, or names whom the ledger knows already`() throws {
        _ = try begin()
        let ledger = try Data(contentsOf: URL(filePath: export.path("ledger.db")))
        for (text, message) in [
            ("a,b\n\(ids[0]),x\n\(ids[1]),x\n", "row 3 of"), ("a,b\n\(ids[0]),x\n\(ids[0]),y\n", "must be one to one"),
            ("\(ids[0]),x\n\(ids[1]),y\n", "names an account of the ledger: add a header"),
            ("a,b\n\(ids[0]),\(ids[1])\n", "has claims with one of the new ids"), ("a\n\(ids[0])\n", "two columns"),
            ("a,b\n\(ids[0]),\n", "row 2 of"), ("a,b\nnobody,somebody\n", "has none of the 1 account of"),
        ] {
            try export.write(text, to: "map.csv")
            let refused = try accounts()
            #expect(refused.exitCode == 2 && refused.messages.contains(message), "\(text): \(refused.messages)")
        }
        #expect(try Data(contentsOf: URL(filePath: export.path("ledger.db"))) == ledger)
    }

    @Test func `names the run over the new ids that must be taken back first`() throws {
        let before = try begin()
        try migrate()
        #expect(try audit("2026-06-30").exitCode == 3, "ids were migrated")
        try writeMap(ids)
        let refused = try accounts()
        #expect(refused.exitCode == 2 && refused.messages.contains("audit forget --run 3"), "\(refused.messages)")
        let forgotten = try AuditProcess("forget", "--state", export.path("ledger.db"), "--run", "3")
        #expect(forgotten.exitCode == 0, "\(forgotten.messages)")
        #expect(try accounts().exitCode == 0)
        let run = try audit("2026-06-30")
        #expect(run.exitCode == 0, "\(run.messages)")
        #expect(stays(findings, renamed: false) == stays(before, renamed: true))
    }

    @Test func `keeps no first id of whom a later command forgets`() throws {
        let subjects = try begin().compactMap { $0["subject"] }
        let id = newID(String(try #require(subjects.first { $0.hasPrefix("account:") }).dropFirst(8)))
        try writeMap(ids)
        #expect(try accounts().exitCode == 0)
        #expect(try bytes().contains(id))
        let forgotten = try AuditProcess("forget", "--state", export.path("ledger.db"), "--account", id)
        #expect(forgotten.exitCode == 0, "\(forgotten.messages)")
        #expect(try !bytes().contains(id), "the row with its first id")
    }

    private func bytes() throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: export.path("ledger.db"))), as: UTF8.self)
    }
}
