import SampleStore
import Testing

/// A notification that Apple took a purchase back because sharing ended.
struct `A notification that sharing ended` {
    private func state(_ type: String, revocationType: String? = nil, newer: Bool = false) throws -> [String?] {
        var story = try RefundStory()
        let bought = RefundStory.purchase(product: "month", expires: .utc(2026, 4, 1))
        let revoked = bought.with {
            ($0.revokedAt, $0.revocationType, $0.signedAt) = (.utc(2026, 3, 9), revocationType, .utc(2026, 3, 10))
        }
        try story.claim(bought)
        try story.tell(type, revoked)
        // The same transaction, as the API answers later.
        if newer { story.told.append(try story.authority.token(revoked.with { $0.signedAt = .utc(2026, 3, 12) }).text) }
        let row = try story.rows(of: "subscriptions", asOf: "2026-03-20").first
        return [row?["state"], row?["refunds"]]
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
