import Corpus
import Foundation
import Ledgers
import SampleStore
import Testing

/// SIGTERM at every moment of a run: the exit code tells whether reports changed.
struct `A run that is terminated` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        for index in 0..<50 { try export.write(TestExport.receipt(), to: "receipts/\(index).der") }
        try FileManager.default.createDirectory(atPath: export.path("out"), withIntermediateDirectories: true)
    }

    private var command: [String] {
        [
            "run", export.path("receipts"), "--root", export.root, "--as-of", "2026-06-30", "--report",
            export.path("out/a.csv"), "--report", "fraud=" + export.path("out/b.csv"), "--state",
            export.path("ledger.db"),
        ]
    }

    private func writeOldReports() throws {
        for name in ["a", "b"] { try export.write("old", to: "out/\(name).csv") }
    }

    private var isPublished: Bool { (try? LedgerHistory(export.path("ledger.db")))?.runs.isEmpty == false }

    @Test func `ends with 143 and the old reports, or with 0 and the new ones, whenever it is`() throws {
        let start = Date()
        let undisturbed = try AuditProcess(command)
        let duration = Date().timeIntervalSince(start)
        #expect(undisturbed.exitCode == 0, "\(undisturbed.messages)")
        let new = ["a", "b"].map { export.text(of: "out/\($0).csv") }
        let count = Exhaustive.isOn ? 24 : 8
        for moment in 0..<count {
            try writeOldReports()
            let run = try AuditProcess.Running(command)
            usleep(useconds_t(duration * 1.1 * 1_000_000 * Double(moment) / Double(count)))
            kill(run.process.processIdentifier, SIGTERM)
            let ended = run.finish()
            let found = ["a", "b"].map { export.text(of: "out/\($0).csv") }
            switch ended.exitCode {
            case 0: #expect(found == new)
            case 143: #expect(found == ["old", "old"])
            default: Issue.record("exit code \(ended.exitCode): \(ended.messages)")
            }
            #expect(try export.names(in: "out") == ["a.csv", "b.csv"])
        }
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `is in the history and the metrics, with its signal`(signal: Int32) throws {
        let metrics = export.path("audit.prom")
        #expect(try AuditProcess(command + ["--metrics", metrics]).exitCode == 0)
        // Standard input that would not end for a minute. While it is read, the ledger is open.
        let input = try AuditProcess(
            shell: #"""
                env --default-signal=HUP "$0" run - --root "$1"/root.cer --as-of 2026-06-30 --state "$1"/ledger.db \
                    --metrics "$1"/audit.prom --quiet < <(timeout 60 yes '{"receipt_data":"x"}') &
                until ls "$1"/.ledger.db.audit-* 2> /dev/null; do sleep 0.05; done
                sleep 0.5; kill -\#(signal) $!; wait $!
                """#, [export.folder.path()])
        #expect(input.exitCode == 128 + signal, "\(input.messages)")
        let text = try #require(export.text(of: "audit.prom"))
        #expect(text.contains("\naudit_last_exit_code \(128 + signal)\n"), "\(text)")
        #expect(text.contains("\naudit_claims{verdict=\"valid\"} 50\n"))
        let name = [SIGTERM: "SIGTERM", SIGINT: "SIGINT", SIGHUP: "SIGHUP"][signal] ?? ""
        let failures = try LedgerHistory(export.path("ledger.db")).failures
        #expect(failures.map(\.reason) == ["stopped by \(name)"])
        #expect(!input.messages.contains("too late"))
    }

    @Test func `when its reports are in place goes on, ends with 0 and says so`() throws {
        try writeOldReports()
        // Nobody reads the run's last messages, so that it blocks there.
        let messages = Pipe()
        let writing = messages.fileHandleForWriting.fileDescriptor
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
        while unsafe write(writing, "x", 1) == 1 {}
        _ = fcntl(writing, F_SETFL, 0)
        let process = Process()
        process.executableURL = URL(filePath: AuditProcess.path)
        process.arguments = command
        process.standardError = messages
        try process.run()
        // Its ledger is there when the reports are in place.
        let deadline = Date(timeIntervalSinceNow: 3600)
        while !isPublished, Date() < deadline { usleep(10_000) }
        kill(process.processIdentifier, SIGTERM)
        usleep(2_500_000)
        #expect(process.isRunning, "a second after the signal it would end, if its reports were not in place")
        try messages.fileHandleForWriting.close()
        let text = String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        let message = "signal 15 arrived too late to stop the run: all reports were replaced"
        #expect(text.contains(message), "\(text.suffix(500))")
        #expect(export.text(of: "out/a.csv")?.hasPrefix("source,") == true)
        #expect(export.text(of: "out/b.csv")?.hasPrefix("severity,") == true)
    }
}
