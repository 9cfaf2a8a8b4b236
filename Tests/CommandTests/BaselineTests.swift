import Foundation
import SampleStore
import Testing

struct `A report that is compared with an earlier one` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        try export.write(TestExport.receipt(), to: "receipts/a.der")
        try export.write(TestExport.receipt(for: TestExport.otherPhone), to: "receipts/b.der")
    }

    /// Each file with the devices that claim it.
    private func claim(_ claims: [(file: String, device: SampleDevice)]) throws {
        let rows = claims.map { "\($0.file),\($0.device.text)\n" }
        try export.write("file,device_id\n" + rows.joined(), to: "receipts/devices.csv")
    }

    @Test(arguments: ["csv", "ndjson"])
    func `tells what is new, what persists and what is resolved`(format: String) throws {
        let (phone, other) = (TestExport.phone, TestExport.otherPhone)
        try claim([("a.der", phone), ("a.der", other)])
        _ = try export.audit("--report", "fraud=" + export.path("1." + format))
        // The first row's device changes: one mismatch is resolved, another is new, the sharing persists.
        try claim([("a.der", other), ("a.der", phone)])
        let second = try export.audit(
            "--baseline", export.path("1." + format), "--report", "fraud=-", "--report",
            "fraud=" + export.path("2." + format))
        #expect(second.exitCode == 0)
        #expect(second.rows.map { $0["rule"] } == ["shared-receipt", "device-mismatch", "device-mismatch"])
        #expect(second.rows.map { $0["change"] } == ["persisting", "new", "resolved"])
        #expect(second.rows.map { $0["subject"] }[1...] == ["source:devices.csv:2", "source:devices.csv:3"])
        #expect(second.rows.map { $0["first_seen"] } == [String](repeating: "2026-06-30T00:00:00Z", count: 3))
        // A report that was itself compared can be compared with; what was resolved is forgotten.
        let third = try export.audit(
            "--baseline", export.path("2." + format), "--report", "fraud=-", "--as-of", "2026-07-04")
        #expect(third.rows.map { $0["change"] } == ["persisting", "persisting"])
        #expect(third.rows.map { $0["first_seen"] } == ["2026-06-30T00:00:00Z", "2026-06-30T00:00:00Z"])
    }

    @Test(arguments: [
        ("receipts.csv", "source,file\r\na,b\r\n", "no column “severity”"),
        ("torn.csv", "severity,rule,subject,first_seen\r\nhigh,x\r\n", "row 2 has 2 cells, not 4"),
        ("words.ndjson", "hello\n", "line 1 is no finding"),
        ("report.txt", "", "the extension must be .csv or .ndjson"),
    ])
    func `is refused where there is no such report`(name: String, text: String, reason: String) throws {
        try export.write(text, to: name)
        let run = try export.audit("--baseline", export.path(name), "--report", export.path("out.csv"))
        #expect(run.exitCode == 2)
        #expect(run.messages.contains(reason), "\(run.messages)")
        #expect(export.text(of: "out.csv") == nil)
    }
}
