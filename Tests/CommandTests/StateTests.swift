import Corpus
import Foundation
import SampleStore
import Testing

/// A sample with fraud of every kind, audited in run after run with one ledger.
struct `A run with a ledger` {
    private let export: TestExport
    private static let reports =
        ["receipts.csv", "fraud.csv", "links.csv", "purchases.csv", "summary.json"]
        + (Exhaustive.isOn ? ["receipts.ndjson", "subscriptions.csv", "report.html", "report.md"] : [])
    /// Dear to write.
    private static let withPage = Set(reports + ["report.html"]).sorted()

    init() throws {
        export = try TestExport()
        try export.writeSample(count: 300, seed: 7, plantShare: 0.3)
    }

    private func audit(
        _ folder: String, of input: String = "sample/receipts", asOf: String = "2026-06-30",
        writing names: [String] = reports, _ arguments: [String]
    ) throws -> AuditProcess {
        let reports = names.flatMap { name -> [String] in
            let table = name.hasPrefix("report.") ? "" : String(name.prefix { $0 != "." }) + "="
            return ["--report", table + export.path(folder + "/" + name)]
        }
        return try AuditProcess(
            ["run", export.path(input), "--root", export.path("sample/root.cer"), "--as-of", asOf] + reports
                + arguments)
    }

    private var state: [String] { ["--state", export.path("ledger.db")] }

    private static let withChanges: Set = ["fraud.csv", "report.md", "report.html"]

    /// Compares the reports of a run without a ledger with those of one with a ledger, which alone knows what is new.
    private func expectSameReports(plain: String, _ second: String) {
        expectSameReports(plain, second, but: Self.withChanges)
        let rows = [plain, second].map { folder in
            table(export.text(of: folder + "/fraud.csv") ?? "").map { $0.filter { $0.key != "change" } }
        }
        #expect(!rows[0].isEmpty && rows[0] == rows[1])
    }

    private func changes(_ folder: String) -> Set<String> {
        Set(table(export.text(of: folder + "/fraud.csv") ?? "").compactMap { $0["change"] })
    }

    private func expectSameReports(
        _ first: String, _ second: String, in names: [String] = reports, but left: Set<String> = []
    ) {
        for name in names where !left.contains(name) {
            let texts = [first, second].map { export.text(of: $0 + "/" + name) }
            #expect(texts[0] != nil && texts[0] == texts[1], "\(name)")
        }
    }

    @Test func `writes what it would write without a ledger`() throws {
        #expect(try audit("plain", []).exitCode == 0)
        let run = try audit("first", state)
        #expect(run.exitCode == 0, "\(run.messages)")
        expectSameReports(plain: "plain", "first")
        #expect(changes("plain") == [""] && changes("first") == ["new"])
    }

    @Test func `writes the same again`() throws {
        _ = try audit("first", writing: Self.withPage, state)
        let second = try audit("second", writing: Self.withPage, state + ["--workers", "3"])
        #expect(!second.messages.contains("0 findings are new"), "the second run for a day says what the first said")
        expectSameReports("first", "second", in: Self.withPage)
        let third = try audit("third", asOf: "2026-07-01", state)
        #expect(third.messages.contains("0 findings are new"), "\(third.messages)")
        #expect(changes("third") == ["persisting"])
    }

    @Test func `follows another policy`() throws {
        _ = try audit("first", state)
        try export.write("version: 1\nrules:\n  expired-receipt: off\n", to: "policy.yml")
        _ = try audit("second", state + ["--policy", export.path("policy.yml")])
        _ = try audit("plain", ["--policy", export.path("policy.yml")])
        expectSameReports("plain", "second", but: Self.withChanges)
    }

    @Test func `audits for its own reference time`() throws {
        let dates = Exhaustive.cases(["2025-08-01", "2026-01-01", "2026-06-30", "2026-07-30"], every: 3)
        for (night, date) in dates.enumerated() {
            _ = try audit("plain", asOf: date, [])
            let run = try audit("night\(night)", asOf: date, state)
            #expect(run.exitCode == 0, "\(run.messages)")
            // Findings of nights before are older than those of a run that knows of no other.
            expectSameReports("plain", "night\(night)", but: ["fraud.csv", "report.md", "report.html"])
        }
    }

