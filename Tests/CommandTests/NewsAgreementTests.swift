import Foundation
import SampleStore
import Testing

/// A night that finds something new, with a ledger: all that says what is new says the same.
struct `What is new` {
    private let export: TestExport

    init() throws {
        export = try TestExport(beginning: "news") { export in
            try export.writeSample(count: 300, seed: 7, plantShare: 0.3)
            _ = try ExportFolder(export.path("first")).write(
                SampleExport(count: 120, seed: 7, forgeryShare: 0.1, plantShare: 0.3, tokenShare: 0.2))
            try Self.audit(export, "first/receipts", asOf: "2026-06-29")
            try Self.audit(export, "sample/receipts", asOf: "2026-06-30")
        }
    }

    private var state: [String] { ["--state", export.path("ledger.db")] }

    private static func audit(_ export: TestExport, _ input: String, asOf: String) throws {
        let files = ["page.html", "page.md"] + ["fraud", "entities", "links"].map { "\($0)=\(export.path($0)).csv" }
        let reports = files.flatMap { ["--report", $0.contains("=") ? $0 : export.path($0)] }
        let run = try AuditProcess(
            [
                "run", export.path(input), "--root", export.path("sample/root.cer"), "--policy",
                export.path("sample/policy.yml"), "--as-of", asOf, "--quiet", "--state", export.path("ledger.db"),
            ] + reports)
        #expect(run.exitCode == 0, "\(run.messages)")
    }

    private func rows(_ name: String) -> [[String: String]] { table(export.text(of: name) ?? "") }

    private var found: [[String: String]] { rows("fraud.csv").filter { $0["change"] != "resolved" } }
    private var new: [[String: String]] { found.filter { $0["change"] == "new" } }
    private var page: String {
        get throws { try #require(export.text(of: "page.html")) }
    }

    private func names(_ rows: [[String: String]]) -> [String] {
        rows.map { "\($0["rule"] ?? "") \($0["subject"] ?? "")" }.sorted()
    }

    /// The part of a page after some markup and before other markup.
    private func part(_ start: String, _ end: String) throws -> Substring {
        let page = try page
        let first = try #require(page.firstRange(of: start))
        let rest = page[first.upperBound...]
        return rest[..<(rest.firstRange(of: end)?.lowerBound ?? rest.endIndex)]
    }

    @Test func `is the same in the table fraud, the headline, the list of news and the history`() throws {
        #expect(new.count > 10 && found.count > new.count)
        for name in ["page.html", "page.md"] {
            #expect(export.text(of: name)?.contains("\(new.count) findings are new (") == true, "\(name)")
        }
        #expect(try page.contains("<h3>\(new.count) new: "))
        let history = try AuditProcess(["history", "--json"] + state + ["1", "2"])
        let changes = try JSONSerialization.jsonObject(with: Data(history.output.utf8)) as? [String: Any]
        let listed = try #require(changes?["new"] as? [[String: Any]])
        #expect(names(new) == names(listed.map { $0.compactMapValues { $0 as? String } }))
    }

    @Test func `is marked on the rows of the queue that hold new findings, and on no others`() throws {
        let newIDs = Set(new.compactMap { $0["finding_id"] })
        var marked: Set<String> = []
        for row in try part("<table class=\"wide rows queue\"", "</table>").split(separator: "<tr").dropFirst(2) {
            let ids = row.matches(of: /id="finding-([0-9a-f]{24})"/).map { String($0.output.1) }
            let state = try #require(row.split(separator: "<td>").last)
            let isNew = state.contains(", new,")
            #expect(ids.allSatisfy { newIDs.contains($0) == isNew }, "\(row)")
            if isNew { marked.formUnion(ids) }
        }
        #expect(marked == newIDs)
    }

    @Test func `is marked on the cards of accounts with a new finding, and on no others`() throws {
        let newIDs = Set(new.compactMap { $0["finding_id"] })
        let touched = Set(
            rows("links.csv").filter { newIDs.contains($0["finding_id"] ?? "") }.compactMap { $0["account_id"] })
        let accounts = rows("entities.csv").filter { $0["kind"] == "account" }
        for account in accounts {
            #expect((account["new"] == "true") == touched.contains(account["id"] ?? ""), "\(account)")
        }
        var cards = 0
        for card in try part("<section id=\"cards\">", "</section>").split(separator: "<article").dropFirst() {
            guard let shown = card.firstMatch(of: /account \d+: <code>([^<]+)</)?.output.1 else { continue }
            let name = String(shown).replacing("&#34;", with: "\"")
            cards += 1
            let facts = try #require(card.firstMatch(of: /<p class="facts">(.*?)<\/p>/)?.output.1)
            #expect(facts.contains("<span>new</span>") == touched.contains(name), "\(name)")
        }
        #expect(cards > 5)
    }

    @Test func `and was reviewed since is still new, and says that it is closed`() throws {
        let first = try #require(new.first { $0["subject"]?.hasPrefix("claim:") == true })
        let count = new.count
        let review = try AuditProcess(
            ["review"] + state + [try #require(first["finding_id"]), "--as", "ok", "--by", "anna"])
        #expect(review.exitCode == 0, "\(review.messages)")
        try Self.audit(export, "sample/receipts", asOf: "2026-06-30")
        #expect(new.count == count && new.count { $0["status"] == "ok" } == 1)
        for name in ["page.html", "page.md"] {
            let text = try #require(export.text(of: name))
            #expect(
                text.contains("\(count) findings are new, and reviews closed 1 of them; to decide about: "), "\(name)")
        }
        #expect(try page.contains("<h3>\(count - 1) new to decide about: "))
    }
}
