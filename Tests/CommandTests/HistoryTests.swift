import Checks
import Encodings
import Engine
import Foundation
import Ledgers
import Rules
import SampleStore
import Testing

struct `audit history` {
    private let export: TestExport
    private let state: String

    init() throws {
        export = try TestExport()
        state = export.path("state.db")
        try run(1, ["a", "b"])
        try run(2, ["b", "c\u{1b}"])
    }

    @Test func `lists runs`() throws {
        let history = try AuditProcess("history", "--state", state)
        #expect(history.exitCode == 0)
        #expect(
            history.output == """
                run                 as of  claims  valid  not valid  critical  high  medium  low  info
                  1  1970-01-02T00:00:00Z   2,000  1,900        100         0     2       0    0     0
                  2  1970-01-03T00:00:00Z   2,000  1,900        100         0     2       0    0     0

                """)
    }

    @Test func `lists runs that failed, with their reasons`() throws {
        let policy = export.path("no\u{1b}such.yml")
        let failed = try AuditProcess(
            ["run", export.path("receipts"), "--state", state, "--policy", policy, "--as-of", "1970-01-04"])
        #expect(failed.exitCode == 2 && !failed.messages.contains("warning"), "\(failed.messages)")
        let history = try AuditProcess("history", "--state", state).output
        #expect(history.contains("\n\nfailed\n"))
        #expect(history.contains("  as of 1970-01-04T00:00:00Z\n  could not read"))
        #expect(history.replacing("\n  ", with: " ").contains("no\\u{1b}such.yml") && !history.contains("\u{1b}"))
        let json = try AuditProcess("history", "--state", state, "--json").output
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: [[String: Any]]]
        let reason = object?["failures"]?.first?["reason"] as? String
        #expect(reason?.contains("No such file or directory") == true)
        #expect(object?["runs"]?.count == 2)
    }

    @Test(arguments: [["2"], ["1", "2"]])
    func `tells what changed between two runs, or from the one before`(runs: [String]) throws {
        let history = try AuditProcess(["history", "--state", state] + runs)
        #expect(
            history.output == """
                run 2 as of 1970-01-03T00:00:00Z, compared with run 1 as of 1970-01-02T00:00:00Z
                1 new
                  high  rule  c\\u{1b}, first found 1970-01-03T00:00:00Z
                      run 2: a receipt\\u{202e} a receipt\\u{202e} a receipt\\u{202e} a receipt\\u{202e} a
                      receipt\\u{202e} a receipt\\u{202e} a receipt\\u{202e} a receipt\\u{202e} a receipt\\u{202e} a
                      receipt\\u{202e} a receipt\\u{202e} a receipt\\u{202e} in all
                1 resolved
                  high  rule  a, first found 1970-01-02T00:00:00Z
                      run 1: a receipt\\u{202e} a receipt\\u{202e} a receipt\\u{202e} a receipt\\u{202e} a
                      receipt\\u{202e} a receipt\\u{202e} a receipt\\u{202e} a receipt\\u{202e} a receipt\\u{202e} a
                      receipt\\u{202e} a receipt\\u{202e} a receipt\\u{202e} in all
                1 persisting
                  1  rule

                """)
    }

    @Test func `fits a terminal of 60 columns`() throws {
        let command = "stty cols 60; '$0' history --state '$1' --color never 2"
        let history = try AuditProcess(shell: "script -qec \"\(command)\" /dev/null < /dev/null", [state])
        let lines = history.output.split(separator: "\r\n")
        #expect(lines.count > 10 && lines.allSatisfy { $0.count <= 60 }, "\(history.output)")
        #expect(lines.first == "run 2 as of 1970-01-03T00:00:00Z, compared with run 1 as of")
    }

    @Test func `says that what a run did not see may be there still`() throws {
        try run(3, [], claims: 1999)
        let history = try AuditProcess("history", "--state", state, "3")
        #expect(
            history.output.contains("run 3 read other inputs, or fewer claims, than run 2: they may"),
            "\(history.output)")
    }

    @Test func `writes JSON`() throws {
        let runs = try json("--json")["runs"] as? [[String: Any]]
        #expect(runs?.count == 2)
        #expect(runs?.first?["not_valid"] as? Int == 100)
        #expect((runs?.first?["findings"] as? [String: Int])?["high"] == 2)
        let changes = try json("--json", "1", "2")
        #expect((changes["new"] as? [[String: String]])?.map { $0["subject"] } == ["c\u{1b}"])
        // A finding that persists has the evidence of the last run.
        #expect((changes["persisting"] as? [[String: String]])?.first?["evidence"]?.hasPrefix("run 2: ") == true)
        #expect((changes["persisting"] as? [[String: String]])?.map { $0["first_seen"] } == ["1970-01-02T00:00:00Z"])
        #expect((changes["later"] as? [String: Any])?["id"] as? Int == 2)
    }

    @Test func `lists all findings of the first run as new`() throws {
        let history = try AuditProcess("history", "--state", state, "1", "--color", "never")
        #expect(history.exitCode == 0, "\(history.messages)")
        #expect(history.output.contains(", the first run: all its findings are new"), "\(history.output)")
        #expect(history.output.contains("0 persisting"), "\(history.output)")
        let changes = try json("--json", "1")
        #expect(changes["earlier"] is NSNull)
    }

    @Test func `ends with 2 for a run that the ledger does not have`() throws {
        let history = try AuditProcess("history", "--state", state, "7")
        #expect(history.exitCode == 2 && history.output == "")
        #expect(history.messages.contains("has no run 7"), "\(history.messages)")
    }

    @Test func `ends with 2 if the file is no ledger, or not there`() throws {
        try export.write("name,size\n", to: "table.csv")
        for name in ["table.csv", "none.db"] {
            let history = try AuditProcess("history", "--state", export.path(name))
            #expect(history.exitCode == 2)
            #expect(history.messages.contains(name), "\(history.messages)")
        }
        #expect(try !export.names(in: "").contains("none.db"))
    }

    @Test func `can be read while a run is going on`() throws {
        let record: [UInt8] = [1]
        let ledger = try Ledger(
            state, origin: LedgerOrigin(trustAnchors: ["1"], pseudonymKey: nil), runAt: .day(9))
        try ledger.put(claim: 1, ofCase: 1, isDoubtful: false, record: record.span)
        #expect(try AuditProcess("history", "--state", state).exitCode == 0)
        #expect(try LedgerHealth(of: state).isIntact)
        try ledger.commit(.example(.day(9)))
    }

    @Test func `has its ledger looked at by the doctor`() throws {
        let sound = try AuditProcess("doctor", "--state", state)
        #expect(sound.exitCode == 0, "\(sound.output)")
        #expect(sound.output.contains("2 as of 1970-01-03T00:00:00Z"))
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: state)))
        for index in bytes.count / 2..<bytes.count { bytes[index] ^= 0xff }
        try export.write(bytes, to: "state.db")
        let damaged = try AuditProcess("doctor", "--state", state)
        #expect(damaged.exitCode == 1)
        #expect(damaged.output.contains("✗"), "\(damaged.output)")
    }

    private func run(_ day: Int64, _ subjects: [String], claims: Int = 2000) throws {
        let ledger = try Ledger(
            state, origin: LedgerOrigin(trustAnchors: ["1"], pseudonymKey: nil), runAt: .day(day))
        for subject in subjects {
            var finding = FindingRow(
                id: .none, severity: .high, confidence: .likely, rule: "rule", subject: ExactText(subject))
            finding.evidence = "run \(day): " + String(repeating: "a receipt\u{202e} ", count: 12) + "in all"
            _ = try ledger.record(finding)
        }
        try ledger.commit(.example(.day(day), claims: claims))
        try ledger.publish()
    }

    private func json(_ arguments: String...) throws -> [String: Any] {
        let history = try AuditProcess(["history", "--state", state] + arguments)
        return try #require(try JSONSerialization.jsonObject(with: Data(history.output.utf8)) as? [String: Any])
    }
}

extension Instant {
    fileprivate static func day(_ number: Int64) -> Instant { Instant(seconds: number * 86_400) }
}

extension RunOutcome {
    fileprivate static func example(_ asOf: Instant, claims: Int = 2000) -> RunOutcome {
        RunOutcome(asOf: asOf, inputs: ["receipts"], claims: claims, valid: claims - 100)
    }
}

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

    @Test func `are correlated: a receipt that another device sent last month`() throws {
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
