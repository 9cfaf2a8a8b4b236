import Foundation
import SampleStore
import Testing

struct `The report of a run` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        try export.write(TestExport.receipt(), to: "receipts/a.der")
    }

    @Test func `goes where it was asked for, in folders that were missing, dated as of the audit`() throws {
        let run = try export.audit("--report", export.path("reports/2026/{date}.csv"))
        #expect(run.exitCode == 0)
        #expect(run.output == "")
        #expect(try export.names(in: "reports/2026") == ["2026-06-30.csv"])
        #expect(table(export.text(of: "reports/2026/2026-06-30.csv") ?? "").count == 1)
    }

    @Test func `is summed up on standard error only`() throws {
        let run = try export.audit("--report", "-")
        #expect(run.messages.contains("1 claim as of 2026-06-30T00:00:00Z"))
        #expect(run.messages.contains("1 valid"))
        #expect(!run.messages.contains("\u{1b}"))
        #expect(!run.output.contains("claims"))
    }

    @Test func `is of receipts, with a warning if its file has the name of another table`() throws {
        let path = export.path("unclaimed.csv")
        let run = try export.audit("--quiet", "--report", path)
        #expect(run.messages.contains("writes the table receipts; for the table unclaimed: --report unclaimed=\(path)"))
        #expect(export.text(of: "unclaimed.csv")?.hasPrefix("source,") == true)
        #expect(try export.audit("--quiet", "--report", "unclaimed=\(path)").messages == "")
    }

    @Test func `comes without a word if the run is quiet`() throws {
        #expect(try export.audit("--quiet", "--report", export.path("out.csv")).messages == "")
    }

    @Test(arguments: [
        ["run", "nowhere/"], ["run", "receipts", "--devices", "nowhere.csv"],
        ["run", "receipts", "--root", "nowhere.cer"], ["run", "receipts", "--root", "receipts/a.der"],
        ["run", "receipts", "--report", "root.cer/out.csv"],
    ])
    func `is its old self after a job that cannot be done`(arguments: [String]) throws {
        try export.write("old", to: "old.csv")
        let run = try AuditProcess(arguments + ["--report", "old.csv"], in: export.folder)
        #expect(run.exitCode == 2)
        #expect(run.messages.hasPrefix("audit: error: "))
        #expect(export.text(of: "old.csv") == "old")
        #expect(try export.names(in: ".") == ["old.csv", "receipts", "root.cer"])
    }

    @Test(arguments: [
        ["run"], ["run", ".", "--workers", "0"], ["run", ".", "--workers", "129"], ["run", ".", "--report", "out.doc"],
        ["run", ".", "--as-of", "soon"], ["run", ".", "--report", "fraud=out.doc"], ["run", ".", "--no-such-option"],
        ["no-such-command"],
        ["run", ".", "--report", "-", "--report", "-"],
    ])
    func `is not begun when the usage is wrong`(arguments: [String]) throws {
        let run = try AuditProcess(arguments, in: export.folder)
        #expect(run.exitCode == 64)
        #expect(try export.names(in: ".") == ["receipts", "root.cer"])
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func `is its old self after an interruption, long before it would end`(signal: Int32, code: Int32) throws {
        try export.write("old", to: "old.csv")
        // A manifest that keeps it busy for long after the signal.
        try export.write(
            "file,device_id\n" + String(repeating: "a.der,\n", count: 400_000), to: "receipts/devices.csv")
        let running = try AuditProcess.Running([
            "run", export.path("receipts"), "--report", export.path("old.csv"),
        ])
        usleep(300_000)
        kill(running.process.processIdentifier, signal)
        // A moment; the whole run takes minutes.
        #expect(running.processorTimeToEnd() < 30)
        let run = running.finish()
        #expect(run.exitCode == code)
        #expect(export.text(of: "old.csv") == "old")
        #expect(try export.names(in: ".") == ["old.csv", "receipts", "root.cer"])
    }

    @Test func `may be read no further than its reader likes`() throws {
        try export.writeSample(count: 400, seed: 3, forgeryShare: 0)
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/bash")
        shell.arguments = [
            "-c", "set -o pipefail; \"$0\" run \"$1\" --report - --quiet | head -n 1 >/dev/null", AuditProcess.path,
            export.path("sample/receipts"),
        ]
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
    }
}