    @Test(arguments: Exhaustive.isOn ? [["--quiet"], ["--log-format", "json"]] : [["--quiet"]])
    func `says that it was empty, and that it is a new one`(log: [String]) throws {
        try export.write("", to: "ledger.db")
        let metrics = ["--metrics", export.path("audit.prom")]
        let first = try audit("first", state + metrics + log)
        #expect(first.exitCode == 0 && first.messages.contains("ledger.db was empty"), "\(first.messages)")
        #expect(export.text(of: "audit.prom")?.contains("\naudit_ledger_reset 1\n") == true)
        let second = try audit("second", state + metrics + log)
        #expect(second.exitCode == 0 && !second.messages.contains("was empty"), "\(second.messages)")
        #expect(export.text(of: "audit.prom")?.contains("\naudit_ledger_reset 0\n") == true)
    }

    @Test func `audits a file again that has changed`() throws {
        _ = try audit("first", state)
        let rows = table(export.text(of: "first/receipts.csv") ?? "")
        let file = try #require(rows.last { $0["verdict"] == "valid" }?["file"])
        try export.write("no receipt any more", to: "sample/receipts/" + file)
        _ = try audit("second", state)
        _ = try audit("plain", [])
        let receipts = ["first", "second", "plain"].map { export.text(of: $0 + "/receipts.csv") }
        #expect(receipts[1] == receipts[2])
        #expect(receipts[0] != receipts[1])
    }

    @Test func `finds in an export that has grown what a run without a ledger finds in it`() throws {
        _ = try audit("first", state)
        let table = try #require(export.text(of: "sample/receipts/devices.csv"))
        // The first receipt again, from a device of its own.
        let cells = table.split(separator: "\r\n")[1].split(separator: ",", omittingEmptySubsequences: false)
        let row = [cells[0], "6FAF1B5A-2C4B-4F8E-9C57-0E2C5A1D3B44"] + cells[2...]
        try export.write(table + row.joined(separator: ",") + "\r\n", to: "sample/receipts/devices.csv")
        _ = try audit("second", state)
        _ = try audit("plain", [])
        expectSameReports(plain: "plain", "second")
        let fraud = ["first", "second"].map { export.text(of: $0 + "/fraud.csv") }
        #expect(fraud[0] != fraud[1])
        // It has seen all there is.
        _ = try audit("third", state)
        expectSameReports(plain: "plain", "third")
    }

    @Test func `says the same after a night with fewer rows`() throws {
        let lines = try #require(export.text(of: "sample/receipts/devices.csv")).split(separator: "\r\n")
        for (name, count) in [("all", lines.count), ("less", lines.count - 1)] {
            try export.write(
                lines.prefix(count).joined(separator: "\r\n") + "\r\n", to: "sample/receipts/\(name).csv")
        }
        for (night, input) in ["all", "less", "all", "all"].enumerated() {
            _ = try audit("night\(night)", of: "sample/receipts/\(input).csv", state)
        }
        expectSameReports("night0", "night3")
    }

    @Test func `finds about what is new what a run over everything finds about it`() throws {
        let lines = try #require(export.text(of: "sample/receipts/devices.csv")).split(separator: "\r\n")
        let isNew = { (line: Int) in line % 3 == 0 }
        for (name, wanted) in [("old", { !isNew($0) }), ("new", isNew), ("all", { _ in true })] {
            let rows = lines.indices.filter { $0 == 0 || wanted($0) }.map { String(lines[$0]) }
            try export.write(rows.joined(separator: "\r\n") + "\r\n", to: "sample/receipts/\(name).csv")
        }
        _ = try audit("all", of: "sample/receipts/all.csv", [])
        _ = try audit("old", of: "sample/receipts/old.csv", state)
        _ = try audit("new", of: "sample/receipts/new.csv", state)
        // Claims that are not there have no findings of their own; rings are made of all findings of a run.
        let findings = { (folder: String) in
            table(export.text(of: folder + "/fraud.csv") ?? "").filter {
                $0["subject"]?.hasPrefix("claim:") == false && $0["rule"] != "fraud-ring"
            }
        }
        let name = { (row: [String: String]) in [row["severity"], row["rule"], row["subject"]] }
        let (all, new) = (findings("all"), Set(findings("new").map(name)))
        #expect(table(export.text(of: "new/receipts.csv") ?? "").count == 100)
        #expect(findings("new").contains { $0["sources"]?.contains("(2026-06-30)") == true })
        #expect(new.isSubset(of: all.map(name)))
        let meant = all.filter { row in
            (row["sources"] ?? "").split(separator: ";").contains { isNew((Int($0.split(separator: ":")[1]) ?? 1) - 1) }
        }
        #expect(meant.count > 10)
        #expect(meant.allSatisfy { new.contains(name($0)) }, "\(meant.filter { !new.contains(name($0)) })")
        // With more devices and claims than tonight's alone.
        let counts = Dictionary(uniqueKeysWithValues: all.map { (name($0), $0["devices"]) })
        #expect(findings("new").allSatisfy { counts[name($0)] == $0["devices"] })
    }

