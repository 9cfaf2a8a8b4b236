import Corpus
import FoundationEssentials
import SampleStore
import Testing

/// Claims whose accounts, devices or dates stand for nothing.
struct `Claims that do not say what was meant` {
    private let export: TestExport

    init() throws { export = try TestExport() }

    /// Writes a row for each presenter, all with one receipt.
    private func write(_ rows: [(account: String, device: String, presented: String)]) throws {
        let receipt = try Data(TestExport.receipt()).base64EncodedString()
        let lines = rows.map { "\(receipt),\($0.account),\($0.device),\($0.presented)" }
        try export.write(
            "receipt_data,account_id,device_id,presented_at\n" + lines.joined(separator: "\n"), to: "a.csv")
    }

    private func run(asOf: String = "2026-06-30", _ reports: [String], _ arguments: [String] = []) throws
        -> AuditProcess
    {
        try AuditProcess(
            ["run", "a.csv", "--root", "root.cer", "--as-of", asOf] + reports.flatMap { ["--report", $0] } + arguments,
            in: export.folder)
    }

    private var device: String { TestExport.phone.text }

    @Test func `name nobody in findings, links and entities, and are as written in receipts`() throws {
        try write((0..<8).map { (["NULL", "1E+15"][$0 / 4], [device, "nil"][$0 % 2], "2026-06-0\($0 + 1)") })
        let tables = ["receipts", "fraud", "links", "entities"]
        let process = try run(tables.map { "\($0)=\($0).csv" })
        #expect(process.exitCode == 0, "\(process.messages)")
        let found = table(export.text(of: "receipts.csv") ?? "")
        #expect(found.map { $0["account_id"] } == (0..<8).map { ["NULL", "1E+15"][$0 / 4] })
        #expect(found.map { $0["device_id"] } == (0..<8).map { [device, "nil"][$0 % 2] })
        #expect(found.allSatisfy { $0["verdict"] == "valid" && $0["failed_checks"] == "" })
        for name in tables.dropFirst() {
            let text = export.text(of: "\(name).csv") ?? ""
            #expect(
                text.contains(name == "fraud" ? "severity" : "") && !text.contains("NULL") && !text.contains("1E+15"))
        }
        #expect(process.messages.contains("account_id of 4 rows is a placeholder and names no account (“NULL”)"))
        #expect(process.messages.contains("account_id of 4 rows is in E notation and names no account (“1E+15”)"))
        #expect(process.messages.contains("device_id of 4 rows is a placeholder and names no device (“nil”)"))
    }

    @Test func `stay placeholders under pseudonyms`() throws {
        try write([("NULL", device, "2026-06-01"), ("NULL", TestExport.otherPhone.text, "2026-06-02")])
        try export.write("a key of more than sixteen bytes, for tests", to: "key")
        let process = try run(["out.csv", "entities=entities.csv"], ["--pseudonymise", "key"])
        #expect(process.exitCode == 0, "\(process.messages)")
        #expect(table(export.text(of: "out.csv") ?? "").map { $0["account_id"] } == ["NULL", "NULL"])
        #expect(export.text(of: "entities.csv")?.contains("account,") == false)
    }

    private static let dates = [
        "2026-06-15", "46143.53", "2026-06-05T12:00:00Z", "804340800", "2026-05-01", "2023-01-01",
    ]

    @Test func `have no date where that is impossible, whatever the ledger knows of other days`() throws {
        try write(Self.dates.enumerated().map { ("user\($0)", "", $1) })
        let tables = ["receipts", "fraud", "links", "entities"]
        // There and back again.
        for (number, asOf) in ["2026-06-04", "2026-06-30", "2026-06-04", "2026-06-13"].enumerated() {
            let plain = try run(asOf: asOf, tables.map { "\($0)=plain/\($0).csv" })
            let known = try run(asOf: asOf, tables.map { "\($0)=known/\($0).csv" }, ["--state", "ledger.db"])
            let (first, second) = (plain, known)
            #expect(first.exitCode == 0 && second.exitCode == 0, "\(second.messages)")
            let presented = table(export.text(of: "known/receipts.csv") ?? "").map { $0["presented_at"] ?? "" }
            let isLate = asOf == "2026-06-30"
            #expect(
                presented == [
                    isLate ? "2026-06-15T00:00:00Z" : "", "", asOf != "2026-06-04" ? "2026-06-05T12:00:00Z" : "", "",
                    "2026-05-01T00:00:00Z", "",
                ], "\(number)")
            for name in ["receipts", "links"] {
                let texts = ["plain", "known"].map { export.text(of: "\($0)/\(name).csv") }
                #expect(texts[0] == texts[1], "\(number) \(name)")
            }
            let warnings = [first, second].map { process in
                process.messages.split(separator: "\n").filter { $0.contains("presented_at of") }.map(String.init)
            }
            #expect(warnings[0] == warnings[1] && warnings[0].count == (isLate ? 3 : 4), "\(warnings)")
        }
    }

    @Test func `are counted in the summary`() throws {
        try write([("NULL", "nil", "2026-06-15"), ("bob", "", "46143.53"), ("1E+15", "", "1970-01-01")])
        _ = try run(["summary=summary.csv"])
        let rows = table(export.text(of: "summary.csv") ?? "").filter { $0["section"] == "skipped" }
        let counts = Dictionary(uniqueKeysWithValues: rows.map { ($0["item"] ?? "", $0["value"] ?? "") })
        #expect(counts["account_id that names no account"] == "2")
        #expect(counts["device_id that names no device"] == "1")
        #expect(counts["presented_at that is impossible"] == "2")
    }
}
