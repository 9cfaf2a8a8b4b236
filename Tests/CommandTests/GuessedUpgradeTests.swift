import Encodings
import SampleStore
import Testing

/// A receipt with a cancelled period and another product, so that it looks like an upgrade.
struct `A refund that looks like an upgrade` {
    private func story(_ told: (inout RefundStory) throws -> Void) throws -> RefundStory {
        var story = try RefundStory()
        var silver = PurchaseContent(
            .autoRenewable, productID: "silver", transactionID: "460000000000001", purchasedAt: .utc(2026, 3, 1))
        (silver.expiresAt, silver.cancelledAt) = (.utc(2026, 4, 1), .utc(2026, 3, 9))
        var gold = PurchaseContent(
            .autoRenewable, productID: "gold", transactionID: "460000000000002", purchasedAt: .utc(2026, 3, 9))
        (gold.originalTransactionID, gold.expiresAt) = ("460000000000001", .utc(2026, 4, 9))
        try story.claim(
            [silver, gold], created: .utc(2026, 3, 20),
            ["product_id": "silver", "account_id": "ana", "presented_at": "2026-03-21"])
        try told(&story)
        return story
    }

    private static let silver = RefundStory.purchase(product: "silver", expires: .utc(2026, 4, 1)).with {
        ($0.revokedAt, $0.signedAt) = (.utc(2026, 3, 9), .utc(2026, 3, 10))
    }

    @Test(
        arguments: [
            ("DID_RENEW", "REFUND_FULL", nil, 1), ("DID_RENEW", "REFUND_PRORATED", nil, 1), ("REFUND", nil, nil, 1),
            ("DID_RENEW", nil, 0, 1), ("DID_RENEW", nil, 1, 1), ("DID_RENEW", nil, nil, 0), ("DID_RENEW", nil, 2, 0),
            ("REFUND", nil, 1, 1), ("REFUND", nil, 2, 0),
            ("DID_RENEW", "REFUND_OTHER", 0, 0), ("DID_RENEW", "FAMILY_REVOKE", 0, 0),
        ] as [(String, String?, Int?, Int)])
    func `is one if evidence says so`(notification: String, type: String?, reason: Int?, count: Int) throws {
        let story = try story {
            try $0.tell(
                notification,
                Self.silver.with { ($0.revocationType, $0.revocationReason) = (type, reason) })
        }
        #expect(try story.findings("refunded-purchase").count == count)
        #expect(try story.rows(of: "subscriptions").map { $0["refunds"] } == ["\(count)"])
    }

    @Test func `counts for the account`() throws {
        let story = try story {
            for id in 3...4 {
                try $0.claim(
                    RefundStory.purchase(id, product: "pack-\(id)"),
                    ["account_id": "ana", "presented_at": "2026-03-0\(id)"])
                try $0.tellRefund(id, product: "pack-\(id)", on: 10 + id)
            }
            try $0.tell("REFUND", Self.silver)
        }
        #expect(try story.findings("repeat-refunds").map { $0["events"] } == ["3"])
    }
}
