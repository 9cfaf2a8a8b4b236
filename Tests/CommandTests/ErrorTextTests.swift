import Foundation
import Testing

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
        ["run", "--job", "PATH"], ["run", "receipts", "--baseline", "PATH"], ["inspect", "PATH"],
        ["history", "--state", "PATH"], ["forget", "--before", "2025-01-01", "--state", "PATH"],
        ["reduce", "--as-of", "2026-06-30", "--root", "PATH"], ["doctor", "--root", "PATH"],
    ])
    func `about a file shows its name and does not obey it`(arguments: [String]) throws {
        let name = arguments.contains("--baseline") ? Self.hostile + ".csv" : Self.hostile
        check(try AuditProcess(arguments.map { $0 == "PATH" ? name : $0 }, in: export.folder))
    }

    @Test func `about a folder that is no sample shows its name and does not obey it`() throws {
        try export.write("x", to: Self.hostile + "/mine.txt")
        check(try AuditProcess(["sample", Self.hostile, "--count", "1"], in: export.folder))
    }

    @Test func `in JSON keeps a name as it is, in escapes`() throws {
        let run = try AuditProcess(["run", Self.hostile, "--log-format", "json"], in: export.folder)
        let end = try #require(try JSONSerialization.jsonObject(with: Data(run.messages.utf8)) as? [String: Any])
        #expect(end["message"] as? String == Self.hostile + ": no such file or folder")
        #expect(run.messages.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0 != "\u{202e}" })
    }
}