    @Test func `names the keys that nobody asked for as a run without a ledger does`() throws {
        // Too long to be named, then more than are named, the greatest first, in two spellings.
        let names =
            (0..<150).map { String(repeating: "long", count: 30) + "\($0)" }
            + (0..<150).reversed().map { "e\u{301}\($0)" } + (0..<150).reversed().map { "\u{e9}\($0)" }
        let lines = names.map { #"{"receipt_data":"","\#($0)":1}"# + "\n" }
        try export.write(lines.joined(), to: "keys.ndjson")
        _ = try audit("plain", of: "keys.ndjson", [])
        _ = try audit("first", of: "keys.ndjson", state)
        _ = try audit("second", of: "keys.ndjson", state)
        #expect(export.text(of: "plain/summary.json")?.contains("e\u{301}149") == true)
        expectSameReports("plain", "first", but: Self.withChanges)
        expectSameReports("plain", "second", but: Self.withChanges)
    }

    @Test func `warns of objects that are not UTF-8 as the run before did`() throws {
        let text = Array("{\"receipt_data\":\"TQ==\",\"account_id\":\"J".utf8) + [0xfc] + Array("\"}\n".utf8)
        try export.write(text + text, to: "latin.ndjson")
        let runs = try ["plain", "first", "second"].map {
            try audit($0, of: "latin.ndjson", writing: ["receipts.csv"], $0 == "plain" ? [] : state)
        }
        for run in runs {
            #expect(run.messages.contains("2 rows cannot be read, not being UTF-8"), "\(run.messages)")
        }
    }

    @Test func `refuses a ledger of other trust anchors`() throws {
        _ = try audit("first", state)
        let run = try AuditProcess(["run", export.path("sample/receipts")] + state)
        #expect(run.exitCode == 2)
        #expect(run.messages.contains("ledger.db"), "\(run.messages)")
    }

    @Test func `goes on from the ledger before a damaged one, and ends with 3`() throws {
        for night in ["28", "29"] { _ = try audit("night", asOf: "2026-06-" + night, state) }
        _ = try audit("first", state)
        let file = export.path("ledger.db")
        let size = try #require(try FileManager.default.attributesOfItem(atPath: file)[.size] as? UInt64)
        let handle = try FileHandle(forUpdating: URL(filePath: file))
        try handle.truncate(atOffset: size / 3)
        try handle.close()
        let run = try audit("second", state)
        #expect(run.exitCode == 3, "\(run.messages)")
        #expect(run.messages.contains("which ends with run 2 as of 2026-06-29"), "\(run.messages)")
        expectSameReports("first", "second")
        #expect(try audit("third", state).exitCode == 0)
    }

    @Test func `holds no true id in a ledger with pseudonyms, and is not opened without their key`() throws {
        try export.write("a key of sixteen bytes or more", to: "key")
        let pseudonyms = ["--pseudonymise", export.path("key")]
        #expect(try audit("first", state + pseudonyms).exitCode == 0)
        let ledger = try Data(contentsOf: export.folder.appending(path: "ledger.db"))
        let ids = table(export.text(of: "sample/receipts/devices.csv") ?? "").compactMap { $0["account_id"] }
            .filter { $0.utf8.count > 5 }
        #expect(ids.count > 100)
        #expect(ids.allSatisfy { !ledger.holds($0) })
        #expect(try audit("second", state).exitCode == 2)
        #expect(try audit("second", state + pseudonyms).exitCode == 0)
        expectSameReports("first", "second")
    }
}
