import Foundation
import Testing

/// The messages about a wrong command line.
struct `A wrong command line` {
    private func messages(_ arguments: String...) throws -> String {
        let run = try AuditProcess(arguments)
        #expect(run.exitCode == 64 && run.output == "", "\(arguments)")
        return run.messages
    }

    @Test(arguments: [
        ("runn", "there is no command “runn”. Did you mean run?"),
        ("verify", "there is no command “verify”. Did you mean run?"),
        ("hsitory", "there is no command “hsitory”. Did you mean history?"),
        ("sample", "there is no command “sample”. Did you mean audit-lab sample?\n"),
        ("attacks", "there is no command “attacks”. Did you mean audit-lab attacks?\n"),
        ("zzzzzz", "there is no command “zzzzzz”.\n"), ("a\u{202e}b", "there is no command “a\\u{202e}b”."),
    ])
    func `names the command that was probably meant`(command: String, message: String) throws {
        #expect(try messages(command, "x").hasPrefix("audit: error: \(message)"))
    }

    @Test(arguments: [
        (["ledger", "chek", "--state", "x"], "there is no command “ledger chek”. Did you mean ledger check?\nUsage: "),
        (["ledger", "x"], "there is no command “ledger x”.\nUsage: audit ledger <subcommand>\n"),
        (["help", "runn"], "there is no command “runn”. Did you mean run?\nUsage: audit <subcommand>\n"),
        (["help", "ledger", "bakup"], "there is no command “ledger bakup”. Did you mean ledger backup?\n"),
        (["runn", "--help"], "there is no command “runn”. Did you mean run?\n"),
        (["ledger", "chek", "-h"], "there is no command “ledger chek”. Did you mean ledger check?\n"),
    ])
    func `names the command that was probably meant, also where help was asked for`(
        arguments: [String], message: String
    ) throws {
        let run = try AuditProcess(arguments)
        #expect(run.exitCode == 64 && run.output == "", "\(run.output)")
        #expect(run.messages.hasPrefix("audit: error: \(message)"), "\(run.messages)")
    }

    @Test(arguments: [
        (["--memory", "0"], "must be a size from 1K to 64T"), (["--memory", "1"], "must be a size from 1K to 64T"),
        (["--memory", "2 gigs"], "must be a size from 1K to 64T"), (["--min-claims", "-1"], "must be 0 or more"),
        (["--max-unreadable", "-0.1"], "must be from 0 to 1"), (["--workers", "-1"], "must be from 1 to 128"),
        (["-j0"], "must be from 1 to 128"), (["-j", "many"], "The value 'many' is invalid for '-j <workers>'"),
        (["-o{day}.csv"], "{day} is not known; use {date} and {time}"),
    ])
    func `has values that are not what they must be`(options: [String], reason: String) throws {
        let run = try AuditProcess(["run", "x"] + options)
        #expect(run.exitCode == 64 && run.messages.contains(reason), "\(run.messages)")
    }

    @Test func `is told of in one form, a line for each problem, by all commands`() throws {
        let export = try TestExport()
        try export.write("surprise: 1\nmystery: 2\n", to: "broken.yml")
        for arguments in [
            ["run", export.path("none")], ["run", "--job", export.path("broken.yml")],
            ["run", "x", "-zz"], ["map", "--as-of", "2026-01-01", "--policy", export.path("broken.yml")],
            ["show", "no", "account:x"],
            ["reduce", "--as-of", "2026-01-01", "--root", "none.cer"],
        ] {
            let run = try AuditProcess(arguments)
            let lines = run.messages.split(separator: "\n").prefix { !$0.hasPrefix("Usage:") }
            #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("audit: error: ") }, "\(run.messages)")
            #expect(!run.messages.contains("\\u{a}"))
        }
    }

    @Test(arguments: [
        ("--ouput", "--report"), ("--output", "--report"), ("--asof", "--as-of"), ("--plicy=p.yml", "--policy"),
        ("--threads", "--workers"),
    ])
    func `names the option that was probably meant`(option: String, meant: String) throws {
        let name = option.split(separator: "=")[0]
        #expect(
            try messages("run", "x", option).hasPrefix(
                "audit: error: there is no option \(name). Did you mean \(meant)?\n"))
    }

    @Test func `names no other option where none is near`() throws {
        #expect(try messages("run", "x", "--zzzzzzzz").hasPrefix("audit: error: there is no option --zzzzzzzz.\n"))
        // Arguments after -- are not options.
        #expect(try AuditProcess(["run", "--", "--ouput"]).exitCode == 2)
    }

    @Test func `is told how the command is used`() throws {
        #expect(try messages("run", "x", "--workers", "0").contains("\nUsage: audit run "))
        #expect(try messages("run").hasPrefix("audit: error: Missing expected argument"))
    }

    @Test(arguments: [
        ("--device", "zz"), ("--device", "7EB61F70E56D46F1AC3A84D1B43829D"), ("--device-verification-id", "zz"),
    ])
    func `of inspect has a device id that is none`(option: String, id: String) throws {
        let reason = option == "--device" ? "is neither a UUID" : "is not a UUID"
        #expect(try messages("inspect", "receipt.der", option, id).contains("\(option) \(id) \(reason)"))
    }
}

