import Encodings
import Foundation
import SampleStore
import Testing

/// What answers say from other proofs than the receipt: `latest_receipt_info` and `pending_renewal_info`.
struct `An answer with evidence` {
    private static let authority = Result { try TokenAuthority() }
    private let export: TestExport
    private let authority: TokenAuthority

    init() throws {
        export = try TestExport()
        authority = try Self.authority.get()
        try export.write(authority.root.certificate, to: "token-root.cer")
    }

    /// Bought on 1 March under the original transaction 1, as a receipt of 1 April shows it.
    private static let month = PurchaseContent(
        .autoRenewable, productID: "month", transactionID: "2", purchasedAt: .utc(2024, 3, 1)
    ).with {
        ($0.originalTransactionID, $0.originallyPurchasedAt) = ("1", .utc(2024, 2, 1))
        ($0.expiresAt, $0.webOrderLineItemID) = (.utc(2024, 4, 1), 22)
    }
    private static let coins = PurchaseContent(
        .consumable, productID: "coins", transactionID: "9", purchasedAt: .utc(2024, 1, 1))

    private func writeReceipt(_ purchases: PurchaseContent..., to name: String = "receipts/a.der") throws {
        let content = ReceiptContent(
            bundleID: "com.example.notes", device: TestExport.phone, createdAt: .utc(2024, 4, 1))
        try export.write(TestExport.receipt(content.with { $0.purchases = purchases }), to: name)
    }

    /// The period after ``month``, with all that a token can say of it.
    private static let renewed = TransactionContent(
        .autoRenewable, bundleID: "com.example.notes", productID: "month", transactionID: "3",
        purchasedAt: .utc(2024, 4, 1)
    ).with {
        ($0.originalTransactionID, $0.originallyPurchasedAt) = ("1", .utc(2024, 2, 1))
        ($0.expiresAt, $0.webOrderLineItemID, $0.signedAt) = (.utc(2024, 5, 1), "33", .utc(2024, 4, 2))
        ($0.subscriptionGroupID, $0.accountToken) = ("21", "7EB61F70-E56D-46F1-AC3A-84D1B43829D3")
        ($0.offer, $0.isUpgraded) = (OfferContent(3, identifier: "SPRING"), true)
        ($0.revokedAt, $0.revocationReason) = (.utc(2024, 4, 3), 1)
    }

    private static let renewal = RenewalContent(
        originalTransactionID: "1", productID: "month", signedAt: .utc(2024, 5, 2)
    ).with {
        ($0.autoRenewProductID, $0.autoRenewStatus, $0.expirationIntent) = ("year", 0, 2)
        ($0.isInBillingRetryPeriod, $0.priceIncreaseStatus) = (true, 0)
        ($0.gracePeriodExpiresAt, $0.renewsAt) = (.utc(2024, 5, 17), .utc(2024, 5, 1))
        $0.offer = OfferContent(2, identifier: "loyal")
    }

    private func run(_ tokens: [String], table: String = "answers=-.ndjson", _ more: [String] = []) throws
        -> AuditProcess
    {
        try export.write(tokens.joined(separator: "\n"), to: "evidence.txt")
        let asOf = more.contains("--as-of") ? [] : ["--as-of", "2026-06-30"]
        return try AuditProcess(
            [
                "run", export.path("receipts"), "--evidence", export.path("evidence.txt"), "--root", export.root,
                "--root", export.path("token-root.cer"), "--quiet", "--report", table,
            ] + asOf + more)
    }

    /// The members after `receipt` in each row, as they are written.
    private func members(_ tokens: [String], _ more: String...) throws -> [String] {
        let run = try run(tokens, more)
        // 3: there is evidence, and none of it counts.
        #expect([0, 3].contains(run.exitCode), "\(run.messages)")
        return run.output.split(separator: "\n").map { row in
            let start = row.range(of: ",\"latest_receipt_info\":")?.lowerBound
            return start.map { String(row[$0...].dropLast(2)) } ?? ""
        }
    }

