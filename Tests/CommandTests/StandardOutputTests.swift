import Foundation
import Reports
import SampleStore
import Testing

/// Reports on standard output, with a reader who may go away.
struct `A report on standard output` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        for name in ["a", "b"] { try export.write(TestExport.receipt(), to: "receipts/\(name).der") }
        try FileManager.default.createDirectory(atPath: export.path("tmp"), withIntermediateDirectories: true)
    }

    @Test(arguments: ["-", "fraud=-", "-.json", "subscriptions=-.ndjson", "summary=-.md", "-.html", "-.xlsx"])
    func `may lose its reader, and the other reports of the run are written all the same`(report: String) throws {
        let run = try audit("set -o pipefail; \"$0\" \"$@\" | exec 0<&-", report)
        #expect(run.exitCode == 0)
        #expect(run.messages == "")
        #expect(export.text(of: "out.ndjson")?.split(separator: "\n").count == 2)
        #expect(try export.names(in: ".") == ["out.ndjson", "receipts", "root.cer", "tmp"])
        #expect(try export.names(in: "tmp") == [])
    }

    @Test func `may lose its reader, and a finding still counts`() throws {
        try export.write("file,device_id\na.der,\(TestExport.otherPhone.text)\n", to: "receipts/devices.csv")
        let run = try audit("set -o pipefail; \"$0\" \"$@\" --fail-on info | exec 0<&-", "-")
        #expect(run.exitCode == 1)
        #expect(run.messages == "")
    }

    @Test(arguments: ReportFormat.allCases)
    func `is what a file would hold, in every format`(format: ReportFormat) throws {
        // A shell, because what a workbook holds is no text.
        let run = try audit("\"$0\" \"$@\" > \"${!#}.copy\" && cmp \"${!#}\"*", "-." + format.rawValue, format)
        #expect(run.exitCode == 0)
        #expect(run.output + run.messages == "")
    }

    @Test(arguments: [["-", "-.json"], ["fraud=-.csv", "-.csv"]])
    func `is one report only`(reports: [String]) throws {
        let run = try AuditProcess(["run", "."] + reports.flatMap { ["--report", $0] })
        #expect(run.exitCode == 64)
        #expect(run.messages.contains("Only one report can go to standard output."))
    }

    @Test func `cannot be of an unknown format`() throws {
        #expect(try AuditProcess("run", ".", "--report", "-.doc").exitCode == 64)
    }

    private func audit(_ script: String, _ report: String, _ format: ReportFormat = .ndjson) throws -> AuditProcess {
        try AuditProcess(
            shell: script,
            [
                "run", export.path("receipts"), "--root", export.root, "--as-of", "2026-06-30", "--report", report,
                "--quiet", "--report", export.path("out." + format.rawValue),
            ], environment: ["TMPDIR": export.path("tmp")])
    }
}
