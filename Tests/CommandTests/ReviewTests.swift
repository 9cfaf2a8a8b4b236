import Foundation
import SampleStore
import Testing

/// An analyst decides about findings, and later runs know it.
struct `audit review` {
    private let export: TestExport

    init() throws {
        export = try TestExport(beginning: "review") { export in
            try export.writeSample(count: 120, seed: 7, plantShare: 0.4)
            let rows = try #require(export.text(of: "sample/receipts/devices.csv")).split(separator: "\r\n")
            try export.write(rows.joined(separator: "\r\n") + "\r\n", to: "sample/receipts/rows.csv")
            #expect(try Self.audit(export).exitCode == 0)
        }
    }

    private var state: [String] { ["--state", export.path("ledger.db")] }

    /// A run over the rows, or over other rows.
    @discardableResult
    private func audit(asOf: String = "2026-06-30", _ more: String...) throws -> AuditProcess {
        try Self.audit(export, asOf: asOf, more)
    }

    private static func audit(
        _ export: TestExport, asOf: String = "2026-06-30", _ more: [String] = []
    ) throws -> AuditProcess {
        try AuditProcess(
            [
                "run", export.path("sample/receipts/rows.csv"), "--root", export.path("sample/root.cer"), "--as-of",
                asOf, "--report", "fraud=" + export.path("fraud.csv"), "--report", "summary=" + export.path("s.json"),
                "--state", export.path("ledger.db"),
            ] + more)
    }

    private func review(_ arguments: String...) throws -> AuditProcess {
        try AuditProcess(["review"] + state + arguments)
    }

    private var findings: [[String: String]] { table(export.text(of: "fraud.csv") ?? "") }

    /// The first finding of a rule.
    private func finding(_ rule: String) throws -> [String: String] {
        try #require(findings.first { $0["rule"] == rule })
    }

    private func status(of id: String?) -> String? { findings.first { $0["finding_id"] == id }?["status"] }

