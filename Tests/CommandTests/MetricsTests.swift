import Foundation
import SampleStore
import Testing

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
        #expect(abs(ended - Date().timeIntervalSince1970) < 60)
        #expect(!samples.keys.contains { $0.hasPrefix("audit_new_findings") })
    }

    @Test func `tell what is new since an earlier report`() throws {
        _ = try export.audit("--report", "fraud=" + export.path("1.csv"))
        try export.write(
            "file,device_id\na.der,\(TestExport.otherPhone.text)\na.der,nonsense\n", to: "receipts/devices.csv")
        _ = try export.audit("--baseline", export.path("1.csv"), "--metrics", export.path("out/audit.prom"))
        #expect(samples["audit_new_findings{severity=\"medium\"}"] == "0")
        try export.write("file,device_id\n\na.der,\(TestExport.otherPhone.text)\n", to: "receipts/devices.csv")
        _ = try export.audit("--baseline", export.path("1.csv"), "--metrics", export.path("out/audit.prom"))
        #expect(samples["audit_new_findings{severity=\"medium\"}"] == "1")
        #expect(samples["audit_resolved_findings"] == "1")
    }

    @Test func `may be read by everybody, and name nobody`() throws {
        _ = try export.audit("--metrics", export.path("out/audit.prom"))
        let mode = try FileManager.default.attributesOfItem(atPath: export.path("out/audit.prom"))[.posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o644)
        #expect(export.text(of: "out/audit.prom")?.contains(TestExport.otherPhone.text) == false)
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
