import Foundation
import SampleStore
import Testing

/// What a policy says that no row of a claim or a finding shows.
struct `The summary of a run with a policy` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        var lines = ""
        for (version, device) in [("1", TestExport.otherPhone), ("1", TestExport.phone), ("9", TestExport.phone)] {
            var content = ReceiptContent(
                bundleID: "com.example.notes", device: TestExport.phone, createdAt: .utc(2026, 3, 1))
            content.appVersion = version
            let receipt = Data(try TestExport.receipt(content)).base64EncodedString()
            lines += "{\"receipt_data\":\"\(receipt)\",\"device_id\":\"\(device.text)\"}\n"
        }
        try export.write(lines, to: "export.ndjson")
        let first = try AuditProcess(
            ["run", "export.ndjson", "--report", "-", "--root", export.root, "--as-of", "2026-06-30"],
            in: export.folder)
        let claim = try #require(first.rows.first?["case_id"])
        try export.write(
            """
            version: 1
            apps: {com.example.notes: {versions: ["1"]}}
            allow:
            - {subject: "claim:\(claim)", reason: our own phone, rules: [device-mismatch]}
            - {subject: "account:nobody", reason: nobody has this account}
            - {subject: "claim:\(claim)", reason: it is over, until: 2020-01-01}
            """, to: "policy.yml")
    }

    private var options: [String] { ["--root", export.root, "--policy", "policy.yml", "--as-of", "2026-06-30"] }

    private func summary() throws -> String {
        let run = try AuditProcess(
            ["run", "export.ndjson", "--report", "summary=-"] + options, in: export.folder)
        try #require(run.exitCode == 0, "\(run.messages)")
        return run.output
    }

    @Test func `counts genuine receipts of versions that the policy does not list, by app`() throws {
        let rows = table(try summary()).filter { $0["section"] == "other_versions" }
        #expect(rows.map { $0["item"] } == ["com.example.notes", "com.example.notes", "com.example.notes"])
        #expect(rows.map { $0["measure"] } == ["claims", "valid", "invalid"])
        #expect(rows.map { $0["value"] } == ["1", "1", "0"])
    }

    @Test func `counts entries of the allow list that hid findings, that hid none, and that have ended`() throws {
        let rows = table(try summary()).filter { $0["section"] == "allow_list" }
        #expect(rows.map { $0["item"] } == ["used", "unused", "ended"])
        #expect(rows.map { $0["value"] } == ["1", "1", "1"])
    }

    @Test func `says the same of shards`() throws {
        let sharded = try AuditProcess(
            script: ShardExport.script, ["-s", "2", "-o", "got", "export.ndjson", "--"] + options,
            environment: ["AUDIT": AuditProcess.path], in: export.folder)
        try #require(sharded.exitCode == 0, "\(sharded.messages)")
        #expect(export.text(of: "got/summary.csv") == (try summary()))
    }

    @Test func `says the same of a run with a ledger`() throws {
        for _ in 0..<2 {
            let run = try AuditProcess(
                ["run", "export.ndjson", "--report", "summary=summary.csv", "--state", "ledger.db"] + options,
                in: export.folder)
            try #require(run.exitCode == 0, "\(run.messages)")
            #expect(export.text(of: "summary.csv") == (try summary()))
        }
    }
}
