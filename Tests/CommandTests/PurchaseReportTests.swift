import Foundation
import SampleStore
import Testing

/// A claim's own statements, in the table `receipts`.
struct `A row of receipts` {
    @Test func `says what was claimed, beside what the receipt says`() throws {
        let export = try TestExport()
        try export.write(TestExport.receipt(), to: "receipts/a.der")
        try export.write("nothing", to: "receipts/b.der")
        try export.write(
            """
            file,bundle_id,app_version,product_id,presented_at
            a.der,com.example.other,9.9,gold,1745980231.5
            b.der,,,,soon
            c.der,=1+1,,,2026-06-30
            """, to: "receipts/devices.csv")
        let rows = try export.audit("--quiet", "--report", "-").rows
        let columns = ["claimed_bundle_id", "claimed_app_version", "claimed_product_id", "presented_at", "kind"]
        #expect(
            rows.map { row in columns.map { row[$0] ?? "?" } } == [
                ["com.example.other", "9.9", "gold", "2025-04-30T02:30:31Z", "app-receipt"], ["", "", "", "", ""],
                ["'=1+1", "", "", "2026-06-30T00:00:00Z", ""],
            ])
        #expect(rows.first?["bundle_id"] == "com.example.notes")
        for column in ["transaction_id", "original_transaction_id", "app_transaction_id"] {
            #expect(rows.map { $0[column] } == ["", "", ""])
        }
    }
}

/// The table `purchases`.
struct `Purchases in a report` {
    private let export: TestExport

    init() throws { export = try TestExport() }

    private static func purchase(_ id: String, _ day: Int, _ change: (inout PurchaseContent) -> Void = { _ in })
        -> PurchaseContent
    {
        PurchaseContent(.consumable, productID: "coins", transactionID: id, purchasedAt: .utc(2024, 2, day)).with(
            change)
    }

    private func write(_ purchases: [PurchaseContent], to name: String = "receipts/a.der") throws {
        let content = ReceiptContent(
            bundleID: "com.example.notes", device: TestExport.phone, createdAt: .utc(2024, 4, 1)
        ).with { $0.purchases = purchases }
        try export.write(TestExport.receipt(content), to: name)
    }

