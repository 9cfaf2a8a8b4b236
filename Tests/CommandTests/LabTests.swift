import Corpus
import Foundation
import Testing

struct `audit-lab` {
    /// `make check` types these commands of the README, too.
    @Test(.enabled(if: Exhaustive.isOn))
    func `demo writes a sample, anew if it is there, and shows commands that audit it`() throws {
        let export = try TestExport()
        let demo = try AuditProcess(lab: ["demo"], in: export.folder)
        #expect(demo.exitCode == 0)
        #expect(demo.messages.hasPrefix("demo: 2000 claims, "))
        let programs = URL(filePath: AuditProcess.path).deletingLastPathComponent().path()
        let audit = try AuditProcess(
            shell: #"cd "$1" && PATH=$2:$PATH && . ./commands"#,
            [write(demo.output, to: export), programs])
        // The last command inspects one claim, which may be invalid.
        #expect(audit.exitCode <= 1, "\(audit.messages)")
        #expect(audit.messages.contains("2,000 claims as of 2026-06-30T00:00:00Z"))
        #expect(export.text(of: "fraud.csv")?.contains("fraud-ring") == true)
        #expect(export.text(of: "report.html") != nil)
        #expect(audit.output.contains("VALID"))
        try export.write("mine", to: "demo/notes.txt")
        #expect(try AuditProcess(lab: ["demo"], in: export.folder).messages == demo.messages)
        #expect(export.text(of: "demo/notes.txt") == "mine")
    }

    private func write(_ commands: String, to export: TestExport) throws -> String {
        try export.write(commands, to: "commands")
        return export.folder.path()
    }

    @Test func `demo replaces no folder that holds something else`() throws {
        let export = try TestExport()
        try export.write("mine", to: "demo/notes.txt")
        let refused = try AuditProcess(lab: ["demo"], in: export.folder)
        #expect(refused.exitCode == 2 && refused.output == "")
        #expect(
            refused.messages == "audit-lab: error: demo is not empty, and it is not an export made by this command\n")
        #expect(export.text(of: "demo/notes.txt") == "mine")
    }

    @Test func `honest writes a population that is audited as it says`() throws {
        let export = try TestExport()
        let people = export.path("people")
        let made = try AuditProcess(lab: ["honest", people, "--count", "20", "--seed", "3"])
        #expect(made.exitCode == 0)
        #expect(made.messages.contains(" claims of 20 honest people and "))
        let run = try AuditProcess([
            "run", people + "/claims.ndjson", "--root", people + "/root.cer", "--policy", people + "/policy.yml",
            "--as-of", "2026-06-30", "--report", "-",
        ])
        #expect(run.exitCode == 0)
        let claims = export.text(of: "people/claims.ndjson")?.split(separator: "\n") ?? []
        #expect(!claims.isEmpty && run.rows.count == claims.count)
    }

    @Test func `honest writes parts that are a larger population together`() throws {
        let export = try TestExport()
        let claims = { (name: String, arguments: [String]) in
            let made = try AuditProcess(lab: ["honest", export.path(name)] + arguments)
            #expect(made.exitCode == 0, "\(made.messages)")
            return export.text(of: name + "/claims.ndjson")?.split(separator: "\n") ?? []
        }
        let part = try claims("part", ["--first", "108", "--count", "120"])
        let whole = Set(try claims("whole", ["--count", "120"]))
        #expect(!part.isEmpty && part.count < whole.count && part.allSatisfy(whole.contains))
    }

    @Test(arguments: [
        (["sample", "x", "--count=-1"], "--count must not be negative."),
        (["sample", "x", "--fraud", "1.1"], "--fraud must be from 0 to 1."),
        (["sample", "x", "--plants", "nan"], "--plants must be from 0 to 1."),
        (["sample", "x", "--count", "5", "--first", "6"], "--first must be from 0 to --count."),
        (["sample", "x", "--first", "6"], "--first needs --fraud 0 --plants 0."),
        (["honest", "x", "--count=-1"], "--count must not be negative."),
        (["honest", "x", "--fraud", "0"], "there is no option --fraud."),
        (["smaple", "x"], "there is no command “smaple”. Did you mean sample?\nUsage: audit-lab <subcommand>\n"),
        (["attacks"], "Missing expected argument '<dir>'"),
    ])
    func `says what is wrong with a command line`(arguments: [String], message: String) throws {
        let run = try AuditProcess(lab: arguments)
        #expect(run.exitCode == 64 && run.output == "")
        #expect(run.messages.hasPrefix("audit-lab: error: \(message)"), "\(run.messages)")
    }

    @Test(arguments: [["sample"], ["honest"], ["attacks"]])
    func `says why it cannot write`(command: [String]) throws {
        let export = try TestExport()
        try export.write("a file", to: "taken")
        let run = try AuditProcess(lab: command + [export.path("taken")])
        #expect(run.exitCode == 2 && run.output == "")
        #expect(
            run.messages == "audit-lab: error: \(export.path("taken")) can be neither made nor read as a folder\n")
    }
}
