import Foundation
import SampleStore
import Testing

struct `The log of a run` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        try export.write(TestExport.receipt(), to: "receipts/a.der")
        try export.write(
            "file,device_id,account_id\na.der,\(TestExport.phone.text),alice\n", to: "receipts/devices.csv")
    }

    private func objects(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test func `is a JSON object a line if that was asked for`() throws {
        let run = try export.audit("--log-format", "json", "--report", export.path("out.csv"))
        #expect(run.exitCode == 0)
        let end = try #require(try objects(run.messages).last)
        #expect(end["level"] as? String == "info")
        #expect(end["message"] as? String == "finished")
        #expect(end["claims"] as? Int == 1)
        #expect((end["verdicts"] as? [String: Int])?["valid"] == 1)
        #expect((end["findings"] as? [String: Int])?["critical"] == 0)
        #expect((end["seconds"] as? Double).map { $0 >= 0 } == true)
        #expect(end["reports"] as? [String] == [export.path("out.csv")])
        #expect((end["time"] as? String)?.count == 20)
    }

    @Test func `tells an error as JSON too`() throws {
        let run = try export.audit("--log-format", "json", "--policy", export.path("no\nwhere.yml"))
        #expect(run.exitCode == 2)
        let end = try #require(try objects(run.messages).last)
        #expect(end["level"] as? String == "error")
        #expect((end["message"] as? String)?.contains("No such file or directory") == true)
    }

    @Test(arguments: ["text", "json"])
    func `holds no device and no account`(format: String) throws {
        let run = try export.audit("--log-format", format, "--report", export.path("out.csv"))
        #expect(!run.messages.isEmpty)
        #expect(!run.messages.contains(TestExport.phone.text) && !run.messages.contains("alice"))
    }

    @Test(arguments: ["text", "json"])
    func `is empty if the run is quiet and well`(format: String) throws {
        #expect(try export.audit("--log-format", format, "--quiet").messages == "")
    }

    @Test(arguments: ["text", "json"])
    func `warns of dates that cannot be read, quiet or not, and checks the claims`(format: String) throws {
        try export.write(
            "file,presented_at\na.der,soon\na.der,2026-06-01\na.der,30.4.2025\na.der,2026-06-02\n",
            to: "receipts/devices.csv")
        // What the last night had, too, is told once.
        for lines in [1, 0] {
            let run = try export.audit(
                "--log-format", format, "--quiet", "--report", "summary=" + export.path("s.csv"), "--state",
                export.path("ledger.db"))
            #expect(run.exitCode == 0)
            let isTold = run.messages.contains("presented_at of 2 rows cannot be read and is left out")
            #expect(isTold == (lines == 1))
            #expect(run.messages.split(separator: "\n").count == lines)
            #expect(export.text(of: "s.csv")?.contains("presented_at that cannot be read,count,2") == true)
        }
    }

    @Test func `ends with 3 for dates that cannot be read in most rows, and shows their shape`() throws {
        try export.write("file,presented_at\na.der,soon\na.der,30.4.2025 9:12\n", to: "receipts/devices.csv")
        let run = try export.audit("--quiet")
        #expect(run.exitCode == 3)
        #expect(run.messages.contains("(such as “99.9.9999 9:99”, “aaaa”)"), "\(run.messages)")
        #expect(run.messages.contains("presented_at is no date in 2 of 2 claims"), "\(run.messages)")
    }

    @Test func `ends with 3 where nothing says who presented proofs, and a key does that is not read`() throws {
        let line = #"{"file":"a.der","user":{"id":"ann"},"device":{"vendor":"\#(TestExport.phone.text)"},"at":"x"}"#
        try export.write(line, to: "receipts/claims.ndjson")
        let run = try AuditProcess([
            "run", export.path("receipts/claims.ndjson"), "--root", export.root, "--as-of", "2026-06-30", "--quiet",
        ])
        #expect(run.exitCode == 3, "\(run.messages)")
        #expect(run.messages.contains("{device_id: .device.vendor, account_id: .user.id}"), "\(run.messages)")
    }

    @Test(arguments: ["text", "json"])
    func `warns of an input that is damaged`(format: String) throws {
        let export = try TestExport()
        try export.write("file,account_id,product_id\na.der,\"x,\na.der,,\n", to: "t.csv")
        let run = try AuditProcess(
            "run", export.path("t.csv"), "--root", export.root, "--as-of", "2026-06-30", "--log-format", format)
        #expect(run.exitCode == 3)
        #expect(run.messages.contains("t.csv:2: a quote in it is not closed"))
    }

    @Test func `has a format of two`() throws {
        #expect(try export.audit("--log-format", "xml").exitCode == 64)
    }
}