    @Test(arguments: ["fraud", "ok", "watch"])
    func `gives a finding a status, which later runs report`(decision: String) throws {
        let id = try finding("shared-receipt")["finding_id"]
        #expect(findings.allSatisfy { $0["status"] == "open" })
        let review = try review(try #require(id), "--as", decision, "--note", "seen", "--by", "anna")
        #expect(review.exitCode == 0 && review.messages == "recorded a review of 1 finding\n")
        for date in ["2026-06-30", "2026-07-01"] {
            #expect(try audit(asOf: date).exitCode == 0)
            #expect(status(of: id) == decision)
            #expect(findings.count { $0["status"] != "open" } == 1)
        }
        #expect(export.text(of: "s.json")?.contains("\"reviews\"") == true)
    }

    @Test func `is by the user of the process, if nobody is logged in`() throws {
        let id = try #require(try finding("shared-receipt")["finding_id"])
        let nobody = ["LOGNAME": "", "USER": ""]
        let review = try AuditProcess(["review"] + state + [id, "--as", "ok"], environment: nobody)
        #expect(review.exitCode == 0, "\(review.messages)")
        let user = try AuditProcess(shell: "id -nu 2> /dev/null || id -u", []).output.trimmingCharacters(in: .newlines)
        let reviews = try AuditProcess(["history"] + state + ["--reviews"]).output
        #expect(reviews.contains("\n  by \(user)\n"), "\(reviews)")
    }

    @Test func `is about all open findings of a rule, of one severity or confidence`() throws {
        let (all, doubtful) = (findings.filter { $0["rule"] == "device-mismatch" }, "confidence=doubtful")
        let likely = try #require(all.first?["confidence"])
        let chosen = all.filter { $0["confidence"] == likely }
        #expect(try review(try #require(chosen.first?["finding_id"]), "--as", "fraud", "--by", "anna").exitCode == 0)
        let none = try review(
            "--rule", "device-mismatch", "--where", doubtful, "--where", "severity=critical", "--as", "ok")
        #expect(none.exitCode == 2 && none.messages.contains("has no open finding of device-mismatch"))
        let done = try review(
            "--rule", "device-mismatch", "--where", "confidence=\(likely)", "--as", "ok", "--by", "anna")
        #expect(done.messages.hasPrefix("\(chosen.count - 1) open finding"), "\(done.messages)")
        try audit()
        #expect(findings.count { $0["rule"] == "device-mismatch" && $0["status"] == "ok" } == chosen.count - 1)
        #expect(try review("--rule", "device-mismatch", "--where", "evidence=x", "--as", "ok").exitCode == 64)
    }

    @Test func `is about all findings of a subject`() throws {
        let subject = try #require(try finding("shared-receipt")["subject"])
        let count = findings.count { $0["subject"] == subject }
        #expect(try review(subject, "--as", "ok", "--by", "anna").exitCode == 0)
        try audit()
        #expect(findings.count { $0["status"] == "ok" && $0["subject"] == subject } == count)
    }

    @Test func `closes findings, which then raise no alarm`() throws {
        let alarm = ["--fail-on", "critical", "--fail-on-known"]
        #expect(try audit(asOf: "2026-07-01", alarm[0], alarm[1], alarm[2]).exitCode == 1)
        var filled = try #require(export.text(of: "fraud.csv"))
        filled = filled.replacing(",open,", with: ",fraud,")
        try export.write(filled, to: "reviewed.csv")
        let imported = try review("--import", export.path("reviewed.csv"), "--by", "anna")
        #expect(imported.exitCode == 0, "\(imported.messages)")
        #expect(imported.messages.contains("0 open, 0 already recorded, \(findings.count) new"))
        #expect(try audit(asOf: "2026-07-01", alarm[0], alarm[1], alarm[2]).exitCode == 0)
        #expect(findings.allSatisfy { $0["status"] == "fraud" })
        // The first run of another ledger's day finds all of it new, and none of it open.
        #expect(try audit(asOf: "2026-06-30", "--fail-on", "info").exitCode == 0)
        let again = try review("--import", export.path("reviewed.csv"), "--by", "anna")
        #expect(again.messages.contains("0 open, \(findings.count) already recorded, 0 new"))
    }

    @Test func `is taken over from a workbook into another ledger, once`() throws {
        let finding = try finding("shared-receipt")
        let (id, workbook) = (try #require(finding["finding_id"]), export.path("report.xlsx"))
        #expect(try review(id, "--as", "fraud", "--note", "a ring", "--by", "anna").exitCode == 0)
        #expect(try audit(asOf: "2026-07-01", "--report", workbook).exitCode == 0)
        for name in try export.names(in: "") where name.hasPrefix("ledger.db") {
            try FileManager.default.removeItem(atPath: export.path(name))
        }
        try audit()
        // A decision of the same second would be the one that the workbook shows.
        try AuditClock.wait()
        let imported = try review("--import", workbook, "--by", "boris")
        #expect(imported.messages.contains("\(findings.count - 1) open, 0 already recorded, 1 new"))
        try audit(asOf: "2026-07-01")
        #expect(status(of: id) == "fraud")
        // The note that is recorded is not replaced by the empty cell of a workbook.
        #expect(try review(id, "--as", "fraud", "--note", "mine", "--by", "carla").exitCode == 0)
        let again = try review("--import", workbook, "--by", "boris")
        #expect(again.messages.contains("0 already recorded, 0 new, 1 reviewed later"), "\(again.messages)")
        #expect(try AuditProcess(["history", "--reviews"] + state).output.contains("by carla: mine"))
    }

    @Test func `is reopened by a claim that was not there, and stays so until the next review`() throws {
        let shared = try finding("shared-receipt")
        let id = try #require(shared["finding_id"])
        #expect(try review(id, "--as", "ok", "--by", "anna").exitCode == 0)
        let rows = try #require(export.text(of: "sample/receipts/rows.csv")).split(separator: "\r\n")
        let source = try #require(shared["sources"]?.split(separator: ";").first?.split(separator: ":").last)
        let row = rows[(Int(source) ?? 0) - 1].split(separator: ",", omittingEmptySubsequences: false)
        let added = [row[0], "6FAF1B5A-2C4B-4F8E-9C57-0E2C5A1D3B44"] + row[2...]
        try export.write(
            (rows + [Substring(added.joined(separator: ","))]).joined(separator: "\r\n") + "\r\n",
            to: "sample/receipts/rows.csv")
        for date in ["2026-07-01", "2026-07-02"] {
            #expect(try audit(asOf: date, "--fail-on", "critical").exitCode == 1, "\(date)")
            #expect(status(of: id) == "reopened")
        }
        // The same decision as before, now about more.
        try export.write("finding_id;status\n\(id);ok\n", to: "reviewed.csv")
        let imported = try review("--import", export.path("reviewed.csv"), "--by", "anna")
        #expect(imported.messages.contains("0 open, 0 already recorded, 1 new"), "\(imported.messages)")
        #expect(try audit(asOf: "2026-07-03", "--fail-on", "critical").exitCode == 0)
        #expect(status(of: id) == "ok")
        let again = try review("--import", export.path("reviewed.csv"), "--by", "anna")
        #expect(again.messages.contains("0 open, 1 already recorded, 0 new"), "\(again.messages)")
    }

    @Test func `is imported again once its date has come`() throws {
        let id = try #require(try finding("shared-receipt")["finding_id"])
        #expect(try review(id, "--as", "ok", "--until", "2026-07-01", "--by", "anna").exitCode == 0)
        try export.write("finding_id,status\n\(id),ok\n", to: "reviewed.csv")
        let before = try review("--import", export.path("reviewed.csv"), "--by", "anna")
        #expect(before.messages.contains("1 already recorded, 0 new"), "\(before.messages)")
        try audit(asOf: "2026-07-01")
        let after = try review("--import", export.path("reviewed.csv"), "--by", "anna")
        #expect(after.messages.contains("0 already recorded, 1 new"), "\(after.messages)")
    }

    @Test func `says of rows that are open what it leaves out`() throws {
        let id = try #require(try finding("shared-receipt")["finding_id"])
        #expect(try review(id, "--as", "ok", "--by", "anna").exitCode == 0)
        try export.write("finding_id,status,note\n\(id),open,why\n", to: "reviewed.csv")
        let run = try review("--import", export.path("reviewed.csv"), "--by", "anna")
        #expect(run.exitCode == 0 && run.messages.contains("left out 1 note beside the status open"))
        #expect(run.messages.contains("1 row says open, but a review closed the finding"), "\(run.messages)")
    }

    @Test func `counts a row that comes twice once`() throws {
        let id = try #require(try finding("shared-receipt")["finding_id"])
        try export.write("finding_id,status\n\(id),ok\n\(id),ok\n", to: "reviewed.csv")
        let run = try review("--import", export.path("reviewed.csv"), "--by", "anna")
        #expect(run.messages.contains("recorded a review of 1 finding"), "\(run.messages)")
    }

    @Test func `holds until the date that it names`() throws {
        let id = try #require(try finding("shared-receipt")["finding_id"])
        #expect(try review(id, "--as", "ok", "--until", "2026-07-02", "--by", "anna").exitCode == 0)
        for (date, status) in [("2026-07-01", "ok"), ("2026-07-02", "open")] {
            try audit(asOf: date)
            #expect(self.status(of: id) == status)
        }
    }

    @Test func `is kept with its date, its author and its note`() throws {
        let id = try #require(try finding("shared-receipt")["finding_id"])
        for (status, note) in [("watch", "ask support"), ("ok", "a family\u{1b}")] {
            #expect(try review(id, "--as", status, "--note", note, "--by", "anna").exitCode == 0)
        }
        let text = try AuditProcess(["history", "--reviews"] + state).output
        #expect(text.contains("  by anna: ask support\n") && text.contains("  by anna: a family\\u{1b}\n"))
        let json = try AuditProcess(["history", "--reviews", "--json"] + state).output
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: [[String: Any]]]
        #expect(object?["reviews"]?.map { $0["status"] as? String } == ["watch", "ok"])
        #expect(try AuditProcess(["doctor"] + state).output.contains("reviews"))
    }

    @Test func `is forgotten with its subject`() throws {
        let finding = try #require(findings.first { $0["subject"]?.hasPrefix("account:") == true })
        let subject = try #require(finding["subject"])
        #expect(try review(subject, "--as", "ok", "--by", "anna").exitCode == 0)
        let account = String(subject.dropFirst("account:".count))
        #expect(try AuditProcess(["forget", "--account", account] + state).exitCode == 0)
        #expect(try AuditProcess(["history", "--reviews"] + state).output == "no reviews\n")
    }

    @Test(arguments: [
        (["000000000000000000000000", "--as", "ok"], 2, "has no finding of 000000000000000000000000"),
        (["account:nobody", "--as", "ok"], 2, "has no finding of account:nobody"),
        (["source:export.csv:3", "--as", "ok"], 64, "Subjects begin with claim:, receipt:"),
        (["account:user-1"], 64, "Give --as fraud, ok or watch."),
        (["account:user-1", "--as", "closed"], 64, "closed"),
        (["--as", "ok"], 64, "Give one of TARGET, --import and --rule."),
        (["--import", "fraud.xlsx"], 2, "could not read fraud.xlsx: No such file or directory"),
        (["--import", "fraud.ods"], 2, "the extension must be .xlsx or .csv"),
    ])
    func `refuses what it cannot record`(arguments: [String], code: Int32, reason: String) throws {
        let run = try AuditProcess(["review"] + state + arguments + ["--by", "anna"])
        #expect(run.exitCode == code, "\(run.messages)")
        #expect(run.messages.contains(reason), "\(run.messages)")
        #expect(try AuditProcess(["history", "--reviews"] + state).output == "no reviews\n")
    }

    @Test(arguments: [
        ("finding_id,status\n000000000000000000000000,ok\n", "row 2 is about the finding 0000"),
        ("finding_id,status\nID,maybe\n", "the status of row 2 is “maybe”"),
        ("finding_id,status\nID,ok,more\n", "row 2 has 3 cells, not 2"),
        ("rule,status\nshared-receipt,ok\n", "it has no columns finding_id and status"),
        ("finding_id,status\nID,ok\nID,fraud\n", "row 2 and row 3 decide about the finding"),
    ])
    func `imports all rows of a file or none`(text: String, reason: String) throws {
        let id = try #require(try finding("shared-receipt")["finding_id"])
        try export.write(
            text.replacing("ID", with: id), to: "reviewed.csv")
        let run = try review("--import", export.path("reviewed.csv"), "--by", "anna")
        #expect(run.exitCode == 2)
        #expect(run.messages.contains(reason), "\(run.messages)")
        #expect(try AuditProcess(["history", "--reviews"] + state).output == "no reviews\n")
    }
}
