import ArgumentParser
import Checks
import Encodings
import Files
import Foundation
import FoundationEssentials
import Inputs
import Proofs
import Testing

@testable import audit

struct `What a command answers` {
    /// The reader goes before the first byte comes, for which the command waits, and whoever started it wants no signal
    /// of that, as services do.
    private static let withoutReader = """
        trap '' PIPE; set -o pipefail; gone=$(mktemp -u -p /tmp audit-test.XXXXXX) && mkfifo "$gone"
        { read -r < "$gone"; "$0" "$@"; } | { exec 0<&-; echo > "$gone"; }
        code=$?; rm "$gone"; exit $code
        """

    @Test(arguments: [["rules"], ["rules", "--json"], ["inspect", "/etc/hostname"]])
    func `may lose its reader`(arguments: [String]) throws {
        let run = try AuditProcess(shell: Self.withoutReader, arguments)
        #expect(run.exitCode == 0)
        #expect(run.messages == "")
    }

    @Test func `may lose its reader, who then does not hear of a problem either`() throws {
        let run = try AuditProcess(
            shell: Self.withoutReader, ["doctor"], environment: ["TMPDIR": "/nowhere/at/all"])
        #expect(run.exitCode == 0)
        #expect(run.messages == "")
    }

    @Test(arguments: [
        (
            ["doctor", "--root", "no-such-file"],
            "audit: error: could not read no-such-file: No such file or directory\n"
        ),
        (
            ["history", "--state", "no-such-file"],
            "audit: error: could not use no-such-file: No such file or directory\n"
        ),
        (
            ["map", "--as-of", "2026-06-30", "--root", "no-such-file"],
            "audit: error: could not read no-such-file: No such file or directory\n"
        ),
    ])
    func `is the reason why there is none, and exit code 2`(arguments: [String], message: String) throws {
        let run = try AuditProcess(arguments)
        #expect(run.exitCode == 2)
        #expect(run.output == "")
        #expect(run.messages == message)
    }

    @Test(arguments: [
        (["no-such-file"], "not-found"), (["/etc/hostname", "--root", "/etc/hostname"], "bad-option"),
    ])
    func `of an inspection has an exit code that no verdict has, and in JSON the reason`(
        arguments: [String], code: String
    ) throws {
        let run = try AuditProcess(["inspect"] + arguments)
        #expect(run.exitCode == 66 && run.output == "" && run.messages.hasPrefix("audit: error: "))
        let json = try AuditProcess(["inspect"] + arguments + ["--json"])
        #expect(json.exitCode == 66 && json.messages == run.messages)
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: [String: String]]
        #expect(object?.keys.sorted() == ["error"] && object?["error"]?["code"] == code)
        #expect(run.messages.contains(object?["error"]?["message"] ?? "?"))
    }
}

struct `An error` {
    private let export: TestExport
    /// Clears the screen, retitles the window, and begins a line of its own.
    private static let hostile = "no\u{1b}[2J\u{1b}]0;title\u{7}\naudit: all is well\u{202e}"

    init() throws {
        export = try TestExport()
        try export.write("\"\(Self.hostile)\",device_id\nx,y\n", to: "table.csv")
    }

    /// That a terminal shows it all on one line, and obeys none of it.
    private func check(_ run: AuditProcess, exitCode: Int32 = 2) {
        #expect(run.exitCode == exitCode)
        let shown = #"no\u{1b}[2J\u{1b}]0;title\u{7}\u{a}audit: all is well\u{202e}"#
        #expect(run.messages.contains(shown), "\(run.messages)")
        #expect(run.messages.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0 != "\u{202e}" })
        #expect(run.messages.split(separator: "\n").count == 1)
    }

    @Test func `about a table shows its header and does not obey it`() throws {
        check(try AuditProcess("run", export.path("table.csv"), "--root", export.root))
    }

    @Test func `of a filter about a table shows its header and does not obey it`() throws {
        check(
            try AuditProcess(
                shell: #""$0" map --format csv --as-of 2026-06-30 --root "$1"/root.cer < "$1"/table.csv"#,
                [export.folder.path()]))
    }

    @Test func `about a header does not show more of a cell than fits, whatever a character is made of`() throws {
        let marks = String(repeating: "\u{301}", count: 100_000)
        try export.write("a\(marks),device_id\nx,y\n", to: "marks.csv")
        let run = try AuditProcess("run", export.path("marks.csv"), "--root", export.root)
        #expect(run.exitCode == 2)
        #expect(run.messages.utf8.count < 1000)
    }

    @Test(arguments: [
        ["run", "PATH"], ["run", "receipts", "--root", "PATH"], ["run", "receipts", "--policy", "PATH"],
        ["run", "--job", "PATH"], ["run", "receipts", "--baseline", "PATH"],
        ["history", "--state", "PATH"], ["forget", "--before", "2025-01-01", "--state", "PATH"],
        ["reduce", "--as-of", "2026-06-30", "--root", "PATH"], ["doctor", "--root", "PATH"],
    ])
    func `about a file shows its name and does not obey it`(arguments: [String]) throws {
        let name = arguments.contains("--baseline") ? Self.hostile + ".csv" : Self.hostile
        check(try AuditProcess(arguments.map { $0 == "PATH" ? name : $0 }, in: export.folder))
    }

    @Test func `about a proof shows its name and does not obey it`() throws {
        check(try AuditProcess(["inspect", Self.hostile], in: export.folder), exitCode: 66)
    }

    @Test func `about a folder that is no sample shows its name and does not obey it`() throws {
        try export.write("x", to: Self.hostile + "/mine.txt")
        check(try AuditProcess(lab: ["sample", Self.hostile, "--count", "1"], in: export.folder))
    }

    @Test func `in JSON keeps a name as it is, in escapes`() throws {
        let run = try AuditProcess(["run", Self.hostile, "--log-format", "json"], in: export.folder)
        let end = try #require(try JSONSerialization.jsonObject(with: Data(run.messages.utf8)) as? [String: Any])
        #expect(end["message"] as? String == Self.hostile + ": no such file or folder")
        #expect(run.messages.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0 != "\u{202e}" })
    }
}

struct `A receipt file that cannot be read` {
    @Test func `ends the command if it is not there`() throws {
        let checker = try checker()
        let error = #expect(throws: FileError.self) {
            try checker.inspection(of: Claim(source: "missing"), at: "no-such-receipt.der")
        }
        #expect(error?.isNotFound == true)
        let exit = #expect(throws: ExitCode.self) { try InspectCommand.parse(["no-such-receipt.der"]).run() }
        #expect(exit?.rawValue == 66)
    }

    @Test func `is a result if it is there`() throws {
        let folder = FileManager.default.temporaryDirectory.path()
        let inspection = try checker().inspection(of: Claim(source: "folder"), at: folder)
        #expect(inspection.facts.failed == [.receiptUnreadable])
    }

    @Test func `is a result if it is over 8 MiB`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "large-\(UUID().uuidString).der")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(count: ReceiptLimit.bytes + 1).write(to: file)
        let inspection = try checker().inspection(of: Claim(source: "large"), at: file.path())
        #expect(inspection.facts.failed == [.receiptUnreadable])
        #expect(inspection.checks.first { $0.check == .receiptUnreadable }?.reason == "It is over 8 MiB.")
    }

    private func checker() throws -> Checker {
        try Checker(trust: .apple(), expectations: Expectations(asOf: Instant(seconds: 1_780_000_000)))
    }
}
