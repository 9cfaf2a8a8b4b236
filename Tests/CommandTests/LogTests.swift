import Foundation
import SampleStore
import Testing

struct `The log of a run` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        try export.write(TestExport.receipt(), to: "receipts/a.der")
        try export.write(
            "file,device_id,account_id\na.der,\(TestExport.phone.text),alice\n", to: "receipts/devices.csv")
    }

    private func objects(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test func `is a JSON object a line if that was asked for`() throws {
        let run = try export.audit("--log-format", "json", "--report", export.path("out.csv"))
        #expect(run.exitCode == 0)
        let end = try #require(try objects(run.messages).last)
        #expect(end["level"] as? String == "info")
        #expect(end["message"] as? String == "finished")
        #expect(end["claims"] as? Int == 1)
        #expect((end["verdicts"] as? [String: Int])?["valid"] == 1)
        #expect((end["findings"] as? [String: Int])?["critical"] == 0)
        #expect((end["seconds"] as? Double).map { $0 >= 0 } == true)
        #expect(end["reports"] as? [String] == [export.path("out.csv")])
        #expect((end["time"] as? String)?.count == 20)
    }

    @Test func `tells an error as JSON too`() throws {
        let run = try export.audit("--log-format", "json", "--policy", export.path("no\nwhere.yml"))
        #expect(run.exitCode == 2)
        let end = try #require(try objects(run.messages).last)
        #expect(end["level"] as? String == "error")
        #expect((end["message"] as? String)?.contains("No such file or directory") == true)
    }

    @Test(arguments: ["text", "json"])
    func `holds no device and no account`(format: String) throws {
        let run = try export.audit("--log-format", format, "--report", export.path("out.csv"))
        #expect(!run.messages.isEmpty)
        #expect(!run.messages.contains(TestExport.phone.text) && !run.messages.contains("alice"))
    }

    @Test(arguments: ["text", "json"])
    func `is empty if the run is quiet and well`(format: String) throws {
        #expect(try export.audit("--log-format", format, "--quiet").messages == "")
    }

    @Test(arguments: ["text", "json"])
    func `warns of an input that is damaged`(format: String) throws {
        let export = try TestExport()
        try export.write("file,account_id,product_id\na.der,\"x,\na.der,,\n", to: "t.csv")
        let run = try AuditProcess(
            "run", export.path("t.csv"), "--root", export.root, "--as-of", "2026-06-30", "--log-format", format)
        #expect(run.exitCode == 0)
        #expect(run.messages.contains("t.csv:2: a quote is left open in it"))
    }

    @Test func `has a format of two`() throws {
        #expect(try export.audit("--log-format", "xml").exitCode == 64)
    }
}
