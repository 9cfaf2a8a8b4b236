import Foundation
import SampleStore
import Testing

@testable import Ledgers

struct `audit ledger check` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        try export.writeSample(count: 300, seed: 7, plantShare: 0.3)
    }

    private var ledger: String { export.path("own/ledger.db") }

    private func run(_ folder: String, _ arguments: String...) throws -> AuditProcess {
        try AuditProcess(
            ["run", "--report", export.path(folder + "/r.csv"), "--report", "fraud=" + export.path(folder + "/f.csv")]
                + settings + arguments)
    }

    private var settings: [String] {
        [
            export.path("sample/receipts"), "--root", export.path("sample/root.cer"), "--as-of", "2026-06-30",
            "--state", ledger, "--workers", "2",
        ]
    }

    private func check() throws -> AuditProcess { try AuditProcess("ledger", "check", "--state", ledger) }

    @Test func `finds nothing wrong with a ledger of earlier runs`() throws {
        #expect(try run("out").exitCode == 0)
        #expect(try run("out").exitCode == 0)
        let check = try check()
        #expect(check.exitCode == 0, "\(check.output)")
        #expect(check.output.contains("only its owner"))
        // Neither the ledger nor anything else is written.
        #expect(try export.names(in: "own") == ["ledger.db", "ledger.db.previous"])
        #expect(try export.names(in: "out") == ["f.csv", "r.csv"])
    }

    @Test func `checks a copy as it does the ledger`() throws {
        #expect(try run("out").exitCode == 0)
        let copied = try AuditProcess("ledger", "backup", "--state", ledger, export.path("copy.db"))
        #expect(copied.exitCode == 0 && copied.messages.contains("run 1 as of 2026-06-30"), "\(copied.messages)")
        let check = try AuditProcess("ledger", "check", "--state", export.path("copy.db"))
        #expect(check.exitCode == 0, "\(check.output)")
        var bytes = Array(try Data(contentsOf: URL(filePath: ledger)))
        bytes[9000] ^= 1
        try export.write(bytes, to: "own/ledger.db")
        #expect(try self.check().exitCode == 1)
        let refused = try AuditProcess("ledger", "backup", "--state", ledger, export.path("copy.db"))
        #expect(refused.exitCode == 1 && refused.messages.contains("damaged"), "\(refused.messages)")
        #expect(try LedgerHealth(of: export.path("copy.db")).isIntact)
        #expect(try AuditProcess("ledger", "backup", "--state", "no.db", export.path("copy.db")).exitCode == 2)
    }

    @Test func `ends with 2 if there is no ledger, and with 64 if none is named`() throws {
        #expect(try check().exitCode == 2)
        for arguments in [[], ["--state", ledger, "x"]] {
            #expect(try AuditProcess(["ledger", "check"] + arguments).exitCode == 64)
        }
    }
}
