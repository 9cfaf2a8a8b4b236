import Corpus
import Encodings
import Foundation
import SampleStore
import Testing

/// The table `completeness`: what Apple sold, compared with what claims and evidence show.
struct `What a run did not see` {
    /// Claims of purchases of the product `gold` on some days of March, at noon UTC.
    private func story(_ days: Int..., more: (inout RefundStory) throws -> Void = { _ in }) throws -> RefundStory {
        var story = try RefundStory()
        for (number, day) in days.enumerated() { try story.claim(Self.purchase(number + 1, on: day)) }
        try more(&story)
        return story
    }

    private static func purchase(_ number: Int, on day: Int) -> TransactionContent {
        purchase(number, at: .utc(2026, 3, day).adding(seconds: 43_200))
    }

    private static func purchase(_ number: Int, at date: Instant) -> TransactionContent {
        RefundStory.purchase(number).with {
            ($0.purchasedAt, $0.originallyPurchasedAt, $0.signedAt) = (date, date, date)
        }
    }

    /// Writes a report of a day of March.
    private func report(_ story: RefundStory, _ day: Int, _ rows: String...) throws {
        let columns =
            "SKU\tProduct Type Identifier\tUnits\tBegin Date\tEnd Date\tCountry Code\tCustomer Price\tParent Identifier"
        let date = "03/\(day < 10 ? "0" : "")\(day)/2026"
        let lines = rows.map { $0.replacing("DAY", with: "\(date)\t\(date)\tUS") }
        try story.export.write(([columns] + lines).joined(separator: "\n") + "\n", to: "sales/\(day).txt")
    }

    private func row(_ units: Int, product: String = "gold", price: String = "4.99", app: String = "NOTES-1") -> String
    {
        "\(product)\tIA1\t\(units)\tDAY\t\(price)\t\(app)"
    }

    /// The rows as `day product units refunds proofs evidence missing`.
    private func rows(_ story: RefundStory, _ more: String...) throws -> [String] {
        try story.rows(of: "completeness", with: ["--sales", story.export.path("sales")] + more).map { row in
            let cells = ["date", "product_id", "units", "refunds", "proofs", "evidence_only", "missing"]
            return cells.map { row[$0] ?? "?" }.joined(separator: " ").replacing("2026-03-", with: "")
        }
    }

    @Test func `is what Apple sold and nothing shows, by day and product`() throws {
        let story = try story(2, 3, 3, 4)
        for (day, units) in [(2, 1), (3, 5), (4, 1)] { try report(story, day, row(units)) }
        #expect(try rows(story) == ["02 gold 1 0 1 0 0", "03 gold 5 0 2 0 3", "04 gold 1 0 1 0 0"])
        let first = try story.rows(of: "completeness", with: ["--sales", story.export.path("sales")]).first
        #expect(first?["app"] == "com.example.notes")
    }

