import Foundation
import SampleStore
import Testing

/// Subscriptions as no store sells them, from the receipt to the reports.
struct `An odd subscription` {
    struct Case: CustomTestStringConvertible {
        var testDescription: String
        /// The purchases of each receipt, the newest last.
        var receipts: [[PurchaseContent]]
        /// What the summary counts.
        var oddities: [String: String]
        var periods = "2"
    }

    private static func period(
        _ number: Int, month: Int, _ change: (inout PurchaseContent) -> Void = { _ in }
    ) -> PurchaseContent {
        PurchaseContent(
            .autoRenewable, productID: "month", transactionID: "\(1_000_000_000_000_000 + number)",
            purchasedAt: .utc(2024, month, 1)
        ).with {
            $0.originalTransactionID = "1000000000000001"
            $0.expiresAt = .utc(2024, month + 1, 1)
            $0.webOrderLineItemID = 500 + number
            change(&$0)
        }
    }

    private static let (first, second) = (period(1, month: 1), period(2, month: 2))

    static let cases = [
        Case(
            testDescription: "without original ids",
            receipts: [[first.with { $0.edits = [.leaveOut(1705)] }]], oddities: ["no-original-id": "1"], periods: "1"),
        Case(
            testDescription: "without a kind",
            receipts: [[first, second].map { $0.with { $0.edits = [.leaveOut(1707)] } }],
            oddities: ["no-kind": "2"]),
        Case(
            testDescription: "without line items",
            receipts: [[first, second].map { $0.with { $0.webOrderLineItemID = 0 } }],
            oddities: ["no-line-item": "2"]),
        Case(
            testDescription: "with periods that overlap",
            receipts: [[first, second.with { $0.purchasedAt = .utc(2024, 1, 20) }]], oddities: ["overlap": "1"]),
        Case(
            testDescription: "with an expiry before the purchase",
            receipts: [[first, second.with { $0.expiresAt = .utc(2024, 1, 15) }]],
            oddities: ["ends-before-it-begins": "1"]),
        Case(
            testDescription: "in another order in each receipt", receipts: [[second, first], [first, second]],
            oddities: [:]),
        Case(
            testDescription: "with a period of two products in two receipts",
            receipts: [[first, second], [first, second.with { $0.productID = "year" }]],
            oddities: ["products-differ": "1"]),
        Case(
            testDescription: "with a period of two products in one receipt",
            receipts: [[first, second, second.with { $0.productID = "year" }]], oddities: ["products-differ": "1"]),
    ]

    @Test(arguments: cases)
    func `has one row, and what is odd is counted`(_ odd: Case) throws {
        let export = try TestExport()
        for (number, purchases) in odd.receipts.enumerated() {
            let content = ReceiptContent(
                bundleID: "com.example.notes", device: TestExport.phone, createdAt: .utc(2024, 4, 1 + number)
            ).with { $0.purchases = purchases }
            try export.write(TestExport.receipt(content), to: "receipts/\(number).der")
        }
        let run = try export.audit(
            "--quiet", "--report", "subscriptions=" + export.path("s.csv"), "--report", "summary=-", "--report",
            export.path("report.html"))
        #expect(run.exitCode == 0 && run.messages == "")
        let rows = table(export.text(of: "s.csv") ?? "")
        #expect(rows.count == 1 && rows.first?["periods"] == odd.periods)
        let counted = run.rows.filter { $0["section"] == "subscription_oddities" }
        #expect(
            Dictionary(counted.map { ($0["item"] ?? "", $0["value"] ?? "") }) { first, _ in first } == odd.oddities)
        let page = export.text(of: "report.html") ?? ""
        for oddity in odd.oddities.keys { #expect(page.contains(">\(oddity)<")) }
    }
}

/// Periods that were bought at a promotional offer, whose price no receipt has.
struct `A subscription at a promotional offer` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        try export.write(
            """
            version: 1
            apps:
              com.example.notes:
                products:
                  month: {kind: auto-renewable, price: 4.99, currency: USD, period: month}
            """, to: "policy.yml")
        let purchases = (1...2).map { number in
            PurchaseContent(
                .autoRenewable, productID: "month", transactionID: "\(number)", purchasedAt: .utc(2026, 4 + number, 15)
            ).with {
                $0.originalTransactionID = "1"
                $0.expiresAt = .utc(2026, 5 + number, 15)
                $0.webOrderLineItemID = 500 + number
                $0.promotionalOfferID = number == 2 ? "loyal" : nil
            }
        }
        let lines = try ["a", "b"].map { account in
            let content = ReceiptContent(
                bundleID: "com.example.notes", device: TestExport.phone, createdAt: .utc(2026, 6, 20)
            ).with { $0.purchases = purchases }
            let receipt = try Data(TestExport.receipt(content)).base64EncodedString()
            return "{\"account_id\":\"\(account)\",\"receipt_data\":\"\(receipt)\"}\n"
        }
        try export.write(lines.joined(), to: "export.ndjson")
    }

    private var options: [String] {
        ["--root", export.root, "--policy", export.path("policy.yml"), "--as-of", "2026-06-30"]
    }

    private func summary() throws -> AuditProcess {
        let file = export.path("summary.csv")
        let arguments = ["run", export.path("export.ndjson"), "--report", "summary=" + file, "--quiet"]
        return try AuditProcess(arguments + options)
    }

    @Test func `is worth nothing, and is counted`() throws {
        let run = try summary()
        #expect(run.exitCode == 0 && run.messages == "")
        let rows = table(export.text(of: "summary.csv") ?? "")
        let value = { (section: String, item: String, measure: String) in
            rows.first { $0["section"] == section && $0["item"] == item && $0["measure"] == measure }?["value"]
        }
        #expect(value("subscription_recurring_revenue", "offer", "subscriptions") == "1")
        #expect(value("subscription_recurring_revenue", "priced;USD", "subscriptions") == nil)
        #expect(value("subscription_revenue", "2026-05;USD", "gross") == "4.99 USD")
        #expect(value("subscription_revenue", "2026-06;USD", "gross") == nil)
    }

    @Test func `is worth the same in shards`() throws {
        #expect(try summary().exitCode == 0)
        let shards = try AuditProcess(
            script: ShardExport.script,
            ["-s", "2", "-o", "got", export.path("export.ndjson"), "--"] + options,
            environment: ["AUDIT": AuditProcess.path], in: export.folder)
        #expect(shards.exitCode == 0, "\(shards.messages)")
        let (got, want) = (export.text(of: "got/summary.csv") ?? "", export.text(of: "summary.csv") ?? "")
        #expect(got == want && !want.isEmpty)
    }
}
