import Foundation
import Testing

struct `A report that people read` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        try export.write(TestExport.receipt(), to: "receipts/<b>a.der")
        try export.write("no receipt", to: "receipts/|`b`.der")
    }

    @Test(arguments: ["md", "html"])
    func `is the same, byte by byte, from the same run`(format: String) throws {
        let run = try export.audit(
            "--report", export.path("a.\(format)"), "--report", export.path("b.\(format)"), "--workers", "1")
        #expect(run.exitCode == 0)
        let again = try export.audit("--report", export.path("c.\(format)"), "--workers", "2")
        #expect(again.exitCode == 0)
        let text = try #require(export.text(of: "a.\(format)"))
        #expect(text.contains("Receipt audit as of 2026-06-30"))
        #expect(!text.contains("<b>") && !text.contains("`b`"))
        #expect(export.text(of: "b.\(format)") == text)
        #expect(export.text(of: "c.\(format)") == text)
    }

    @Test func `may hold one part`() throws {
        let run = try export.audit(
            "--report", "fraud=" + export.path("f.md"), "--report", "summary=" + export.path("s.md"))
        #expect(run.exitCode == 0)
        #expect(export.text(of: "f.md")?.contains("## Findings") == true)
        #expect(export.text(of: "s.md")?.contains("## Findings") == false)
    }

    @Test(arguments: ["receipts=out.md", "receipts=out.html"])
    func `has no row for each claim`(report: String) throws {
        let run = try export.audit("--report", report)
        #expect(run.exitCode == 64)
        #expect(run.messages.contains("one row per claim is too much for a page"))
    }
}
