import Foundation
import Testing

/// Outputs in a folder that is an INPUT, in which others name files.
struct `An output inside an INPUT` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        for name in ["in/a.der", "in/sub/b.der", "b.der"] { try export.write(TestExport.receipt(), to: name) }
        try export.write("old", to: "in/old.csv")
        try export.write("old", to: "elsewhere.csv")
        let links = [
            ("link", "in"), ("sub-link", "in/sub"), ("to-old.csv", "in/old.csv"), ("in/away.csv", "../elsewhere.csv"),
        ]
        for (name, target) in links {
            try FileManager.default.createSymbolicLink(atPath: export.path(name), withDestinationPath: target)
        }
    }

    @Test(
        arguments: [
            ["in", "--report", "in/o.csv"], ["in", "--report", "fraud=in/o.xlsx"], ["in", "--report", "in/old.csv"],
            ["in", "--metrics", "in/m.prom"], ["in", "--state", "in/s.db"], ["in", "--report", "in/sub/o.csv"],
            ["in", "--report", "in/new/newer/o.csv"], ["in/", "--report", "./in/../in/./sub/../o.csv"],
            ["in", "--report", "new/../in/o.csv"], ["in", "--report", "new/newer/../../in/sub/o.csv"],
            ["link", "--report", "in/o.csv"], ["in", "--report", "link/o.csv"], ["in", "--report", "sub-link/o.csv"],
            ["in/sub/..", "--report", "in/o.csv"], ["in", "--report", "to-old.csv"], ["in", "--report", "in/away.csv"],
            [".", "--report", "o.csv"], ["b.der", "in", "--report", "in/o.csv"],
            ["in", "in/sub", "--report", "in/o.csv"],
            ["in", "--report", "o.csv", "--report", "fraud=in/o.csv"],
        ])
    func `is refused, however the two are written`(arguments: [String]) throws {
        let before = try contents()
        let run = try run(arguments)
        #expect(run.exitCode == 64, "\(run.messages)")
        #expect(run.messages.contains("is inside the INPUT"), "\(run.messages)")
        #expect(run.messages.contains("choose another folder"))
        #expect(try contents() == before)
    }

    @Test func `is refused by its absolute path, too, and both paths are named`() throws {
        let run = try run([export.path("in"), "--report", "in/o.csv"])
        #expect(run.exitCode == 64)
        #expect(
            run.messages == """
                audit: error: --report in/o.csv is inside the INPUT \(export.path("in")), where every file is read as a \
                receipt; choose another folder

                """)
    }

    @Test func `is refused if it is standard output or a temporary file`() throws {
        let redirected = try AuditProcess(
            shell: "cd \"$(dirname \"$1\")\" && \"$0\" \"${@:2}\" > in/o.csv",
            [export.path("x")] + command(["in", "--report", "-"]))
        #expect(redirected.exitCode == 64)
        #expect(redirected.messages.contains("standard output is inside the INPUT in"), "\(redirected.messages)")
        let spilling = try run(["in", "--report", "o.csv"], environment: ["TMPDIR": export.path("in/sub")])
        #expect(spilling.exitCode == 64)
        #expect(spilling.messages.contains("TMPDIR (\(export.path("in/sub"))) is inside the INPUT in"))
    }

    @Test(
        arguments: [
            ["in", "--report", "o.csv"], ["in/sub", "--report", "in/o.csv"], ["in", "--report", "out/in/o.csv"],
            ["in/a.der", "--report", "in/o.csv"], ["in", "--report", "in/../o.csv"], ["in", "--report", "input.csv"],
            ["in", "--report", "in-2/o.csv"],
        ])
    func `is not what stands beside or above it`(arguments: [String]) throws {
        let run = try run(arguments)
        #expect(run.exitCode == 0, "\(run.messages)")
    }

    @Test func `would hide no receipt and have none deleted by its name`() throws {
        for name in ["fraud.csv-wal", ".fraud.csv.audit-AbCdEf", "fraud.csv"] {
            try export.write(TestExport.receipt(), to: "in/" + name)
        }
        #expect(try run(["in", "--report", "fraud=fraud.csv", "--report", "o.csv"]).exitCode == 0)
        let sources = table(export.text(of: "o.csv") ?? "").compactMap { $0["source"] }
        #expect(Set(sources).isSuperset(of: ["fraud.csv-wal", ".fraud.csv.audit-AbCdEf", "fraud.csv"]))
        #expect(try export.names(in: "in").contains(".fraud.csv.audit-AbCdEf"))
    }

    @Test func `is what a killed run left, but not where rows name receipts`() throws {
        let left = ".o.csv.audit-AbCdEf"
        // In its own folder it goes.
        try export.write("half a report", to: "out/" + left)
        #expect(try run(["in", "--report", "out/o.csv"]).exitCode == 0)
        #expect(try export.names(in: "out") == ["o.csv"])
        // In a table's folder it may be a receipt.
        try export.write("file\nout/\(left)\n", to: "t.csv")
        for folder in ["", "out/"] {
            try export.write(TestExport.receipt(), to: folder + left)
            let code: Int32 = folder.isEmpty ? 3 : 0
            #expect(try run(["t.csv", "--report", folder + "o.csv"]).exitCode == code, "\(folder)")
            #expect(try export.names(in: folder.isEmpty ? "." : folder).contains(left))
        }
        #expect(table(export.text(of: "out/o.csv") ?? "").first?["verdict"] == "valid")
        let piped = try AuditProcess(
            shell: "cd \"$(dirname \"$1\")\" && echo '{\"file\":\"out/\(left)\"}' | \"$0\" \"${@:2}\"",
            [export.path("x")] + command(["-", "--report", "out/o.csv"]))
        #expect(piped.exitCode == 0, "\(piped.messages)")
        #expect(try export.names(in: "out").contains(left))
    }

    private func command(_ arguments: [String]) -> [String] {
        ["run"] + arguments + ["--root", export.root, "--quiet", "--as-of", "2026-06-30"]
    }

    private func run(_ arguments: [String], environment: [String: String] = [:]) throws -> AuditProcess {
        try AuditProcess(command(arguments), environment: environment, in: URL(filePath: export.path("")))
    }

    private func contents() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: export.path("")).sorted()
    }
}

/// A run whose output is its own standard input.
struct `Standard input` {
    @Test(arguments: ["x.ndjson", "./x.ndjson", "fraud=x.ndjson", "link.ndjson"])
    func `is not replaced by a report of what it holds`(report: String) throws {
        let export = try TestExport()
        let line = #"{"receipt_data":"MAA="}"# + "\n"
        try export.write(line, to: "x.ndjson")
        try FileManager.default.createSymbolicLink(
            atPath: export.path("link.ndjson"), withDestinationPath: "x.ndjson")
        let run = try AuditProcess(
            shell: "cd \"$(dirname \"$1\")\" && \"$0\" \"${@:2}\" < x.ndjson",
            [export.path("x"), "run", "-", "--root", export.root, "--as-of", "2026-06-30", "--report", report])
        #expect(run.exitCode == 64)
        #expect(run.messages.contains("would replace standard input, which this run reads"))
        #expect(export.text(of: "x.ndjson") == line)
    }
}
