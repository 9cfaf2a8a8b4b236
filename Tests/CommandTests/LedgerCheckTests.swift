import Foundation
import SampleStore
import Testing

@testable import Ledgers

/// Ledgers that somebody changed who knows how their checksums are made.
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

    private func verify(_ arguments: String...) throws -> AuditProcess {
        try AuditProcess(
            ["ledger", "check", "--verify", "--report", "r.csv", "--report", "fraud=f.csv"] + settings + arguments)
    }

    private func check() throws -> AuditProcess { try AuditProcess("ledger", "check", "--state", ledger) }

    /// Changes the ledger, with matching checksums.
    private func tamper(_ body: (Connection) throws -> Void) throws {
        let connection = try Connection(ledger, name: "ledger", .writing)
        try body(connection)
        #expect(try LedgerHealth(of: ledger).isIntact, "the checksums are as they should be")
    }

    @Test func `finds nothing wrong with a ledger of earlier runs`() throws {
        #expect(try run("out").exitCode == 0)
        #expect(try run("out").exitCode == 0)
        let check = try check()
        #expect(check.exitCode == 0, "\(check.output)")
        #expect(check.output.contains("only its owner"))
        let verified = try verify()
        #expect(verified.exitCode == 0, "\(verified.output)")
        #expect(
            verified.output.contains("300 audited; the ledger has results for 300 of them\n"), "\(verified.output)")
        // Neither the ledger nor anything else is written.
        #expect(try export.names(in: "own") == ["ledger.db"])
        #expect(try export.names(in: "out") == ["f.csv", "r.csv"])
    }

    @Test func `finds nothing wrong whatever the format of the reports and wherever the rows stand`() throws {
        let reports = ["r.csv", "p.html", "w.xlsx", "s.sqlite", "d.json", "t.md"].flatMap { ["--report", $0] }
        let places = try export.names(in: "sample/receipts")
        #expect(!places.isEmpty)
        let outputs = reports.map { $0.hasPrefix("--") ? $0 : export.path($0) }
        #expect(try AuditProcess(["run"] + settings + outputs).exitCode == 0)
        // The rows of the page come last now: it has none of what was in front before.
        let rows = (export.text(of: "sample/receipts/devices.csv") ?? "").split(separator: "\r\n")
        let moved = [rows[0]] + rows[1...].reversed()
        try export.write(moved.joined(separator: "\r\n") + "\r\n", to: "sample/receipts/devices.csv")
        #expect(try AuditProcess(["run"] + settings + outputs).exitCode == 0)
        let verified = try AuditProcess(["ledger", "check", "--verify"] + settings + reports)
        #expect(verified.exitCode == 0, "\(verified.output)\(verified.messages)")
        #expect(
            verified.output.components(separatedBy: "is the same without these results").count == 7,
            "\(verified.output)")
    }

    @Test func `checks a copy as it does the ledger`() throws {
        #expect(try run("out").exitCode == 0)
        let copied = try AuditProcess("ledger", "backup", "--state", ledger, export.path("copy.db"))
        #expect(copied.exitCode == 0 && copied.messages.contains("run 1 as of 2026-06-30"), "\(copied.messages)")
        let check = try AuditProcess("ledger", "check", "--state", export.path("copy.db"))
        #expect(check.exitCode == 0, "\(check.output)")
        let connection = try Connection(ledger, name: "ledger", .writing)
        try connection.execute("UPDATE claim SET run=9")
        let refused = try AuditProcess("ledger", "backup", "--state", ledger, export.path("copy.db"))
        #expect(refused.exitCode == 1 && refused.messages.contains("damaged"), "\(refused.messages)")
        #expect(try LedgerHealth(of: export.path("copy.db")).isIntact)
        #expect(try AuditProcess("ledger", "backup", "--state", "no.db", export.path("copy.db")).exitCode == 2)
    }

    @Test func `reads a job, and leaves its reports alone`() throws {
        try export.write(
            """
            version: 1
            inputs: sample/receipts
            roots: [sample/root.cer]
            state: own/ledger.db
            reports: [out/r.csv, fraud=out/f.csv]
            """, to: "job.yml")
        #expect(try AuditProcess("run", "--job", export.path("job.yml")).exitCode == 0)
        let before = export.text(of: "out/r.csv")
        let verified = try AuditProcess("ledger", "check", "--verify", "--job", export.path("job.yml"))
        #expect(verified.exitCode == 0, "\(verified.output)\(verified.messages)")
        // By the date of the last run, not of today's.
        #expect(verified.output.contains("has results for 300 of them"), "\(verified.output)")
        #expect(export.text(of: "out/r.csv") == before)
    }

    /// Writes other records of blocks, with their checksums.
    private func changeBlocks(_ change: (inout [UInt8]) -> Bool) throws {
        try tamper { ledger in
            let rows = try Statement(ledger, "SELECT id, record FROM block")
            var changed: [(Int64, [UInt8])] = []
            while try rows.step() {
                var record = try #require(Checksum(rows.number(0)).record(of: rows.bytes(1)))
                if change(&record) { changed.append((rows.number(0), record)) }
            }
            #expect(!changed.isEmpty)
            let update = try Statement(ledger, "UPDATE block SET record=?2 WHERE id=?1")
            for (id, record) in changed {
                let stored = Checksum(id).appended(to: record.span)
                update.bind(id, at: 1)
                update.bind(stored.span, at: 2)
                try update.run()
            }
        }
    }

    @Test func `names a report with other rows where a result was changed with its checksum`() throws {
        #expect(try run("out").exitCode == 0)
        // In a row of the report another check is named.
        let (before, after) = (Array("signature-invalid".utf8), Array("signature-is-good".utf8))
        try changeBlocks { record in
            guard let range = record.firstRange(of: before) else { return false }
            record.replaceSubrange(range, with: after)
            return true
        }
        // Whoever can write a ledger is trusted: a run takes its word.
        #expect(try run("again").exitCode == 0)
        #expect(export.text(of: "again/r.csv")?.contains("signature-is-good") == true)
        #expect(try check().exitCode == 0, "checksums do not tell")
        let verified = try verify()
        #expect(verified.exitCode == 1)
        #expect(verified.output.contains("r.csv         differs at octet"), "\(verified.output)")
        #expect(verified.output.contains("f.csv         is the same"), "\(verified.output)")
        #expect(verified.output.contains("Move it away"))
        let json = try verify("--json")
        #expect(json.exitCode == 1)
        #expect(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) is [String: Any])
    }

    @Test func `names reports that have less where a result was left out`() throws {
        #expect(try run("out").exitCode == 0)
        let wanted = Array("signature-invalid".utf8)
        try tamper { ledger in
            // The results of one block stand in the place of another's.
            let rows = try Statement(ledger, "SELECT id, record FROM block")
            var records: [(id: Int64, record: [UInt8])] = []
            while try rows.step() {
                records.append((rows.number(0), try #require(Checksum(rows.number(0)).record(of: rows.bytes(1)))))
            }
            #expect(records.contains { $0.record.firstRange(of: wanted) != nil })
            let update = try Statement(ledger, "UPDATE block SET status_key=NULL, record=?2 WHERE id=?1")
            for (index, block) in records.enumerated() {
                let other = records[(index + 1) % records.count].record
                let stored = Checksum(block.id).appended(to: other.span)
                update.bind(block.id, at: 1)
                update.bind(stored.span, at: 2)
                try update.run()
            }
        }
        let verified = try verify()
        #expect(verified.exitCode == 1 || verified.exitCode == 2, "\(verified.output)")
    }

    @Test func `ends with 2 if nothing could be verified, and with 64 if nothing says what to verify`() throws {
        #expect(try check().exitCode == 2, "there is no ledger")
        try export.write(TestExport.receipt(), to: "other.der")
        #expect(try run("out").exitCode == 0)
        let other = try AuditProcess(
            "ledger", "check", "--verify", "--state", ledger, export.path("other.der"), "--root", export.root)
        #expect(other.exitCode == 2)
        #expect(other.messages.contains("has no results for these inputs"), "\(other.messages)")
        for arguments in [
            [], ["--verify", "--state", ledger], ["--state", ledger, "x"], ["--verify", "--job", "j", "--sample", "2"],
            ["--verify", "--no-such-option", "x", "--state", ledger],
        ] {
            #expect(try AuditProcess(["ledger", "check"] + arguments).exitCode == 64)
        }
    }
}
