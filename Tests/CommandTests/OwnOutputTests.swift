import Foundation
import Testing

/// What a run writes, where it reads.
struct `A run's own files` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        try export.write(TestExport.receipt(), to: "a.der")
    }

    @Test(arguments: [
        ["t.csv", "--report", "t.csv"], ["t.csv", "--report", "fraud=./t.csv"], ["t.csv", "--metrics", "t.csv"],
        ["t.csv", "--state", "t.csv"], ["f", "--devices", "t.csv", "--report", "t.csv"],
        ["a.der", "--policy", "p.csv", "--report", "p.csv"], ["a.der", "--pseudonymise", "p.csv", "--report", "p.csv"],
        ["a.der", "--root", "p.csv", "--report", "p.csv"], ["--job", "p.csv", "a.der", "--report", "p.csv"],
        ["a.der", "--baseline", "p.csv", "--report", "p.csv"], ["t.csv.previous", "--state", "t.csv"],
        ["a.der", "--policy", "p.csv", "--report", "hard-link.csv"],
    ])
    func `never take the place of what is read`(arguments: [String]) throws {
        try export.write(TestExport.receipt(), to: "f/a.der")
        let read = ["t.csv", "f/devices.csv", "p.csv", "t.csv.previous"]
        // A job that says nothing, and whatever else: the file is not read before it is refused.
        let text = arguments.contains("--job") ? "version: 1\n" : "file\na.der\n"
        for name in read { try export.write(text, to: name) }
        try FileManager.default.linkItem(atPath: export.path("p.csv"), toPath: export.path("hard-link.csv"))
        let run = try run(arguments)
        #expect(run.exitCode == 64, "\(run.messages)")
        #expect(run.messages.contains("which this run reads"))
        for name in read { #expect(export.text(of: name) == text) }
    }

    @Test(arguments: [
        ["--report", "o.csv", "--report", "fraud=o.csv"], ["--report", "o.csv", "--report", "./o.csv"],
        ["--report", "o.csv", "--metrics", "o.csv"],
    ])
    func `do not take each other's place`(arguments: [String]) throws {
        let run = try run(["a.der"] + arguments)
        #expect(run.exitCode == 64)
        #expect(run.messages.contains("are the same file"))
        #expect(export.text(of: "o.csv") == nil)
    }

    @Test func `may take the place of the baseline they are compared with`() throws {
        #expect(try run(["a.der", "--report", "fraud=f.csv"]).exitCode == 0)
        #expect(try run(["a.der", "--report", "fraud=f.csv", "--baseline", "f.csv"]).exitCode == 0)
    }

    @Test func `may be a ledger that is also the previous one, as a run leaves it that ends between the two`() throws {
        for _ in 1...2 { #expect(try run(["a.der", "--state", "l.db"]).exitCode == 0) }
        try FileManager.default.removeItem(atPath: export.path("l.db.previous"))
        try FileManager.default.linkItem(atPath: export.path("l.db"), toPath: export.path("l.db.previous"))
        let run = try run(["a.der", "--state", "l.db"])
        #expect(run.exitCode == 0, "\(run.messages)")
        #expect(
            try Data(contentsOf: URL(filePath: export.path("l.db")))
                != Data(contentsOf: URL(filePath: export.path("l.db.previous"))))
    }

    @Test func `may go nowhere, several of them`() throws {
        #expect(try run(["a.der", "--report", "/dev/null"]).exitCode == 64, "which has no extension")
        try FileManager.default.createSymbolicLink(atPath: export.path("n.csv"), withDestinationPath: "/dev/null")
        #expect(try run(["a.der", "--report", "n.csv", "--report", "fraud=n.csv"]).exitCode == 0)
    }

    @Test(arguments: ["Fraud=o.csv", "receipt=o.csv", "receipt-data=o.csv"])
    func `are not named after a table that there is not`(report: String) throws {
        let run = try run(["a.der", "--report", report])
        #expect(run.exitCode == 64)
        #expect(run.messages.contains("there is no table"))
        #expect(try self.run(["a.der", "--report", "./" + report]).exitCode == 0)
        #expect(export.text(of: report) != nil)
    }

    @Test func `are quoted without what a terminal would obey, if there is no such table`() throws {
        let run = try AuditProcess(
            "run", "claims.ndjson", "--as-of", "2026-06-30", "--report", "frauk=a\u{1b}[31m\tb.csv")
        #expect(run.exitCode == 64)
        #expect(run.messages.contains(#"write ./frauk=a\u{1b}[31m\u{9}b.csv"#), "\(run.messages)")
        #expect(!run.messages.contains("\u{1b}"))
    }

    @Test func `are not mixed up when standard output is closed`() throws {
        let run = try AuditProcess(
            shell: "\"$0\" \"$@\" >&-",
            [
                "run", export.path("a.der"), "--root", export.root, "--as-of", "2026-06-30", "--report", "-",
                "--report",
                "fraud=" + export.path("f.csv"),
            ])
        #expect(run.exitCode == 2)
        #expect(export.text(of: "f.csv") == nil)
    }

    @Test func `are not made of a closed standard input`() throws {
        let run = try AuditProcess(
            shell: "\"$0\" \"$@\" <&-", ["run", "-", "--root", export.root, "--as-of", "2026-06-30", "--report", "-"])
        #expect(run.exitCode == 2)
        #expect(run.output == "")
    }

    @Test func `state the reference time, in whole seconds`() throws {
        let run = try run(["a.der", "--as-of", "2026-06-30T00:00:00.9Z", "--report", "summary=-.json"])
        let again = try self.run(["a.der", "--as-of", "2026-06-30", "--report", "summary=-.json"])
        #expect(run.exitCode == 0)
        #expect(run.output == again.output)
    }

    private func run(_ arguments: [String]) throws -> AuditProcess {
        let asOf = arguments.contains("--as-of") ? [] : ["--as-of", "2026-06-30"]
        return try AuditProcess(
            ["run"] + arguments + ["--root", export.root, "--quiet"] + asOf, in: URL(filePath: export.path("")))
    }
}