/// `--help`, `--version`, `--color` and short options.
struct `The command line` {
    private static let commands = [
        [], ["run"], ["inspect"], ["show"], ["review"], ["rules"], ["map"], ["reduce"],
        ["rows"], ["doctor"], ["history"], ["forget"], ["ledger"], ["ledger", "check"],
        ["ledger", "backup"],
    ]

    @Test(arguments: commands) func `has examples and tables that are not broken at 80 columns`(command: [String])
        throws
    {
        try checkHelp(AuditProcess(command + ["--help"], environment: ["COLUMNS": "80"]))
    }

    @Test(arguments: [[], ["sample"], ["honest"], ["attacks"], ["demo"]])
    func `of audit-lab has examples that are not broken at 80 columns`(command: [String]) throws {
        try checkHelp(AuditProcess(lab: command + ["--help"], environment: ["COLUMNS": "80"]))
    }

    private func checkHelp(_ help: AuditProcess) {
        #expect(help.exitCode == 0)
        let lines = help.output.split(separator: "\n", omittingEmptySubsequences: false)
        let isHeading = { (line: Substring) in !line.isEmpty && line.allSatisfy { $0.isUppercase || $0 == " " } }
        var isInSection = false
        for line in lines.prefix(while: { !$0.hasPrefix("USAGE:") }) {
            if isHeading(line) { isInSection = true } else if line.isEmpty { isInSection = false }
            if isInSection, !isHeading(line) { #expect(line.hasPrefix("  ") && line.count <= 80, "\(line)") }
        }
        let usage = lines.drop { !$0.hasPrefix("USAGE:") }.prefix { !$0.isEmpty }
        #expect(!usage.isEmpty && usage.allSatisfy { $0.count <= 80 }, "\(usage)")
    }

    @Test func `says its version and the libraries in use`() throws {
        let lines = try AuditProcess(["--version"]).output.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].hasPrefix("0.3.0"))
        for library in ["OpenSSL 3.", "SQLite 3.", "libcsv ", "zlib 1.", "libxlsxwriter 1."] {
            #expect(lines[1].contains(library))
        }
    }

    @Test func `of audit-lab says its version`() throws {
        #expect(try AuditProcess(lab: ["--version"]).output.hasPrefix("0.3.0"))
    }

    @Test func `has colours only if asked for them, or on a terminal`() throws {
        let escape = "\u{1b}["
        #expect(try !AuditProcess(["rules"]).output.contains(escape))
        #expect(try AuditProcess(["rules", "--color", "always"]).output.contains(escape))
        let runs = [
            "TERM=xterm '$0' rules", "TERM=dumb '$0' rules", "TERM=xterm NO_COLOR=1 '$0' rules",
            "TERM=xterm '$0' rules --color never",
        ]
        // script(1) is a terminal until its own input ends: a pipe that it can write itself never does.
        let script = """
            unset NO_COLOR; pipe=$(mktemp -u); mkfifo "$pipe"
            script -qec "\(runs.joined(separator: "; echo =====; "))" /dev/null <> "$pipe"; rm "$pipe"
            """
        let outputs = try AuditProcess(shell: script, []).output.components(separatedBy: "=====")
        #expect(outputs.map { $0.contains(escape) } == [true, false, false, false])
        #expect(outputs.allSatisfy { $0.contains("forged-signature") })
        #expect(try AuditProcess(["rules", "--color", "red"]).exitCode == 64)
    }

    @Test func `says that it reads from a terminal, and only then`() throws {
        let said = "reading from the terminal"
        let typed = try AuditProcess(shell: "printf '\\004\\004' | script -qec \"'$0' inspect -\" /dev/null", [])
        #expect(typed.output.contains(said))
        #expect(try !AuditProcess(shell: "\"$0\" inspect - < /dev/null", []).messages.contains(said))
    }

    @Test func `has the short options that are usual`() throws {
        let export = try TestExport()
        try export.writeSample(count: 5, seed: 1)
        let run = try AuditProcess([
            "run", export.path("sample/receipts"), "--root", export.path("sample/root.cer"), "-q", "-j", "2", "-o",
            export.path("out.csv"), "-o", "fraud=" + export.path("fraud.csv"),
        ])
        #expect(run.exitCode == 0 && run.messages == "")
        #expect(export.text(of: "out.csv") != nil && export.text(of: "fraud.csv") != nil)
        let joined = try AuditProcess(
            ["run", "sample/receipts", "--root", "sample/root.cer", "-qj2", "-oo.csv", "-ofraud=f.csv"],
            in: export.folder)
        #expect(joined.exitCode == 0 && joined.messages == "")
        #expect(export.text(of: "o.csv") == export.text(of: "out.csv") && export.text(of: "f.csv") != nil)
    }
}
