import Encodings
import Foundation
import SampleStore
import Testing

@testable import Reports

/// A workbook is filled in while others record reviews.
struct `An imported workbook` {
    private let export: TestExport
    private let id: String

    init() throws {
        (export, id) = try ReviewedNight.begin()
    }

    private var state: [String] { ["--state", export.path("ledger.db")] }

    private func review(_ arguments: String...) throws -> AuditProcess {
        try AuditProcess(["review"] + state + arguments)
    }

    private var reviews: String { get throws { try AuditProcess(["history", "--reviews"] + state).output } }

    /// The cells of the finding in the sheet Queue.
    private func cells() throws -> [String] {
        let columns = ["finding_id", "status", "note", "recorded_status", "recorded_at"]
        let rows = try WorkbookReader(export.path("report.xlsx")).rows(required: columns)
        return try #require(rows.first { $0.cells[0] == id }).cells
    }

    /// Imports the row of the finding as somebody filled it in.
    private func fill(_ cells: [String], _ edit: (inout [String]) -> Void = { _ in }) throws -> AuditProcess {
        var cells = cells
        edit(&cells)
        let header = "finding_id,status,note,recorded_status,recorded_at"
        try export.write(header + "\n" + cells.joined(separator: ",") + "\n", to: "filled.csv")
        return try review("--import", export.path("filled.csv"), "--by", "anna")
    }

    @Test func `has the notes of reviews, and when they were made`() throws {
        #expect(try cells() == [id, "open", "", "open", ""])
        #expect(try review(id, "--as", "ok", "--note", "a test phone", "--by", "anna").exitCode == 0)
        try ReviewedNight.run(export)
        let cells = try cells()
        #expect(cells[..<4] == [id, "ok", "a test phone", "ok"])
        #expect(try reviews.contains(cells[4]), "\(cells[4])")
    }

    @Test func `changes nothing if nobody filled it in`() throws {
        #expect(try review(id, "--as", "ok", "--note", "a test phone", "--by", "anna").exitCode == 0)
        try ReviewedNight.run(export)
        let before = try reviews
        var run = try review("--import", export.path("report.xlsx"), "--by", "boris")
        #expect(run.messages.contains("1 already recorded, 0 new"), "\(run.messages)")
        try AuditClock.wait()
        #expect(try review(id, "--as", "fraud", "--by", "carla").exitCode == 0)
        let later = try reviews
        run = try review("--import", export.path("report.xlsx"), "--by", "boris")
        #expect(run.messages.contains("0 new, 1 unchanged since the file was written\nrecorded reviews of 0"))
        #expect(!run.messages.contains("warning"), "\(run.messages)")
        #expect(try reviews == later && later != before)
    }

    @Test func `does not take back a review that is later than it`() throws {
        #expect(try review(id, "--as", "fraud", "--note", "seen twice", "--by", "carla").exitCode == 0)
        let before = try reviews
        let old = [id, "ok", "a test phone", "open", ""]
        let run = try fill(old)
        #expect(run.exitCode == 0 && run.messages.contains("0 already recorded, 0 new, 1 reviewed later"))
        #expect(run.messages.contains("row 2, finding \(id): ok in the file, fraud in the ledger, by carla at "))
        #expect(try reviews == before)
    }

    @Test func `decides again about a review that it knows`() throws {
        #expect(try review(id, "--as", "ok", "--by", "carla").exitCode == 0)
        try ReviewedNight.run(export)
        let run = try fill(try cells()) { $0[1] = "fraud" }
        #expect(run.messages.contains("0 already recorded, 1 new\n"), "\(run.messages)")
        #expect(try reviews.contains("fraud  shared-receipt"))
    }

    @Test func `repeats no earlier review if it does not say when it was written`() throws {
        for status in ["ok", "fraud"] { #expect(try review(id, "--as", status, "--by", "carla").exitCode == 0) }
        try export.write("finding_id,status\n\(id),ok\n", to: "filled.csv")
        let run = try review("--import", export.path("filled.csv"), "--by", "anna")
        #expect(run.messages.contains("0 new, 1 reviewed later"), "\(run.messages)")
    }

    @Test func `stays behind a review that is later than the file, also if that does not say so`() throws {
        try export.write("finding_id,status\n\(id),ok\n", to: "filled.csv")
        let path = export.path("filled.csv")
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: path)
        #expect(try review(id, "--as", "fraud", "--by", "carla").exitCode == 0)
        #expect(try review("--import", path, "--by", "anna").messages.contains("0 new, 1 reviewed later"))
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: path)
        #expect(try review("--import", path, "--by", "anna").messages.contains("1 new"))
    }

    @Test func `keeps notes beside the status open without a word if they are the ledger's`() throws {
        #expect(try review(id, "--as", "ok", "--note", "why", "--until", "2026-06-30", "--by", "anna").exitCode == 0)
        try ReviewedNight.run(export)
        #expect(try cells()[..<3] == [id, "open", "why"])
        #expect(try !review("--import", export.path("report.xlsx"), "--by", "anna").messages.contains("left out"))
        #expect(try fill(try cells()) { $0[2] = "other" }.messages.contains("left out 1 note beside the status open"))
    }

    @Test func `is of a run that says how many findings reviews closed`() throws {
        #expect(try !ReviewedNight.run(export).messages.contains("closed by reviews"))
        #expect(try review(id, "--as", "ok", "--by", "anna").exitCode == 0)
        #expect(try ReviewedNight.run(export).messages.contains("\nclosed by reviews: 1 finding\n"))
        let overview = try #require(try Overview(export.path("report.xlsx")))
        #expect(overview.text.contains("Findings by status") && overview.text.contains("reviews closed 1 more"))
        let json = try AuditProcess(
            [
                "run", export.path("sample/receipts"), "--root", export.path("sample/root.cer"), "--as-of",
                "2026-06-30",
                "--log-format", "json",
            ] + state)
        #expect(json.messages.contains("\"closed_findings\":1"), "\(json.messages)")
    }
}

