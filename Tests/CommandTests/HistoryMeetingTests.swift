import Foundation
import SampleStore
import Testing

/// Small exports of several nights: what one alone does not show.
struct `Claims of several nights` {
    private let export: TestExport

    init() throws { export = try TestExport() }

    private func night(_ name: String, asOf: String, _ claims: [(device: SampleDevice, receipt: [UInt8])]) throws
        -> [[String: String]]
    {
        var rows = "file,device_id\r\n"
        for (index, claim) in claims.enumerated() {
            try export.write(claim.receipt, to: "\(name)/\(index).bin")
            rows += "\(index).bin,\(claim.device.text)\r\n"
        }
        try export.write(rows, to: "\(name)/devices.csv")
        let run = try AuditProcess([
            "run", export.path(name), "--root", export.root, "--as-of", asOf, "--state", export.path("ledger.db"),
            "--report", "fraud=-",
        ])
        #expect(run.exitCode == 0, "\(run.messages)")
        return run.rows
    }

    @Test func `meet: a receipt that another device sent last month`() throws {
        let receipt = try TestExport.receipt()
        #expect(try night("june", asOf: "2026-06-30", [(TestExport.phone, receipt)]).isEmpty)
        let found = try night("july", asOf: "2026-07-30", [(TestExport.otherPhone, receipt)])
        let shared = try #require(found.first { $0["rule"] == "shared-receipt" })
        #expect(shared["claims"] == "2")
        #expect(shared["devices"] == "2")
        #expect(shared["sources"] == "devices.csv:2;devices.csv:2 (2026-06-30)")
        #expect(shared["first_seen"] == "2026-07-30T00:00:00Z")
    }

    @Test func `are one claim if they say the same`() throws {
        let receipt = try TestExport.receipt()
        _ = try night("june", asOf: "2026-06-30", [(TestExport.phone, receipt)])
        #expect(try night("july", asOf: "2026-07-30", [(TestExport.phone, receipt)]).isEmpty)
    }

    @Test func `make findings that keep the day on which they were found first`() throws {
        let receipt = try TestExport.receipt()
        let both = [(TestExport.phone, receipt), (TestExport.otherPhone, receipt)]
        let june = try night("june", asOf: "2026-06-30", both)
        let july = try night("july", asOf: "2026-07-30", both)
        #expect(june.map { $0["first_seen"] } == june.map { _ in "2026-06-30T00:00:00Z" })
        #expect(june == july)
        #expect(!june.isEmpty)
    }

    @Test func `have marks only on rows of tonight`() throws {
        let receipt = try TestExport.receipt()
        _ = try night("june", asOf: "2026-06-30", [(TestExport.phone, receipt)])
        _ = try night("july", asOf: "2026-07-30", [(TestExport.otherPhone, receipt)])
        let run = try AuditProcess([
            "run", export.path("july"), "--root", export.root, "--as-of", "2026-07-30", "--state",
            export.path("ledger.db"), "--report", "-",
        ])
        #expect(run.rows.map { $0["rules"] } == ["device-mismatch;shared-receipt"], "\(run.output)")
    }
}