    @Test func `have all that a receipt says of them, and the price that the policy says`() throws {
        try export.write(
            """
            version: 1
            apps:
              com.example.notes:
                products:
                  month: {kind: auto-renewable, price: 4.5, currency: USD, period: month}
            """, to: "policy.yml")
        try write([
            PurchaseContent(.autoRenewable, productID: "month", transactionID: "2", purchasedAt: .utc(2024, 3, 1)).with
            {
                $0.originalTransactionID = "1"
                $0.originallyPurchasedAt = .utc(2024, 2, 1)
                $0.expiresAt = .utc(2024, 4, 1)
                $0.cancelledAt = .utc(2024, 3, 5)
                $0.webOrderLineItemID = 77
                $0.quantity = 3
                $0.isIntroOffer = true
                $0.promotionalOfferID = "=loyal"
                $0.edits = [.add(AttributeContent(1720, integer: 1))]
            }
        ])
        let run = try export.audit(
            "--quiet", "--policy", export.path("policy.yml"), "--report", "purchases=-", "--report",
            export.path("r.csv"),
            "--report", "purchases=" + export.path("p.ndjson"))
        #expect(run.exitCode == 0 && run.messages == "")
        let receipt = try #require(table(export.text(of: "r.csv") ?? "").first)
        #expect(
            run.rows == [
                [
                    "source": "a.der", "claim_id": receipt["claim_id"] ?? "",
                    "receipt_sha256": receipt["receipt_sha256"] ?? "",
                    "transaction_id": "2", "original_transaction_id": "1", "web_order_line_item_id": "77",
                    "product_id": "month", "kind": "auto-renewable", "quantity": "3",
                    "purchased_at": "2024-03-01T00:00:00Z", "original_purchased_at": "2024-02-01T00:00:00Z",
                    "expires_at": "2024-04-01T00:00:00Z", "refunded_at": "2024-03-05T00:00:00Z", "refund_reason": "1",
                    "trial": "false", "intro_offer": "true", "offer": "'=loyal", "ownership": "", "price": "4.5",
                    "currency": "USD", "verdict": "valid", "revocation": "refund",
                ]
            ])
        let line = try #require(export.text(of: "p.ndjson")?.split(separator: "\n").first)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(
            json["price"] as? Double == 4.5 && json["quantity"] as? Int == 3 && json["offer"] as? String == "=loyal")
    }

    @Test func `are in the order of claims, then of their dates`() throws {
        try write([Self.purchase("9", 3), Self.purchase("10", 1), Self.purchase("8", 3)], to: "receipts/b.der")
        try write([Self.purchase("1", 5)], to: "receipts/c.der")
        try write([], to: "receipts/a.der")
        try export.write("nothing", to: "receipts/d.der")
        let rows = try export.audit("--quiet", "--report", "purchases=-").rows
        #expect(rows.map { $0["source"] } == ["b.der", "b.der", "b.der", "c.der"])
        #expect(rows.map { $0["transaction_id"] } == ["10", "8", "9", "1"])
    }

    @Test(arguments: [false, true])
    func `are one for a transaction that a receipt lists twice, in whatever order`(reversed: Bool) throws {
        let twice = [
            Self.purchase("1", 2), Self.purchase("1", 3) { $0.cancelledAt = .utc(2024, 2, 4) },
            Self.purchase("1", 4) { $0.cancelledAt = .utc(2024, 2, 5) }, Self.purchase("2", 1), Self.purchase("2", 2),
        ]
        try write(reversed ? twice.reversed() : twice)
        let rows = try export.audit("--quiet", "--report", "purchases=-").rows
        #expect(rows.map { $0["purchased_at"] } == ["2024-02-01T00:00:00Z", "2024-02-03T00:00:00Z"])
    }

    @Test func `may be more than memory holds`() throws {
        // The rows of one claim are more than the megabyte that may stay in memory.
        let name = String(repeating: "coins", count: 60)
        let many = (0..<4000).map { Self.purchase("\(100_000 + $0)", 1 + $0 % 28) { $0.productID = name } }
        try write(many, to: "receipts/a.der")
        try write([Self.purchase("1", 1)], to: "receipts/b.der")
        try write(many, to: "receipts/c.der")
        var texts: [String?] = []
        for _ in 0..<2 {
            let run = try export.audit(
                "--quiet", "--report", "purchases=" + export.path("p.csv"), "--state", export.path("ledger.db"))
            #expect(run.exitCode == 0, "\(run.messages)")
            texts.append(export.text(of: "p.csv"))
        }
        #expect(texts[0] == texts[1])
        let rows = table(texts[0] ?? "")
        #expect(rows.count == 8001)
        #expect(rows.map { $0["source"] ?? "" } == rows.map { $0["source"] ?? "" }.sorted())
        #expect(Set(rows.map { "\($0["source"] ?? "") \($0["transaction_id"] ?? "")" }).count == rows.count)
    }

    @Test func `fill a workbook of their own, and are in no other`() throws {
        try write([Self.purchase("1", 1)])
        let run = try export.audit(
            "--quiet", "--report", "purchases=" + export.path("p.xlsx"), "--report", export.path("all.xlsx"))
        #expect(run.exitCode == 0, "\(run.messages)")
        #expect(try export.names(in: ".").contains("p.xlsx"))
    }

    @Test(arguments: ["html", "md"])
    func `are no page`(format: String) throws {
        let run = try export.audit("--report", "purchases=" + export.path("p." + format))
        #expect(run.exitCode == 64)
        #expect(run.messages.contains("the table purchases is written as .csv, .json, .ndjson, .xlsx"))
    }
}