struct `The metrics of a run` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        try export.write(TestExport.receipt(), to: "receipts/a.der")
        try export.write("file,device_id\na.der,\(TestExport.otherPhone.text)\n", to: "receipts/devices.csv")
    }

    /// Samples by name and labels.
    private var samples: [String: String] {
        let lines = (export.text(of: "out/audit.prom") ?? "").split(separator: "\n").filter { !$0.hasPrefix("#") }
        return Dictionary(
            lines.compactMap { line in
                line.lastIndex(of: " ").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
            }
        ) { first, _ in first }
    }

    @Test func `tell claims by verdict, findings by rule and severity, and when it was`() throws {
        let start = Date().timeIntervalSince1970
        #expect(try export.audit("--metrics", export.path("out/audit.prom")).exitCode == 0)
        let samples = samples
        #expect(samples["audit_claims{verdict=\"valid\"}"] == "0")
        #expect(samples["audit_claims{verdict=\"invalid\"}"] == "1")
        #expect(samples["audit_failed_checks{check=\"guid-mismatch\"}"] == "1")
        #expect(samples["audit_findings{rule=\"device-mismatch\",severity=\"medium\"}"] == "1")
        #expect(samples["audit_findings{rule=\"fraud-ring\",severity=\"critical\"}"] == "0")
        #expect(samples["audit_as_of_timestamp_seconds"] == "1782777600.000")
        #expect(samples.keys.contains { $0.hasPrefix("audit_build_info{version=\"") })
        let ended = try #require(samples["audit_last_success_timestamp_seconds"].flatMap(Double.init))
        #expect((start - 1...Date().timeIntervalSince1970 + 1).contains(ended))
        #expect(!samples.keys.contains { $0.hasPrefix("audit_new_findings") })
    }

    @Test func `tell what is new since an earlier report`() throws {
        _ = try export.audit("--report", "fraud=" + export.path("1.csv"))
        try export.write(
            "file,device_id\na.der,\(TestExport.otherPhone.text)\na.der,nonsense\n", to: "receipts/devices.csv")
        _ = try export.audit("--baseline", export.path("1.csv"), "--metrics", export.path("out/audit.prom"))
        #expect(samples["audit_new_findings{severity=\"medium\"}"] == "0")
        // A claim in another row is the same claim.
        try export.write("file,device_id\n\na.der,\(TestExport.otherPhone.text)\n", to: "receipts/devices.csv")
        _ = try export.audit("--baseline", export.path("1.csv"), "--metrics", export.path("out/audit.prom"))
        #expect(samples["audit_new_findings{severity=\"medium\"}"] == "0")
        try export.write(
            "file,device_id\na.der,\(TestExport.otherPhone.text)\na.der,\(UUID())\n", to: "receipts/devices.csv")
        _ = try export.audit(
            "--baseline", export.path("1.csv"), "--metrics", export.path("out/audit.prom"), "--report",
            "fraud=" + export.path("2.csv"))
        // A second device that the receipt was not made for, and that two of them share it.
        #expect(samples["audit_new_findings{severity=\"medium\"}"] == "2")
        #expect(samples["audit_resolved_findings"] == "0")
        try export.write("file,device_id\na.der,\(TestExport.otherPhone.text)\n", to: "receipts/devices.csv")
        _ = try export.audit("--baseline", export.path("2.csv"), "--metrics", export.path("out/audit.prom"))
        #expect(samples["audit_new_findings{severity=\"medium\"}"] == "0")
        #expect(samples["audit_resolved_findings"] == "1", "the claim of the second device is not there: nobody knows")
    }

    @Test func `may be read by everybody, and name nobody`() throws {
        _ = try export.audit("--metrics", export.path("out/audit.prom"))
        let mode = try FileManager.default.attributesOfItem(atPath: export.path("out/audit.prom"))[.posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o644)
        #expect(export.text(of: "out/audit.prom")?.contains(TestExport.otherPhone.text) == false)
    }

    @Test func `say how the last run ended, and stay those of the last success if it failed`() throws {
        _ = try export.audit("--metrics", export.path("out/audit.prom"))
        #expect(samples["audit_last_exit_code"] == "0")
        let success = samples
        try FileManager.default.createDirectory(atPath: export.path("folder.csv"), withIntermediateDirectories: true)
        for _ in 0..<2 {
            let run = try export.audit(
                "--metrics", export.path("out/audit.prom"), "--report", export.path("folder.csv"))
            #expect(run.exitCode == 2 && !run.messages.contains("warning"), "\(run.messages)")
            var failed = samples
            #expect(failed["audit_last_exit_code"] == "2")
            let (code, time) = ("audit_last_exit_code", "audit_last_run_timestamp_seconds")
            failed[code] = success[code]
            failed[time] = success[time]
            #expect(failed == success)
            let text = try #require(export.text(of: "out/audit.prom"))
            #expect(text.split(separator: "\n").count { $0.contains(code) } == 3)
        }
        _ = try export.audit("--metrics", export.path("out/audit.prom"), "--min-claims", "2")
        #expect(samples["audit_last_exit_code"] == "3")
        _ = try export.audit("--metrics", export.path("out/audit.prom"), "--fail-on", "low")
        #expect(samples["audit_last_exit_code"] == "1")
    }

    @Test func `say that the first run failed`() throws {
        let run = try export.audit("--metrics", export.path("out/audit.prom"), "--policy", export.path("no.yml"))
        #expect(run.exitCode == 2)
        #expect(Set(samples.keys) == ["audit_last_exit_code", "audit_last_run_timestamp_seconds"])
        #expect(try export.names(in: "out") == ["audit.prom"])
    }

    @Test func `tell of damaged inputs, stages, memory, the ledger and the job`() throws {
        try export.write("file,device_id\na.der,\n", to: "receipts/devices.csv")
        try export.write(
            "version: 1\ninputs: [receipts]\nroots: [root.cer]\nas-of: 2026-06-30\nstate: l.db\n", to: "night.yml")
        let arguments = ["run", "--job", export.path("night.yml"), "--metrics", export.path("out/audit.prom")]
        for (number, reset) in ["0", "0", "1"].enumerated() {
            let run = try AuditProcess(arguments)
            #expect(run.exitCode == (reset == "1" ? 3 : 0), "\(run.messages)")
            let job = "{job=\"night\"}"
            #expect(samples["audit_ledger_reset" + job] == reset)
            #expect(samples["audit_ledger_run" + job] == "\(min(number + 1, 2))", "runs are kept")
            #expect(samples["audit_claims_without_device" + job] == "1")
            #expect(samples["audit_input_damages" + job] == "0")
            #expect(samples["audit_stage_seconds{stage=\"reports\",job=\"night\"}"] != nil)
            for name in ["audit_peak_memory_bytes", "audit_ledger_bytes"] {
                #expect(Int(samples[name + job] ?? "").map { $0 > 4096 } == true, "\(name)")
            }
            guard number == 1 else { continue }
            var bytes = [UInt8](try Data(contentsOf: URL(filePath: export.path("l.db"))))
            bytes[3] ^= 4
            try export.write(bytes, to: "l.db")
        }
    }

    @Test func `stay those of the last success if a report cannot be written`() throws {
        try export.write("old", to: "out/audit.prom")
        let run = try export.audit(
            "--metrics", export.path("out/audit.prom"), "--report", export.path("root.cer/x.csv"))
        #expect(run.exitCode == 2)
        #expect(export.text(of: "out/audit.prom") == "old")
        #expect(try export.names(in: "out") == ["audit.prom"])
    }

    @Test func `are not JSON`() throws {
        let run = try export.audit("--metrics", export.path("audit.json"))
        #expect(run.exitCode == 64)
        #expect(run.messages.contains("for JSON use the report summary=FILE.json"))
    }
}