    /// The ids in `latest_receipt_info`, in order.
    private func ids(in members: String) throws -> [String] {
        let json = try JSONSerialization.jsonObject(with: Data("{\"a\":0\(members)}".utf8)) as? [String: Any]
        return (json?["latest_receipt_info"] as? [[String: Any]] ?? []).compactMap { $0["transaction_id"] as? String }
    }

    private func digest(_ token: String) throws -> String {
        let row = try run([token], table: "evidence=-").rows.first
        return try #require(row?["payload_sha256"])
    }

    private func dates(_ name: String, _ gmt: String, _ ms: String, _ pst: String) -> String {
        "\"\(name)\":\"\(gmt) Etc/GMT\",\"\(name)_ms\":\"\(ms)\",\"\(name)_pst\":\"\(pst) America/Los_Angeles\""
    }

    @Test func `has what the newest proof says of each transaction, in the shape of verifyReceipt`() throws {
        try writeReceipt(Self.month, Self.coins)
        let (token, renewal) = (try authority.token(Self.renewed).text, try authority.token(Self.renewal).text)
        let found = try #require(try members([token, renewal]).first)
        let shown = try #require(try export.audit("--quiet", "--report", "-").rows.first?["receipt_sha256"])
        let proof = { (digest: String, date: String) in
            "\"audit_evidence\":{\"sha256\":\"\(digest)\",\"date\":\"\(date)\"}"
        }
        let third = [
            "\"quantity\":\"1\",\"product_id\":\"month\",\"transaction_id\":\"3\",\"original_transaction_id\":\"1\"",
            dates("purchase_date", "2024-04-01 00:00:00", "1711929600000", "2024-03-31 17:00:00"),
            dates("original_purchase_date", "2024-02-01 00:00:00", "1706745600000", "2024-01-31 16:00:00"),
            dates("expires_date", "2024-05-01 00:00:00", "1714521600000", "2024-04-30 17:00:00"),
            dates("cancellation_date", "2024-04-03 00:00:00", "1712102400000", "2024-04-02 17:00:00"),
            "\"cancellation_reason\":\"1\",\"web_order_line_item_id\":\"33\",\"is_trial_period\":\"false\"",
            "\"is_in_intro_offer_period\":\"false\",\"offer_code_ref_name\":\"SPRING\"",
            "\"in_app_ownership_type\":\"PURCHASED\",\"subscription_group_identifier\":\"21\"",
            "\"app_account_token\":\"7EB61F70-E56D-46F1-AC3A-84D1B43829D3\",\"is_upgraded\":\"true\"",
            proof(try digest(token), "2024-04-02T00:00:00Z"),
        ]
        let pending = [
            "\"auto_renew_product_id\":\"year\",\"auto_renew_status\":\"0\",\"expiration_intent\":\"2\"",
            dates("grace_period_expires_date", "2024-05-17 00:00:00", "1715904000000", "2024-05-16 17:00:00"),
            "\"is_in_billing_retry_period\":\"1\",\"original_transaction_id\":\"1\",\"price_consent_status\":\"0\"",
            "\"product_id\":\"month\",\"promotional_offer_id\":\"loyal\"",
            proof(try digest(renewal), "2024-05-02T00:00:00Z"),
        ]
        #expect(found.hasPrefix(",\"latest_receipt_info\":[{" + third.joined(separator: ",") + "},{"))
        #expect(found.hasSuffix("],\"pending_renewal_info\":[{" + pending.joined(separator: ",") + "}]"))
        #expect(try ids(in: found) == ["3", "2", "9"])
        #expect(found.components(separatedBy: proof(shown, "2024-04-01T00:00:00Z")).count == 3)
    }

