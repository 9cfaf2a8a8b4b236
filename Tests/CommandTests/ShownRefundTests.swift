import Encodings
import Foundation
import SampleStore
import Testing

/// What a report and `audit show` say of purchases that Apple took back.
struct `A purchase that Apple took back` {
    private static func bought(
        _ id: Int, signed day: Int = 2, _ change: (inout TransactionContent) -> Void = { _ in }
    ) -> TransactionContent {
        RefundStory.purchase(id).with {
            ($0.price, $0.currency, $0.signedAt) = (9990, "USD", .utc(2026, 3, day))
            change(&$0)
        }
    }

    private static func takenBack(
        _ id: Int, type: String? = "REFUND_FULL", _ change: (inout TransactionContent) -> Void = { _ in }
    ) -> TransactionContent {
        bought(id, signed: 6) {
            ($0.revokedAt, $0.revocationType) = (.utc(2026, 3, 5), type)
            change(&$0)
        }
    }

    @Test func `is refunded only if its price went back, as Apple signed last, and no test is money`() throws {
        var story = try RefundStory()
        let ana = ["account_id": "ana", "presented_at": "2026-03-20"]
        let shown = [
            Self.takenBack(1, type: nil) { $0.isUpgraded = true },
            Self.takenBack(2) { $0.ownership = "FAMILY_SHARED" },
            Self.takenBack(3, type: "SEAT_TAKEN"), Self.takenBack(4), Self.bought(4, signed: 9),
            Self.bought(5) { $0.environment = "Sandbox" }, Self.bought(6), Self.takenBack(7),
        ]
        for token in shown { try story.claim(token, ana) }
        try story.tell("REFUND", Self.takenBack(6))
        let words = try story.rows(of: "purchases", "--report", story.export.path("a.sqlite")).map { $0["revocation"] }
        #expect(words == ["upgrade", "access-end", "unknown", "refund", "", "", "", "refund"])
        let json = try AuditProcess("show", story.export.path("a.sqlite"), "account:ana", "--json").output
        let subject = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        let purchases = try #require((subject?["purchases"] as? [String: Any])?["rows"] as? [[String: Any]])
        let refunded = purchases.filter { $0["refunded_at"] is String }.compactMap { $0["transaction_id"] as? String }
        #expect(refunded.sorted() == ["460000000000006", "460000000000007"])
        let text = try AuditProcess("show", story.export.path("a.sqlite"), "account:ana").output
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("49.95 USD in 5 transactions, including 19.98 USD in 2 refunds"), "\(text)")
        #expect(text.contains("Not counted: 1 transaction of a test environment."), "\(text)")
    }
}
