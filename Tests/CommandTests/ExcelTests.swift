import Foundation
import Reports
import SampleStore
import Testing

struct `A report for Excel` {
    private let export: TestExport
    private static let mark: [UInt8] = [0xef, 0xbb, 0xbf]

    init() throws {
        export = try TestExport()
        try export.write(TestExport.receipt(), to: "receipts/ü.der")
        try export.write(TestExport.receipt(for: TestExport.otherPhone), to: "receipts/b.der")
    }

    @Test(arguments: ["receipts", "fraud", "subscriptions", "summary"])
    func `begins with a byte-order mark, and is the same otherwise`(table: String) throws {
        let plain = try export.audit("--report", table + "=" + export.path("plain.csv"))
        let marked = try export.audit("--excel", "--report", table + "=" + export.path("marked.csv"))
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
