import SampleStore
import Testing

/// A notification that Apple took a purchase back because sharing ended.
struct `A notification that sharing ended` {
    private func state(_ type: String, revocationType: String? = nil, newer: Bool = false) throws -> [String?] {
        let (export, authority) = (try TestExport(), try TokenAuthority())
        let bought = TransactionContent(
            .autoRenewable, bundleID: "com.example.notes", productID: "month", transactionID: "1",
            purchasedAt: .utc(2026, 3, 1)
        ).with { ($0.expiresAt, $0.signedAt) = (.utc(2026, 4, 1), .utc(2026, 3, 2)) }
        let revoked = bought.with {
            ($0.revokedAt, $0.revocationType, $0.signedAt) = (.utc(2026, 3, 9), revocationType, .utc(2026, 3, 10))
        }
        let data = NotificationData(bundleID: "com.example.notes").with {
            $0.signedTransaction = try? authority.token(revoked).text
        }
        let notification = NotificationContent(type, uuid: "u1", body: .data(data), signedAt: .utc(2026, 3, 10))
        // The same transaction, as the API answers later.
        let answered = try authority.token(revoked.with { $0.signedAt = .utc(2026, 3, 12) }).text
        try export.write(
            [try authority.token(notification).text].joined() + (newer ? "\n" + answered : ""), to: "evidence.txt")
        try export.write("{\"receipt_data\":\"\(try authority.token(bought).text)\"}\n", to: "claims.ndjson")
        try export.write(authority.root.certificate, to: "root.cer")
        let run = try AuditProcess(
            "run", export.path("claims.ndjson"), "--evidence", export.path("evidence.txt"), "--root",
            export.path("root.cer"), "--as-of", "2026-03-20", "--report", "subscriptions=-", "--quiet")
        return [run.rows.first?["state"], run.rows.first?["refunds"]]
    }

    @Test func `proves the state revoked, also if a newer proof does not say why`() throws {
        #expect(try state("REVOKE") == ["revoked", "0"])
        #expect(try state("REVOKE", newer: true) == ["revoked", "0"])
        #expect(try state("REFUND") == ["refunded", "1"])
    }

    @Test func `counts less than the revocation type that the transaction has`() throws {
        #expect(try state("REVOKE", revocationType: "REFUND_FULL") == ["refunded", "1"])
        #expect(try state("REFUND", revocationType: "FAMILY_REVOKE") == ["revoked", "0"])
    }
}