/// A night with a ledger, and a finding of it about which somebody decides.
private enum ReviewedNight {
    static func begin() throws -> (export: TestExport, id: String) {
        let export = try TestExport(beginning: "import") { export in
            try export.writeSample(count: 60, seed: 7, plantShare: 0.4)
            let run = try Self.run(export)
            #expect(run.exitCode == 0, "\(run.messages)")
        }
        let table = table(export.text(of: "fraud.csv") ?? "")
        return (export, try #require(table.first { $0["rule"] == "shared-receipt" }?["finding_id"]))
    }

    @discardableResult
    static func run(_ export: TestExport) throws -> AuditProcess {
        try AuditProcess([
            "run", export.path("sample/receipts"), "--root", export.path("sample/root.cer"), "--as-of", "2026-06-30",
            "--state", export.path("ledger.db"), "--report", "fraud=" + export.path("fraud.csv"), "--report",
            export.path("report.xlsx"),
        ])
    }
}

/// A page keeps decisions in the browser, and downloads them as CSV.
struct `The decisions of a page` {
    private let export: TestExport
    private let id: String

    init() throws {
        (export, id) = try ReviewedNight.begin()
    }

    private var state: [String] { ["--state", export.path("ledger.db")] }
    private var reviews: String { get throws { try AuditProcess(["history", "--reviews"] + state).output } }

    /// Imports a row of the file that a page downloads.
    private func download(
        _ status: String, note: String = "", by: String = "anna", at: String, recorded: String = "open",
        _ recordedAt: String = "",
        _ options: String...
    ) throws -> AuditProcess {
        try export.write(
            "finding_id,status,note,reviewed_by,reviewed_at,recorded_status,recorded_at\r\n"
                + "\(id),\(status),\"\(note)\",\"\(by)\",\"\(at)\",\"\(recorded)\",\"\(recordedAt)\"\r\n",
            to: "decisions.csv")
        return try AuditProcess(["review", "--import", export.path("decisions.csv")] + state + options)
    }

    @Test func `are by whom and of when the file says, unless the command says by whom`() throws {
        #expect(try download("ok", note: "a test phone", at: "2026-07-01T09:30:00Z").messages.contains("1 new"))
        let first = try reviews
        #expect(first.contains(/2026-07-01T09:30:00Z +ok +shared-receipt\s+\S+\s+by anna: a test phone/), "\(first)")
        let run = try download(
            "fraud", at: "2026-07-01T09:40:00Z", recorded: "ok", "2026-07-01T09:30:00Z", "--by", "boris")
        #expect(run.messages.contains("1 new\n"), "\(run.messages)")
        let both = try reviews
        #expect(both.contains(/2026-07-01T09:40:00Z +fraud +shared-receipt\s+\S+\s+by boris/), "\(both)")
    }

    @Test func `are not of a day to come, whatever clock the browser has`() throws {
        #expect(try download("ok", at: "9999-01-01T00:00:00Z").exitCode == 0)
        #expect(try !reviews.contains("9999"))
    }

    @Test func `have the notes that were typed, also those that a spreadsheet would obey`() throws {
        #expect(try download("ok", note: "'=1+1;'@x 'quoted'", at: "2026-07-01T09:30:00Z").exitCode == 0)
        let text = try reviews
        #expect(text.contains(": =1+1;@x 'quoted'"), "\(text)")
    }

    @Test func `do not override what others decided since the page was made, in whatever order files come`() throws {
        #expect(try download("ok", at: "2026-07-01T09:30:00Z").exitCode == 0)
        let later = try download(
            "fraud", by: "boris", at: "2026-07-01T10:00:00Z", recorded: "ok", "2026-07-01T09:30:00Z")
        #expect(later.messages.contains("1 new"), "\(later.messages)")
        let before = try reviews
        let old = try download("ok", at: "2026-07-01T09:30:00Z")
        #expect(
            old.messages.contains("0 new, 1 reviewed later") && old.messages.contains("fraud in the ledger, by boris"))
        #expect(try reviews == before)
    }
}

/// Reviews have whole seconds.
enum AuditClock {
    static func wait() throws { try #require(usleep(1_050_000) == 0) }
}

/// The texts of a workbook.
private struct Overview {
    let text: String

    init?(_ path: String) throws {
        guard let archive = ArchiveReader(path) else { return nil }
        var bytes: [UInt8] = []
        _ = try archive.read("xl/sharedStrings.xml") { piece in
            bytes.append(copying: piece)
            return true
        }
        text = String(decoding: bytes, as: UTF8.self)
    }
}
