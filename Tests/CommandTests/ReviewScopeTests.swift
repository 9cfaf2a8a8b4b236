import Foundation
import Testing

/// An analyst decides about a subject or a ring, and money and rankings follow.
struct `A review of more than one finding` {
    private let export: TestExport

    init() throws {
        export = try TestExport(beginning: "scope") { export in
            try export.writeSample(count: 300, seed: 23, plantShare: 0.4)
            #expect(try Self.audit(export).exitCode == 0)
        }
    }

    private var state: [String] { ["--state", export.path("ledger.db")] }

    @discardableResult
    private func audit(asOf: String = "2026-06-30", _ more: String...) throws -> AuditProcess {
        try Self.audit(export, asOf: asOf, more)
    }

    private static func audit(
        _ export: TestExport, asOf: String = "2026-06-30", _ more: [String] = []
    ) throws -> AuditProcess {
        try AuditProcess(
            [
                "run", export.path("sample/receipts"), "--root", export.path("sample/root.cer"), "--policy",
                export.path("sample/policy.yml"), "--as-of", asOf, "--quiet", "--report",
                "fraud=" + export.path("fraud.csv"), "--report", "entities=" + export.path("entities.csv"), "--report",
                "rule_quality=" + export.path("rules.csv"), "--report", export.path("page.html"), "--report",
                export.path("page.md"), "--report", "links=" + export.path("links.csv"), "--state",
                export.path("ledger.db"),
            ] + more)
    }

    private func review(_ arguments: String...) throws -> AuditProcess {
        try AuditProcess(["review"] + state + arguments + ["--by", "anna"])
    }

    private func rows(_ name: String) -> [[String: String]] { table(export.text(of: name) ?? "") }

    private var ring: [String: String] {
        get throws { try #require(rows("fraud.csv").first { $0["rule"] == "fraud-ring" }) }
    }

    private func closed(_ status: String = "ok") -> [[String: String]] {
        rows("fraud.csv").filter { $0["status"] == status }
    }

    private func entity(_ subject: String) throws -> [String: String] {
        try #require(rows("entities.csv").first { "\($0["kind"] ?? ""):\($0["id"] ?? "")" == subject })
    }

    @Test func `of a ring's finding is about the findings that it joins, too`() throws {
        let ring = try ring
        let before = try entity(try #require(ring["subject"]))
        let id = try #require(ring["finding_id"])
        let run = try review(id, "--as", "ok", "--note", "one department")
        #expect(run.exitCode == 0, "\(run.messages)")
        try audit(asOf: "2026-07-01")
        let cleared = closed()
        #expect(cleared.count > 1)
        #expect(
            run.messages.contains(
                "recorded reviews of \(cleared.count + 1) findings: the ring and the \(cleared.count) findings that it "
                    + "joins"))
        // What is closed joins no ring.
        #expect(try self.ring["change"] == "resolved")
        let after = try entity(try #require(ring["subject"]))
        #expect(Double(after["score"] ?? "") ?? .infinity < Double(before["score"] ?? "") ?? 0)
        // What is confirmed comes back into the money, the rankings and the ring, and stays out of the queue.
        for finding in cleared {
            let override = try review(try #require(finding["finding_id"]), "--as", "fraud")
            #expect(override.messages.contains("overrides ok of 1 finding, decided by anna at "))
            #expect(override.messages.contains(": one department"))
        }
        try audit(asOf: "2026-07-02")
        #expect(closed("fraud").count == cleared.count)
        #expect(try self.ring["finding_id"] == id)
    }

    @Test func `of an account is about its claims, and leaves what others are part of`() throws {
        let found = try #require(
            rows("fraud.csv").first { $0["rule"] == "device-mismatch" && $0["account_id"] != "" })
        let account = "account:" + (found["account_id"] ?? "")
        let run = try review(account, "--as", "ok")
        #expect(run.exitCode == 0, "\(run.messages)")
        try audit(asOf: "2026-07-01")
        let cleared = closed()
        #expect(cleared.contains { $0["finding_id"] == found["finding_id"] })
        #expect(cleared.allSatisfy { $0["account_id"] == found["account_id"] || $0["subject"] == account })
        let others = rows("links.csv").filter { "account:\($0["account_id"] ?? "")" != account }
            .map { $0["finding_id"] }
        #expect(cleared.allSatisfy { !others.contains($0["finding_id"]) || $0["subject"] == account })
        #expect(run.messages.hasPrefix("recorded"))
    }

    @Test func `of a device says nothing of claims that only name it`() throws {
        let found = try #require(rows("fraud.csv").first { $0["rule"] == "device-mismatch" })
        let link = try #require(rows("links.csv").first { $0["finding_id"] == found["finding_id"] })
        let device = "device:" + (link["device_id"] ?? "")
        let run = try review(device, "--as", "ok")
        #expect(run.exitCode == 0 || run.messages.contains("has no finding of \(device)"), "\(run.messages)")
        try audit(asOf: "2026-07-01")
        #expect(!closed().contains { $0["finding_id"] == found["finding_id"] })
    }

    @Test func `shows the decision with its note and who made it on pages, and takes it out of the headline`() throws {
        let stake = {
            let page = self.export.text(of: "page.md")
            return try #require(page?.firstMatch(of: /At stake in critical and high[^:]*:/)?.output)
        }
        let before = try stake()
        let paid = try #require(
            rows("fraud.csv").first { $0["rule"] == "refunded-purchase" && $0["at_stake"] != "" })
        #expect(
            try review(try #require(paid["finding_id"]), "--as", "ok", "--note", "a <b>gift</b>").exitCode == 0)
        try audit(asOf: "2026-07-01")
        let after = try stake()
        #expect(after != before && after.contains("without those that reviews cleared"))
        let page = try #require(export.text(of: "page.html"))
        #expect(page.contains("a &#60;b&#62;gift&#60;/b&#62;") && page.contains("anna"))
        #expect(page.contains("How often it was right."))
        let markdown = try #require(export.text(of: "page.md"))
        #expect(markdown.contains("### Decisions") && markdown.contains("`anna`"))
        let rule = try #require(rows("rules.csv").first { $0["rule"] == "refunded-purchase" })
        #expect((rule["reviewed"], rule["ok"], rule["confirmed"], rule["high"]) == ("1", "1", "0", "0.793"))
        let history = try AuditProcess(["history", "--rules"] + state).output
        #expect(history.contains(/refunded-purchase +[0-9]+ +1 +0 +1 +0 +0\.0 % +0\.0 % to 79\.3 %/))
    }

    @Test func `is written by rule for every rule, and empty without a ledger`() throws {
        let rules = rows("rules.csv")
        #expect(rules.count > 20 && rules.allSatisfy { $0["reviewed"] == "0" && $0["confirmed"] == "" })
        let file = export.path("none.csv")
        let run = try AuditProcess([
            "run", export.path("sample/receipts"), "--as-of", "2026-06-30", "--quiet", "--report",
            "rule_quality=" + file,
        ])
        #expect(run.exitCode == 0, "\(run.messages)")
        #expect(export.text(of: "none.csv")?.split(separator: "\r\n").count == 1)
    }
}
