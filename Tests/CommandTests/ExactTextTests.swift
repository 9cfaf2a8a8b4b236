import Foundation
import SampleStore
import Testing

/// The Kelvin sign (U+212A) is canonically equivalent to K, and é (U+00E9) to e with an accent (U+0301).
struct `A run on texts that are canonically equivalent and not the same` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        try export.write(
            """
            version: 1
            apps:
              com.example.K:
                products: {Karma: {kind: consumable}}
            allow:
            - {subject: "account:K", reason: not the Kelvin sign}
            """, to: "policy.yml")
    }

    private struct Line {
        var bundleID = "com.example.K"
        var version = "1"
        var product: String?
        var transaction = "460000000000001"
        var trials = 0
        var keys: [String: String] = [:]
    }

    /// Audits lines of receipts that are valid but for what is compared.
    private func audit(_ lines: Line...) throws -> (receipts: [[String: String]], fraud: [[String: String]]) {
        let objects = try lines.map { line in
            let content = ReceiptContent(
                bundleID: line.bundleID, device: TestExport.phone, createdAt: .utc(2024, 3, 1)
            ).with {
                $0.appVersion = line.version
                $0.purchases = [line.product].compactMap { $0 }.map {
                    PurchaseContent(
                        .consumable, productID: $0, transactionID: line.transaction, purchasedAt: .utc(2024, 2, 1))
                }
                $0.purchases += (0..<line.trials).map { number in
                    PurchaseContent(
                        .autoRenewable, productID: "Karma", transactionID: "\(line.transaction)\(number)",
                        purchasedAt: .utc(2024, 1 + number, 1)
                    ).with {
                        $0.expiresAt = .utc(2024, 1 + number, 8)
                        $0.isTrial = true
                    }
                }
            }
            let receipt = Data(try TestExport.receipt(content)).base64EncodedString()
            let members = line.keys.merging(["receipt_data": receipt]) { $1 }
            return String(decoding: try JSONEncoder().encode(members), as: UTF8.self) + "\n"
        }
        try export.write(objects.joined(), to: "export.ndjson")
        let run = try AuditProcess([
            "run", export.path("export.ndjson"), "--root", export.root, "--policy", export.path("policy.yml"),
            "--as-of", "2026-06-30", "--report", export.path("receipts.csv"),
            "--report", "fraud=" + export.path("fraud.csv"), "--quiet",
        ])
        #expect(run.exitCode == 0, "\(run.messages)")
        return (table(export.text(of: "receipts.csv") ?? ""), table(export.text(of: "fraud.csv") ?? ""))
    }

    @Test func `finds that a receipt is of another app than the policy's`() throws {
        let found = try audit(Line(), Line(bundleID: "com.example.\u{212a}")).receipts
        #expect(found.map { $0["failed_checks"] } == ["", "bundle-id-mismatch"])
    }

    @Test func `takes two apps of the policy for two`() throws {
        try export.write(
            "version: 1\napps:\n  com.example.\u{e9}: {products: {gold: {}}}\n  com.example.e\u{301}: {products: {}}\n",
            to: "policy.yml")
        let found = try audit(
            Line(bundleID: "com.example.\u{e9}", product: "gold"),
            Line(bundleID: "com.example.e\u{301}", product: "gold", transaction: "2")
        ).receipts
        #expect(found.map { $0["failed_checks"] } == ["", ""])
        #expect(found.map { $0["rules"] } == ["", "unknown-product"])
    }

    @Test func `finds that a receipt is of another app, or version, than was claimed`() throws {
        let found = try audit(
            Line(keys: ["bundle_id": "com.example.K"]), Line(keys: ["bundle_id": "com.example.\u{212a}"]),
            Line(version: "1.\u{e9}", keys: ["app_version": "1.\u{e9}"]),
            Line(version: "1.\u{e9}", keys: ["app_version": "1.e\u{301}"])
        ).receipts
        #expect(found.map { $0["failed_checks"] } == ["", "bundle-id-mismatch", "", "app-version-mismatch"])
    }

    @Test func `finds that a product was not bought, or is not sold`() throws {
        let found = try audit(
            Line(product: "Karma", keys: ["product_id": "Karma"]),
            Line(product: "Karma", transaction: "2", keys: ["product_id": "\u{212a}arma"]),
            Line(product: "\u{212a}arma", transaction: "3")
        ).receipts
        #expect(found.map { $0["rules"] } == ["", "missing-purchase", "unknown-product"])
    }

    @Test func `hides what the allow list names, and nothing else`() throws {
        let found = try audit(
            Line(transaction: "1", trials: 2, keys: ["account_id": "K"]),
            Line(transaction: "2", trials: 2, keys: ["account_id": "\u{212a}"])
        ).fraud
        let subjects = found.filter { $0["rule"] == "trial-abuse" }.compactMap { $0["subject"] }
            .filter { $0.hasPrefix("account:") }
        #expect(subjects.map { Array($0.utf8) } == [Array("account:\u{212a}".utf8)])
    }

    @Test func `takes two accounts for two`() throws {
        let found = try audit(
            Line(product: "Karma", keys: ["account_id": "caf\u{e9}"]),
            Line(product: "Karma", keys: ["account_id": "cafe\u{301}"])
        ).fraud
        #expect(found.first { $0["rule"] == "shared-account" }?["accounts"] == "2")
        #expect(found.first { $0["rule"] == "replayed-consumable" }?["accounts"] == "2")
    }

    @Test func `takes two transactions for two`() throws {
        let lines = ["K", "\u{212a}"].enumerated().map { number, id in
            Line(product: "Karma", transaction: id, keys: ["account_id": "account-\(number)"])
        }
        let one = try audit(lines[0], Line(product: "Karma", transaction: "K", keys: ["account_id": "other"])).fraud
        #expect(Set(one.compactMap { $0["rule"] }) == ["shared-account", "replayed-consumable"])
        #expect(try audit(lines[0], lines[1]).fraud == [])
    }
}
