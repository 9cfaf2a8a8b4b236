import Foundation
import SampleStore
import Testing

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

    @Test(arguments: [0, 1])
    func `is worth the same in shards, whose keys are divided or not`(most: Int) throws {
        #expect(try summary().exitCode == 0)
        let shards = try AuditProcess(
            script: ShardExport.script,
            ["-s", "2", "-o", "got", "-c", "\(most)", export.path("export.ndjson"), "--"] + options,
            environment: ["AUDIT": AuditProcess.path], in: export.folder)
        #expect(shards.exitCode == 0, "\(shards.messages)")
        let (got, want) = (export.text(of: "got/summary.csv") ?? "", export.text(of: "summary.csv") ?? "")
        #expect(got == want && !want.isEmpty)
    }
}