    @Test func `tells of a refund that the receipt does not show, and of none that a newer proof does not show`() throws
    {
        try writeReceipt(Self.month)
        let refund = { (signed: Instant, revoked: Instant?) in
            try authority.token(
                TransactionContent(Self.month, bundleID: "com.example.notes", signedAt: signed).with {
                    $0.revokedAt = revoked
                }
            ).text
        }
        let refunded = try refund(.utc(2024, 4, 5), .utc(2024, 4, 4))
        #expect(try members([refunded])[0].contains("\"cancellation_date_ms\":\"1712188800000\""))
        #expect(try !members([refunded, try refund(.utc(2024, 4, 6), nil)])[0].contains("cancellation_date"))
        #expect(try !members([try refund(.utc(2024, 3, 5), .utc(2024, 3, 4))])[0].contains("cancellation_date"))
    }

    @Test func `says nothing of what was signed after the reference time, or was forged`() throws {
        try writeReceipt(Self.month)
        let tokens = [try authority.token(Self.renewed).text, try authority.token(Self.renewal).text]
        let early = try members(tokens, "--as-of", "2024-04-01T12:00:00Z")
        #expect(try ids(in: early[0]) == ["2"] && !early[0].contains("pending"))
        let forged = try members([try TokenAuthority.rogue().token(Self.renewed).text])
        #expect(try ids(in: forged[0]) == ["2"])
    }

    @Test func `has neither member without a subscription in the receipt, nor of a receipt that is refused`() throws {
        try writeReceipt(Self.coins)
        try writeReceipt(Self.month, to: "receipts/b.der")
        try export.write("version: 1\nenvironments: [Sandbox]\n", to: "policy.yml")
        let token = try authority.token(Self.renewed).text
        let found = try members([token])
        #expect(found[0].isEmpty && found[1].contains("latest_receipt_info"))
        #expect(try members([token], "--policy", export.path("policy.yml")) == ["", ""])
    }

    @Test func `has each claim's own subscriptions, whoever else presents them, in one order`() throws {
        for number in 0..<40 {
            let other = PurchaseContent(
                .autoRenewable, productID: "year", transactionID: "\(100 + number)", purchasedAt: .utc(2024, 3, 2)
            ).with { $0.expiresAt = .utc(2025, 3, 2) }
            if number % 2 == 0 {
                try writeReceipt(Self.month, other, to: "receipts/\(100 + number).der")
            } else {
                try writeReceipt(other, to: "receipts/\(100 + number).der")
            }
        }
        let token = try authority.token(Self.renewed).text
        let found = try members([token])
        for number in 0..<40 {
            #expect(
                try ids(in: found[number]) == (number % 2 == 0 ? ["3"] : []) + ["\(100 + number)"]
                    + (number % 2 == 0 ? ["2"] : []))
        }
        #expect(try members([token], "--workers", "1", "--memory", "16M") == found)
        let ledger = ["--state", export.path("ledger.db")]
        for _ in 0..<2 { #expect(try members([token], ledger[0], ledger[1]) == found) }
    }

    @Test func `is the same as an array`() throws {
        try writeReceipt(Self.month)
        try writeReceipt(Self.coins, to: "receipts/b.der")
        let token = try authority.token(Self.renewed).text
        let lines = try run([token]).output.split(separator: "\n").map(String.init)
        let array = try run([token], table: "answers=" + export.path("answers.json"))
        #expect(array.exitCode == 0, "\(array.messages)")
        #expect(export.text(of: "answers.json") == "[\n" + lines.joined(separator: ",\n") + "\n]\n")
    }

    @Test func `hides the account's token with a pseudonym`() throws {
        try writeReceipt(Self.month)
        try export.write([UInt8](repeating: 7, count: 32), to: "key")
        let found = try members([try authority.token(Self.renewed).text], "--pseudonymise", export.path("key"))
        #expect(found[0].contains("\"app_account_token\":\"") && !found[0].contains("7EB61F70"))
    }
}
