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
        try write((0..<8).map { (["NULL", "#N/A"][$0 / 4], [device, "nil"][$0 % 2], "2026-06-0\($0 + 1)") })
        let tables = ["receipts", "fraud", "links", "entities"]
        let process = try run(tables.map { "\($0)=\($0).csv" })
        #expect(process.exitCode == 3, "no claim names an account: \(process.messages)")
        let found = table(export.text(of: "receipts.csv") ?? "")
        #expect(found.map { $0["account_id"] } == (0..<8).map { ["NULL", "#N/A"][$0 / 4] })
        #expect(found.map { $0["device_id"] } == (0..<8).map { [device, "nil"][$0 % 2] })
        #expect(found.allSatisfy { $0["verdict"] == "valid" && $0["failed_checks"] == "" })
        for name in tables.dropFirst() {
            let text = export.text(of: "\(name).csv") ?? ""
            #expect(
                text.contains(name == "fraud" ? "severity" : "") && !text.contains("NULL") && !text.contains("#N/A"))
        }
        #expect(
            process.messages.contains("account_id of 8 rows is a placeholder and names no account (“#N/A”, “NULL”)"))
        #expect(process.messages.contains("device_id of 4 rows is a placeholder and names no device (“nil”)"))
    }

    @Test func `are one account where its UUID is in several forms`() throws {
        let uuid = "0a5c9b0e-7e0c-4c5b-9d53-2f8c8e0d0a01"
        let forms = [uuid, uuid.uppercased(), "{\(uuid)}", "urn:uuid:\(uuid)", "0x0A5C9B0E7E0C4C5B9D532F8C8E0D0A01"]
        try write(forms.enumerated().map { ($1, device, "2026-06-0\($0 + 1)") })
        let process = try run(["receipts=receipts.csv", "fraud=fraud.csv"])
        #expect(process.exitCode == 0 && !process.messages.contains("warning"), "\(process.messages)")
        #expect(table(export.text(of: "receipts.csv") ?? "").map { $0["account_id"] } == forms.map { _ in uuid })
        #expect(table(export.text(of: "fraud.csv") ?? "").isEmpty)
    }

    /// Rows in which some accounts look like placeholders, and the others do not.
    private func writeAccounts(_ doubtful: [String], others: Int) throws {
        let names = doubtful + (0..<others).map { "user\($0)" }
        try write(names.map { ($0, "", "2026-06-01") })
    }

    private func isNamed(_ account: String, _ arguments: [String] = []) throws -> Bool {
        let process = try run(["fraud=fraud.csv", "links=links.csv", "entities=entities.csv"], arguments)
        #expect(process.exitCode == 0, "\(process.messages)")
        let text = ["fraud", "links", "entities"].compactMap { export.text(of: "\($0).csv") }.joined()
        #expect(process.messages.contains("names no account") != text.contains(account), "\(process.messages)")
        return text.contains(account)
    }

    @Test(arguments: ["1E+15", "unknown", "***", "Guest"])
    func `name nobody by a text that a person could choose only where a tenth of the accounts is such a text`(
        account: String
    ) throws {
        let twenty = [String](repeating: account, count: 20)
        try writeAccounts(twenty, others: 180)
        #expect(try !isNamed(account))
        #expect(try !isNamed(account, ["--state", "ledger.db"]) && !isNamed(account, ["--state", "ledger.db"]))
        try writeAccounts(twenty, others: 181)
        #expect(try isNamed(account))
        try writeAccounts(twenty.dropLast(), others: 10)
        #expect(try isNamed(account))
    }

    @Test func `name somebody by numbers in E notation that are not alike, as people make them up`() throws {
        try writeAccounts((10..<60).map { "1E+\($0)" }, others: 0)
        let process = try run(["fraud=-"])
        #expect(process.rows.contains { $0["rule"] == "shared-account" && $0["accounts"] == "50" })
        #expect(process.messages.contains("account_id of 50 rows is in E notation (1E+15), which may name no account"))
    }

    @Test func `are warned of where accounts differ only in form`() throws {
        try write([
            ("Ann", device, "2026-06-01"), ("ann", device, "2026-06-02"), ("'bob", "", "2026-06-03"),
            ("bob", "", "2026-06-04"), ("carol", "", "2026-06-05"),
        ])
        let process = try run(["receipts=receipts.csv"])
        #expect(process.messages.contains("2 accounts are written in more than one way: "))
        #expect(!process.messages.contains("bob"))
        #expect(
            table(export.text(of: "receipts.csv") ?? "").map { $0["account_id"] }
                == ["Ann", "ann", "'bob", "bob", "carol"])
        try write([("carol", device, "2026-06-01"), ("carols", device, "2026-06-02")])
        #expect(try !run(["receipts=receipts.csv"]).messages.contains("more than one way"))
    }

    @Test func `stay placeholders under pseudonyms`() throws {
        try write([("NULL", device, "2026-06-01"), ("NULL", TestExport.otherPhone.text, "2026-06-02")])
        try export.write("a key of more than sixteen bytes, for tests", to: "key")
        let process = try run(["out.csv", "entities=entities.csv"], ["--pseudonymise", "key"])
        #expect(process.exitCode == 3, "no claim names an account: \(process.messages)")
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
        try write([("NULL", "nil", "2026-06-15"), ("bob", "", "46143.53"), ("nil", "", "1970-01-01")])
        _ = try run(["summary=summary.csv"])
        let rows = table(export.text(of: "summary.csv") ?? "").filter { $0["section"] == "skipped" }
        let counts = Dictionary(uniqueKeysWithValues: rows.map { ($0["item"] ?? "", $0["value"] ?? "") })
        #expect(counts["account_id that names no account"] == "2")
        #expect(counts["device_id that names no device"] == "1")
        #expect(counts["presented_at that is impossible"] == "2")
    }
}
