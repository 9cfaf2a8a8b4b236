import Foundation
import SampleStore
import Testing

/// The Kelvin sign (U+212A) is canonically equivalent to K, and é (U+00E9) to e with an accent (U+0301).
struct `A run on texts that are canonically equivalent and not the same` {
    @Test func `takes two for two, from the export and the policy to findings`() throws {
        let export = try TestExport()
        try export.write(
            """
            version: 1
            apps:
              com.example.K:
                products: {Karma: {kind: consumable}}
            """, to: "policy.yml")
        func line(app: String = "com.example.K", product: String = "Karma", _ keys: [String: String]) throws -> String {
            let content = ReceiptContent(bundleID: app, device: TestExport.phone, createdAt: .utc(2024, 3, 1)).with {
                $0.purchases = [
                    PurchaseContent(
                        .consumable, productID: product, transactionID: "460000000000001", purchasedAt: .utc(2024, 2, 1)
                    )
                ]
            }
            let receipt = Data(try TestExport.receipt(content)).base64EncodedString()
            let members = keys.merging(["receipt_data": receipt]) { $1 }
            return String(decoding: try JSONEncoder().encode(members), as: UTF8.self) + "\n"
        }
        let lines = try [
            line(["account_id": "caf\u{e9}", "bundle_id": "com.example.K", "product_id": "Karma"]),
            line(["account_id": "cafe\u{301}", "bundle_id": "com.example.\u{212a}", "product_id": "\u{212a}arma"]),
            line(app: "com.example.\u{212a}", [:]), line(product: "\u{212a}arma", [:]),
        ]
        try export.write(lines.joined(), to: "export.ndjson")
        let run = try AuditProcess([
            "run", export.path("export.ndjson"), "--root", export.root, "--policy", export.path("policy.yml"),
            "--as-of", "2026-06-30", "--report", export.path("receipts.csv"), "--report", "fraud=-", "--quiet",
        ])
        #expect(run.exitCode == 0, "\(run.messages)")
        let receipts = table(export.text(of: "receipts.csv") ?? "")
        #expect(
            receipts.map { $0["failed_checks"] } == ["", "bundle-id-mismatch", "bundle-id-mismatch", ""])
        let rules = receipts.map { Set(($0["rules"] ?? "").split(separator: ";").map(String.init)) }
        #expect(rules.map { $0.contains("missing-purchase") } == [false, true, false, false])
        #expect(rules.map { $0.contains("unknown-product") } == [false, false, false, true])
        #expect(run.rows.first { $0["rule"] == "shared-account" }?["accounts"] == "2")
    }
}