    @Test func `is nothing on days that the export does not cover`() throws {
        let story = try story(2, 4)
        for day in 1...5 { try report(story, day, row(2)) }
        #expect(
            try rows(story) == [
                "01 gold 2 0 0 0 ", "02 gold 2 0 1 0 1", "03 gold 2 0 0 0 2", "04 gold 2 0 1 0 1", "05 gold 2 0 0 0 ",
            ])
    }

    @Test func `is nothing before the first presentation, of which receipts show older purchases`() throws {
        var story = try RefundStory()
        let purchases = [2, 3, 4].map { Self.purchase($0, on: $0) }
        for purchase in purchases { try story.claim(purchase, ["presented_at": "2026-03-03T13:00:00Z"]) }
        for day in 2...4 { try report(story, day, row(2)) }
        #expect(try rows(story) == ["02 gold 2 0 1 0 ", "03 gold 2 0 1 0 1", "04 gold 2 0 1 0 1"])
    }

    @Test func `is nothing of apps that no proof is of, which are told`() throws {
        let story = try story(2)
        try report(story, 2, row(1), row(7, product: "other.gold", app: "OTHER-1"))
        #expect(try rows(story) == ["02 gold 1 0 1 0 0", "02 other.gold 7 0 0 0 "])
        let run = try AuditProcess(
            ["run", story.export.path("claims.ndjson"), "--as-of", "2026-04-20"] + story.options
                + ["--sales", story.export.path("sales")])
        #expect(run.messages.contains("no proof shows a product, so nothing of them counts as missing: “OTHER-1”"))
    }

    @Test func `counts a transaction once, in a receipt and a token, in several claims and in evidence`() throws {
        let sold = Self.purchase(1, on: 2)
        let story = try story(2) { story in
            try story.claim(sold, ["account_id": "ana"])
            try story.tell("ONE_TIME_CHARGE", sold)
            var inReceipt = PurchaseContent(
                .nonConsumable, productID: "gold", transactionID: sold.transactionID, purchasedAt: sold.purchasedAt)
            // Restored on another device.
            (inReceipt.transactionID, inReceipt.purchasedAt) = ("460000000000077", .utc(2026, 3, 9))
            try story.claim([inReceipt], created: .utc(2026, 3, 9))
        }
        try report(story, 2, row(3))
        #expect(try rows(story) == ["02 gold 3 0 1 0 2"])
    }

    @Test func `is less what only evidence shows`() throws {
        let story = try story(2) { try $0.tell("ONE_TIME_CHARGE", Self.purchase(5, on: 2)) }
        try report(story, 2, row(3))
        #expect(try rows(story) == ["02 gold 3 0 1 1 1"])
    }

    @Test func `is nothing that was free, a family's or a test`() throws {
        let story = try story(2) { story in
            try story.claim(Self.purchase(5, on: 2).with { ($0.price, $0.currency) = (0, "USD") })
            try story.claim(Self.purchase(6, on: 2).with { $0.ownership = "FAMILY_SHARED" })
            try story.claim(Self.purchase(7, on: 2).with { $0.environment = "Sandbox" })
        }
        try report(story, 2, row(2), row(9, price: "0"))
        #expect(try rows(story) == ["02 gold 2 0 1 0 1"])
    }

    @Test func `is nothing that a forgery shows`() throws {
        let other = try TokenAuthority.rogue()
        let story = try story(2) { try $0.claim(Self.purchase(5, on: 2), by: other) }
        try report(story, 2, row(2))
        #expect(try rows(story) == ["02 gold 2 0 1 0 1"])
    }

    @Test func `counts each item of a quantity`() throws {
        let story = try story(2) { story in
            try story.claim(Self.purchase(5, on: 2).with { ($0.kind, $0.quantity) = (.consumable, 3) })
        }
        try report(story, 2, row(5))
        #expect(try rows(story) == ["02 gold 5 0 4 0 1"])
    }

    @Test func `counts each period of a subscription on its day, and a renumbered one once`() throws {
        let story = try story { story in
            let periods = [2, 3].map { day in
                PurchaseContent(
                    .autoRenewable, productID: "gold", transactionID: "46000000000000\(day)",
                    purchasedAt: .utc(2026, 3, day).adding(seconds: 43_200)
                ).with {
                    ($0.originalTransactionID, $0.webOrderLineItemID) = ("460000000000002", day)
                    $0.expiresAt = $0.purchasedAt.adding(seconds: 86_400)
                }
            }
            try story.claim(periods, created: .utc(2026, 3, 9))
            try story.claim(
                periods.map { period in period.with { $0.transactionID += "9" } }, created: .utc(2026, 3, 10))
        }
        for day in 2...3 { try report(story, day, row(2)) }
        #expect(try rows(story) == ["02 gold 2 0 1 0 1", "03 gold 2 0 1 0 1"])
    }

    /// Instants around midnight in Pacific time, and their days of March.
    private static let midnights: [(instant: String, day: String)] = [
        // Daylight saving time begins on 8 March 2026.
        ("2026-03-08T07:59:59Z", "07"), ("2026-03-08T08:00:00Z", "08"), ("2026-03-09T06:59:59Z", "08"),
        ("2026-03-09T07:00:00Z", "09"),
    ]

    @Test(arguments: midnights) func `has the days of Pacific time`(instant: String, day: String) throws {
        var story = try RefundStory()
        try story.claim(Self.purchase(1, at: try #require(Instant(rfc3339: instant))))
        for day in 7...9 { try report(story, day, row(-1)) }
        let proven = try rows(story).filter { $0.contains(" gold 0 1 1 0 ") }
        #expect(proven.count == 1 && proven.first?.hasPrefix(day) == true)
    }

    @Test func `is not compared for items of Advanced Commerce, which proofs do not name`() throws {
        let story = try story(2)
        try report(story, 2, row(1), row(4, product: "'a','b'"))
        #expect(try rows(story) == ["02 'a','b' 4 0 0 0 ", "02 gold 1 0 1 0 0"])
    }

    @Test(arguments: [("0.5", Int32(0)), ("0.4", 3)])
    func `ends with 3 if it is more than may be`(share: String, code: Int32) throws {
        let story = try story(2)
        try story.write()
        try report(story, 2, row(2))
        let run = try AuditProcess(
            ["run", story.export.path("claims.ndjson"), "--as-of", "2026-04-20", "--max-missing", share]
                + story.options + ["--sales", story.export.path("sales")])
        #expect(run.exitCode == code)
        #expect(run.messages.contains("neither proofs nor evidence show 1 of them (50.0 %)"))
        #expect(run.messages.contains("--max-missing is 0.4") == (code == 3))
    }

    @Test func `ends with 3 if a report cannot be counted, and says which row`() throws {
        let story = try story(2)
        try story.write()
        try report(story, 2, row(1))
        try report(story, 3, row(1), "gold\tIA1\tmany\tDAY\t1\tNOTES-1")
        let run = try AuditProcess(
            ["run", story.export.path("claims.ndjson"), "--as-of", "2026-04-20"] + story.options
                + ["--sales", story.export.path("sales")])
        #expect(run.exitCode == 3)
        #expect(run.messages.contains("sales/3.txt: row 3: “many” is not a number of units; nothing of this file"))
    }

    @Test func `needs sales reports`() throws {
        let story = try story(2)
        try story.write()
        let audit = ["run", story.export.path("claims.ndjson"), "--as-of", "2026-04-20"] + story.options
        let limited = try AuditProcess(audit + ["--max-missing", "0.1"])
        #expect(limited.exitCode == 2 && limited.messages.contains("--max-missing needs --sales"))
        let empty = try AuditProcess(audit + ["--report", "completeness=-"])
        #expect(empty.exitCode == 0 && empty.rows.isEmpty)
        #expect(empty.messages.contains("the table completeness is empty, because it needs --sales"))
    }

    @Test func `is on pages, with the worst gaps`() throws {
        let story = try story(2, 4)
        try story.write()
        for day in 2...4 { try report(story, day, row(day * 2)) }
        let reports = ["report.html", "report.md", "report.xlsx", "report.sqlite"]
        let run = try AuditProcess(
            ["run", story.export.path("claims.ndjson"), "--as-of", "2026-04-20"] + story.options
                + ["--sales", story.export.path("sales")]
                + reports.flatMap { ["--report", story.export.path($0)] })
        #expect(run.exitCode == 0, "\(run.messages)")
        for name in ["report.html", "report.md"] {
            let page = try #require(story.export.text(of: name))
            #expect(page.contains("Apple sold 18 units on days that the export covers"))
            #expect(page.contains("The worst gaps") && page.contains("2026-03-04"))
        }
    }

    @Test(.enabled(if: Exhaustive.isOn)) func `of a population is what was planted, and nothing else`() throws {
        let export = try TestExport()
        let made = try AuditProcess(lab: ["honest", export.path("people"), "--count", "240", "--seed", "3", "--sales"])
        try #require(made.exitCode == 0, "\(made.messages)")
        let run = try AuditProcess(
            [
                "run", export.path("people/claims.ndjson"), "--evidence", export.path("people/evidence.ndjson"),
                "--root", export.path("people/root.cer"), "--policy", export.path("people/policy.yml"), "--as-of",
                "2026-06-30", "--sales", export.path("people/sales"), "--report", "completeness=-", "--quiet",
            ])
        try #require(run.exitCode == 0, "\(run.messages)")
        let found = run.rows.filter { ($0["missing"] ?? "").isEmpty == false && $0["missing"] != "0" }
        let planted = try (export.text(of: "people/missing.ndjson") ?? "").split(separator: "\n").map {
            try JSONDecoder().decode(HonestSales.Omission.self, from: Data($0.utf8))
        }
        #expect(planted.count == 100)
        #expect(found.allSatisfy { $0["missing"] == "1" })
        let places = found.map { "\($0["date"] ?? "") \($0["product_id"] ?? "")" }
        #expect(places.sorted() == planted.map { "\($0.date) \($0.productID)" }.sorted())
    }
}
