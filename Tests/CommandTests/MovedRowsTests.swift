import Corpus
import Foundation
import SampleStore
import Testing

/// An export whose rows are in other places in the next run.
struct `A run with a ledger over moved rows` {
    private let export: TestExport
    private let rows: [String]
    private static let tables =
        ["receipts.csv", "fraud.csv", "subscriptions.csv"]
        + (Exhaustive.isOn ? ["receipts.json", "receipts.ndjson", "summary.json"] : [])
    private static let pages = ["report.md", "report.html"]
    /// Each receipt is presented by this many accounts.
    private static let copies = Exhaustive.count(10, sampled: 2)
    private static let count = 600 * copies
    /// The most rows that three blocks have: those at the cut, at the seam and at the end of what was moved.
    private static let maxNew = 3 * 256

    init() throws {
        export = try TestExport()
        try export.writeSample(count: 600, seed: 11, plantShare: 0.2)
        let sample = (export.text(of: "sample/receipts/devices.csv") ?? "").split(separator: "\r\n").map(String.init)
        let account = sample[0].split(separator: ",").firstIndex(of: "account_id") ?? 0
        rows =
            sample.prefix(1)
            + (0..<Self.copies).flatMap { copy in
                sample.dropFirst().map { row in
                    var cells = row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                    cells[account] += "-\(copy)"
                    return cells.joined(separator: ",")
                }
            }
        try export.write(text(Array(rows.dropFirst())), to: "sample/receipts/first.csv")
    }

    private func text(_ rows: some Sequence<String>) -> String {
        self.rows[0] + "\r\n" + rows.map { $0 + "\r\n" }.joined()
    }

    private var state: [String] { ["--state", export.path("ledger.db")] }

    private func audit(_ folder: String, of input: String, _ arguments: [String] = []) throws -> AuditProcess {
        let run = try AuditProcess(
            [
                "run", export.path("sample/receipts/" + input), "--root", export.path("sample/root.cer"), "--as-of",
                "2026-06-30", "--workers", "2",
            ] + arguments)
        #expect(run.exitCode == 0, "\(run.messages)")
        return run
    }

    private func reports(_ folder: String, _ names: [String]) -> [String] {
        names.flatMap { name in
            let table = name.hasPrefix("report.") ? "" : String(name.prefix { $0 != "." }) + "="
            return ["--report", table + export.path(folder + "/" + name)]
        }
    }

    /// How many claims a run knew, by its messages.
    private func known(_ run: AuditProcess) -> Int {
        let line = run.messages.split(separator: "\n").first { $0.contains("claims were known") } ?? ""
        let words = line.split(separator: " ")
        guard let of = words.firstIndex(of: "of"), of > 0 else { return -1 }
        return Int(words[of - 1].filter(\.isNumber)) ?? -1
    }

    /// Audits `first.csv` and then these rows under a name, with one ledger, and compares with a run without.
    ///
    /// - Returns: how many claims the second run knew.
    private func audit(
        _ rows: some Sequence<String>, as name: String = "first.csv", _ names: [String] = tables, hasAll: Bool = true
    ) throws -> Int {
        _ = try audit("first", of: "first.csv", state + reports("first", names))
        try export.write(text(rows), to: "sample/receipts/" + name)
        let second = try audit("second", of: name, state + reports("second", names))
        _ = try audit("plain", of: name, reports("plain", names))
        for report in names {
            let texts = ["plain", "second"].map { export.text(of: $0 + "/" + report) }
            if hasAll, report == "fraud.csv" {
                // Only a ledger knows what is new.
                let rows = texts.map { table($0 ?? "").map { $0.filter { $0.key != "change" } } }
                #expect(!rows[0].isEmpty && rows[0] == rows[1])
            } else if hasAll, !Self.pages.contains(report) {
                #expect(texts[0] != nil && texts[0] == texts[1], "\(report)")
            } else if report == "receipts.csv" {
                // What the removed rows said is history that counts.
                let cells = texts.map { table($0 ?? "").map { $0.filter { $0.key != "risk" && $0.key != "rules" } } }
                #expect(cells[0] == cells[1] && cells[0].count > Self.count - 100)
            }
        }
        // Another run over the same rows has nothing to check, and reports the same.
        let third = try audit("third", of: name, state + reports("third", names))
        #expect(third.messages.contains(/([\d,]+) of \1 claims were known/), "\(third.messages)")
        for report in names { #expect(export.text(of: "second/" + report) == export.text(of: "third/" + report)) }
        return known(second)
    }

    private var claims: [String] { Array(rows.dropFirst()) }

    @Test(.enabled(if: Exhaustive.isOn, "AUDIT_EXHAUSTIVE is not set"))
    func `knows all rows under another name of the file`() throws {
        #expect(try audit(claims, as: "renamed, with a comma.csv") == Self.count)
    }

    @Test func `knows nearly all rows in another order of stretches and under another name`() throws {
        let cut = Self.count / 2
        #expect(try audit(claims[cut...] + claims[..<cut], as: "second.csv") >= Self.count - Self.maxNew)
    }

    @Test(.enabled(if: Exhaustive.isOn, "AUDIT_EXHAUSTIVE is not set"))
    func `knows nearly all rows around some that were inserted and appended`() throws {
        var changed = claims
        changed.insert(contentsOf: claims[100..<110], at: Self.count / 4)
        #expect(try audit(changed + claims[5..<25]) >= changed.count - Self.maxNew)
    }

    @Test func `knows nearly all rows around some that were removed`() throws {
        let cut = Self.count / 5
        #expect(try audit(claims[..<cut] + claims[(cut + 30)...], hasAll: false) >= Self.count - 30 - Self.maxNew)
    }

    @Test func `knows rows behind blank lines, and names their lines`() throws {
        var changed = claims
        for index in stride(from: 900, to: 0, by: -100) { changed.insert("", at: index) }
        #expect(try audit(changed) == Self.count)
        #expect(table(export.text(of: "second/receipts.csv") ?? "").last?["source"] == "first.csv:\(Self.count + 10)")
    }

    @Test func `shows on pages the worst claims, when others come to the front`() throws {
        let cut = Self.count - 1000
        _ = try audit(claims[cut...] + claims[..<cut], as: "first.csv", ["receipts.csv"] + Self.pages)
        let claims = ["plain", "second"].map { folder in
            let lines = (export.text(of: folder + "/report.html") ?? "").split(separator: "\n")
            return Array(lines.drop { $0 != "<section id=\"claims\">" }.prefix { $0 != "</section>" })
        }
        #expect(claims[0].count > 100 && claims[0] == claims[1])
    }
}
