import Foundation
import SampleStore
import Testing

/// One receipt from two devices, and one that nobody shares.
struct `The table fraud` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        try export.write(TestExport.receipt(), to: "receipts/a.der")
        try export.write(TestExport.receipt(for: TestExport.otherPhone), to: "receipts/b.der")
        let rows = [
            "file,device_id,account_id", "a.der,\(TestExport.phone.text),anna",
            "a.der,\(TestExport.otherPhone.text),bert",
            "b.der,\(TestExport.otherPhone.text),bert",
        ]
        try export.write(rows.joined(separator: "\n") + "\n", to: "receipts/devices.csv")
    }

    @Test func `has a row for each finding, the worst first`() throws {
        let rows = try export.audit("--report", "fraud=-").rows
        #expect(rows.map { $0["rule"] } == ["shared-receipt", "device-mismatch"])
        #expect(rows.first?["severity"] == "critical")
        #expect(rows.first?["subject"]?.hasPrefix("receipt:") == true)
        #expect(rows.first?["claims"] == "2")
        #expect(rows.first?["devices"] == "2")
        #expect(rows.first?["accounts"] == "2")
        #expect(rows.first?["sources"] == "devices.csv:2;devices.csv:3")
        #expect(rows.last?["subject"] == "source:devices.csv:3")
    }

    @Test func `is joined with the claims that it is about`() throws {
        let rows = try export.audit("--report", "-").rows
        #expect(rows.map { $0["risk"] } == ["critical", "critical", ""])
        #expect(rows.map { $0["rules"] } == ["shared-receipt", "device-mismatch;shared-receipt", ""])
        #expect(rows.map { $0["verdict"] } == ["valid", "invalid", "valid"])
    }

    @Test func `says the same as JSON, as NDJSON and as CSV`() throws {
        let run = try export.audit(
            "--report", "fraud=" + export.path("f.json"), "--report", "fraud=" + export.path("f.ndjson"),
            "--report", "fraud=" + export.path("f.csv"), "--report", export.path("r.json"))
        #expect(run.exitCode == 0)
        let array = try #require(try json("f.json") as? [[String: Any]])
        let lines = try #require(export.text(of: "f.ndjson")).split(separator: "\n").map { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary
        }
        #expect(lines == array.map { $0 as NSDictionary })
        let rows = table(try #require(export.text(of: "f.csv")))
        #expect(array.map { $0["subject"] as? String } == rows.map { $0["subject"] })
        #expect(array.map { $0["devices"] as? Int } == [2, 1])
        #expect(array.allSatisfy { $0["first_seen"] as? String == "2026-06-30T00:00:00Z" })
        let receipts = try #require(try json("r.json") as? [[String: Any]])
        #expect(receipts.map { $0["risk"] as? String } == ["critical", "critical", nil])
        #expect(receipts.map { $0["purchases"] as? Int } == [0, 0, 0])
    }

    @Test(arguments: [("critical", 1), ("low", 1)])
    func `ends the run with 1 if a finding is as bad as asked for`(severity: String, code: Int32) throws {
        let run = try export.audit("--fail-on", severity, "--report", export.path("f.csv"))
        #expect(run.exitCode == code)
        #expect(export.text(of: "f.csv") != nil)
    }

    @Test func `ends it with 0 if none is`() throws {
        try export.write("rules:\n  shared-receipt: off\n", to: "policy.yml")
        #expect(try export.audit("--policy", export.path("policy.yml"), "--fail-on", "high").exitCode == 0)
        #expect(try export.audit("--policy", export.path("policy.yml"), "--fail-on", "medium").exitCode == 1)
    }

    @Test func `leaves out what the policy allows, and the summary counts it`() throws {
        let policy = """
            allow:
              - subject: source:devices.csv:3
                reason: a phone of ours
            """
        try export.write(policy, to: "policy.yml")
        let run = try export.audit("--policy", export.path("policy.yml"), "--report", "-")
        #expect(run.rows.map { $0["rules"] } == ["shared-receipt", "shared-receipt", ""])
        #expect(run.messages.contains("allowed by the policy: 1 finding"))
    }

    @Test func `is not begun with a policy that is wrong`() throws {
        try export.write("rules:\n  shared-receit: off\n", to: "policy.yml")
        let run = try export.audit("--policy", export.path("policy.yml"), "--report", export.path("f.csv"))
        #expect(run.exitCode == 2)
        #expect(run.messages.contains("policy.yml:2:3"))
        #expect(run.messages.contains("shared-receipt"))
        #expect(try export.names(in: ".") == ["policy.yml", "receipts", "root.cer"])
    }

    private func json(_ name: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(try #require(export.text(of: name)).utf8))
    }
}
