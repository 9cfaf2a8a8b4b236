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
        #expect(try run("out", "--policy", export.path("sample/policy.yml")).exitCode == 0)
        let check = try check()
        #expect(check.exitCode == 0, "\(check.output)")
        #expect(check.output.contains("only its owner"))
        let verified = try verify("--sample", "1")
        #expect(verified.exitCode == 0, "\(verified.output)")
        #expect(verified.output.contains("300 audited again\n"), "\(verified.output)")
        #expect(verified.output.contains("3 compared, 0 differ\n"), "\(verified.output)")
        // Neither the ledger nor anything else is written.
        #expect(try export.names(in: "own") == ["ledger.db"])
        #expect(try export.names(in: "out") == ["f.csv", "r.csv"])
    }

    @Test func `checks a copy as it does the ledger`() throws {
        #expect(try run("out").exitCode == 0)
        let copied = try AuditProcess("ledger", "backup", "--state", ledger, export.path("copy.db"))
        #expect(copied.exitCode == 0 && copied.messages.contains("run 1 as of 2026-06-30"), "\(copied.messages)")
        let check = try AuditProcess("ledger", "check", "--state", export.path("copy.db"))
        #expect(check.exitCode == 0, "\(check.output)")
        let connection = try Connection(ledger, name: "ledger", .writing)
        try connection.execute("UPDATE run SET claims=1")
        let refused = try AuditProcess("ledger", "backup", "--state", ledger, export.path("copy.db"))
        #expect(refused.exitCode == 1 && refused.messages.contains("damaged"), "\(refused.messages)")
        #expect(try LedgerHealth(of: export.path("copy.db")).isIntact)
        #expect(try AuditProcess("ledger", "backup", "--state", "no.db", export.path("copy.db")).exitCode == 2)
    }

    @Test func `verifies signatures whatever the settings are, and says that blocks need them`() throws {
        #expect(try run("out").exitCode == 0)
        let verified = try AuditProcess(["ledger", "check", "--verify"] + settings)
        #expect(verified.exitCode == 0)
        let rows = try Connection(ledger, name: "ledger", .reading).number("SELECT count(*) FROM signature")
        let signatures = try #require(rows)
        #expect(signatures > 200)
        #expect(verified.output.contains("\(signatures) compared, 0 differ"), "\(verified.output)")
        #expect(verified.output.contains("no block was made with these"))
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
        try tamper { try $0.execute("UPDATE meta SET value=value") }
        let verified = try AuditProcess("ledger", "check", "--verify", "--job", export.path("job.yml"))
        #expect(verified.exitCode == 0, "\(verified.output)\(verified.messages)")
        // By the date of the last run, not of today's.
        #expect(verified.output.contains("3 compared, 0 differ"), "\(verified.output)")
        #expect(export.text(of: "out/r.csv") == before)
    }

    @Test func `names a signature whose verdict was changed with its checksum`() throws {
        #expect(try run("out").exitCode == 0)
        let broken = table(export.text(of: "out/r.csv") ?? "").filter {
            $0["failed_checks"]?.contains("signature-invalid") == true
        }.count
        #expect(broken > 0)
        try tamper { ledger in
            let rows = try Statement(ledger, "SELECT tier, digest, run, verdict FROM signature")
            var found: [(Int64, [UInt8], Int64)] = []
            while try rows.step() {
                if rows.bytes(3) == [0] { found.append((rows.number(0), rows.bytes(1), rows.number(2))) }
            }
            #expect(!found.isEmpty)
            for (tier, digest, run) in found {
                let update = try Statement(
                    ledger, "UPDATE signature SET verdict=x'01', seal=?1 WHERE tier=?2 AND digest=?3")
                update.bind(Checksum.ofSignature(digest.span, run, [UInt8]([1]).span), at: 1)
                update.bind(tier, at: 2)
                update.bind(digest.span, at: 3)
                try update.run()
            }
        }
        // Whoever can write a ledger is trusted: a run takes its word.
        let policy = "version: 1\nrules:\n  expired-receipt: off\n"
        try export.write(policy, to: "policy.yml")
        #expect(try run("out", "--policy", export.path("policy.yml")).exitCode == 0)
        #expect(export.text(of: "out/r.csv")?.contains("signature-invalid") == false)
        #expect(try check().exitCode == 0, "checksums do not tell")
        let verified = try verify()
        #expect(verified.exitCode == 1)
        #expect(verified.output.contains("stored as valid, but it is invalid"), "\(verified.output)")
        #expect(verified.output.contains("Move it away"))
    }

    @Test func `names a block whose output was changed with its checksum`() throws {
        #expect(try run("out").exitCode == 0)
        try tamper { ledger in
            let rows = try Statement(
                ledger, "SELECT block.id, key, output FROM block JOIN block_output ON block_output.id=block.id")
            // In a row of the report another check is named.
            let (before, after) = (Array("signature-invalid".utf8), Array("signature-is-good".utf8))
            while try rows.step() {
                var (id, key, output) = (rows.number(0), rows.bytes(1), rows.bytes(2))
                guard let range = output.firstRange(of: before) else { continue }
                output.replaceSubrange(range, with: after)
                let update = try Statement(ledger, "UPDATE block_output SET output=?1, seal=?2 WHERE id=?3")
                update.bind(output.span, at: 1)
                update.bind(Checksum.ofBlock(id, key.span, output.span), at: 2)
                update.bind(id, at: 3)
                try update.run()
                (id, key) = (0, [])
            }
        }
        #expect(try run("again").exitCode == 0)
        #expect(export.text(of: "again/r.csv")?.contains("signature-is-good") == true)
        #expect(try check().exitCode == 0, "checksums do not tell")
        let verified = try verify()
        #expect(verified.exitCode == 1)
        #expect(verified.output.contains("the stored rows differ"), "\(verified.output)")
        #expect(verified.output.contains("with devices.csv:"), "\(verified.output)")
        let json = try verify("--json")
        #expect(json.exitCode == 1)
        #expect(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) is [String: Any])
    }

    @Test func `names a block that is found under the status of other files`() throws {
        usleep(2_100_000)
        #expect(try run("out").exitCode == 0)
        try tamper { ledger in
            let rows = try Statement(ledger, "SELECT id, status_key FROM block WHERE status_key IS NOT NULL")
            var blocks: [(Int64, [UInt8])] = []
            while try rows.step() { blocks.append((rows.number(0), rows.bytes(1))) }
            #expect(blocks.count == 3)
            for (index, block) in blocks.enumerated() {
                let update = try Statement(ledger, "UPDATE block SET status_key=?1 WHERE id=?2")
                let other = blocks[(index + 1) % blocks.count].1
                update.bind(other.span, at: 1)
                update.bind(block.0, at: 2)
                try update.run()
            }
        }
        let verified = try verify()
        #expect(verified.exitCode == 1)
        #expect(verified.output.contains("✗ blocks by status  3 compared, 3 differ"), "\(verified.output)")
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
