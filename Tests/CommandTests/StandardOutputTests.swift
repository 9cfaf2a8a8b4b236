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
        try export.write("file,device_id\na.der,\(TestExport.otherPhone.text)\nb.der,\n", to: "receipts/devices.csv")
        let run = try audit("set -o pipefail; \"$0\" \"$@\" --fail-on info | exec 0<&-", "-")
        #expect(run.exitCode == 1)
        #expect(run.messages == "")
    }

    @Test(arguments: ReportFormat.allCases)
    func `is what a file would hold, in every format`(format: ReportFormat) throws {
        // A shell, because a workbook is not text.
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

struct `A report for Excel` {
    private let export: TestExport
    private static let mark: [UInt8] = [0xef, 0xbb, 0xbf]

    init() throws {
        export = try TestExport()
        try export.write(TestExport.receipt(), to: "receipts/ü.der")
        try export.write(TestExport.receipt(for: TestExport.otherPhone), to: "receipts/b.der")
    }

    @Test(arguments: ReportRequest.Table.allCases.filter { ReportFormat.csv.holds($0) })
    func `begins with a byte-order mark, and is the same otherwise`(table: ReportRequest.Table) throws {
        let plain = try export.audit("--report", table.rawValue + "=" + export.path("plain.csv"))
        let marked = try export.audit("--excel", "--report", table.rawValue + "=" + export.path("marked.csv"))
        #expect(plain.exitCode == 0 && marked.exitCode == 0)
        let bytes = try bytes("plain.csv")
        #expect(!bytes.starts(with: Self.mark))
        #expect(try self.bytes("marked.csv") == Self.mark + bytes)
    }

    @Test(arguments: ReportFormat.allCases.filter { $0 != .csv })
    func `has no mark if it is not CSV`(format: ReportFormat) throws {
        for (name, options) in [("a", []), ("b", ["--excel"])] {
            let run = try AuditProcess(
                ["run", export.path("receipts"), "--root", export.root, "--as-of", "2026-06-30"] + options
                    + ["--report", export.path(name + "." + format.rawValue)])
            #expect(run.exitCode == 0)
        }
        #expect(try bytes("a." + format.rawValue) == bytes("b." + format.rawValue))
    }

    @Test func `can be compared with`() throws {
        try export.write("file,device_id\nü.der,\(TestExport.otherPhone.text)\n", to: "receipts/devices.csv")
        _ = try export.audit("--excel", "--report", "fraud=" + export.path("old.csv"))
        let run = try export.audit("--baseline", export.path("old.csv"), "--report", "fraud=-")
        #expect(run.rows.map { $0["change"] } == ["persisting"])
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: export.path(name))))
    }
}
