import Encodings
import SampleStore
import Testing

/// What findings put at stake where Apple told the company's server a price.
struct `A price that evidence states` {
    /// Two accounts that ask for gold with one receipt, each on a device whose hash does not match.
    private func story() throws -> RefundStory {
        var story = try RefundStory()
        let gold = PurchaseContent(
            .nonConsumable, productID: "gold", transactionID: "460000000000001", purchasedAt: .utc(2026, 3, 1))
        for (account, device) in [("ana", "1"), ("bob", "2")] {
            try story.claim(
                [gold], created: .utc(2026, 3, 2),
                [
                    "account_id": account, "device_id": "00000000-0000-4000-8000-00000000000\(device)",
                    "product_id": "gold", "presented_at": "2026-03-1\(device)",
                ])
        }
        return story
    }

    private func tell(_ price: Int, signed day: Int, _ story: inout RefundStory) throws {
        try story.tell(
            "ONE_TIME_CHARGE",
            RefundStory.purchase().with { ($0.price, $0.currency, $0.signedAt) = (price, "EUR", .utc(2026, 3, day)) })
    }

    private static func amounts(_ rows: [[String: String]]) -> [String: Set<String>] {
        Dictionary(grouping: rows.filter { $0["change"] != "resolved" }) { $0["rule"] ?? "" }
            .mapValues { Set($0.map { "\($0["at_stake"] ?? "") \($0["currency"] ?? "") \($0["unpriced"] ?? "")" }) }
    }

    private static let rules = ["device-mismatch", "shared-account", "shared-receipt"]

    @Test func `is that of every rule's findings, and the one signed last counts`() throws {
        var story = try story()
        #expect(Self.amounts(try story.rows()) == Dictionary(uniqueKeysWithValues: Self.rules.map { ($0, ["  1"]) }))
        try tell(4490, signed: 8, &story)
        try tell(3990, signed: 5, &story)
        let expected = Dictionary(uniqueKeysWithValues: Self.rules.map { ($0, Set(["4.49 EUR 0"])) })
        #expect(Self.amounts(try story.rows()) == expected)
        story.told.reverse()
        #expect(Self.amounts(try story.rows()) == expected)
    }

    @Test func `is known also of claims that the ledger has, and on later nights`() throws {
        var story = try story()
        try tell(4490, signed: 8, &story)
        let state = story.export.path("ledger.db")
        let nights = [(10, false, "  1"), (11, true, "4.49 EUR 0"), (12, false, "4.49 EUR 0")]
        for (day, withEvidence, amount) in nights {
            let found = try story.rows(asOf: "2026-04-\(day)", withEvidence: withEvidence, "--state", state)
            #expect(Self.amounts(found) == Dictionary(uniqueKeysWithValues: Self.rules.map { ($0, [amount]) }))
        }
    }

    @Test func `counts for claims of earlier nights, too`() throws {
        var story = try story()
        try tell(4490, signed: 8, &story)
        let (state, claims) = (story.export.path("ledger.db"), story.claims)
        story.claims = Array(claims.prefix(1))
        _ = try story.rows(asOf: "2026-04-10", withEvidence: false, "--state", state)
        story.claims = Array(claims.suffix(1))
        let found = Self.amounts(try story.rows(asOf: "2026-04-11", "--state", state))
        #expect(found["shared-account"] == ["4.49 EUR 0"] && found["shared-receipt"] == ["4.49 EUR 0"])
    }

    /// The receipt's month ends between the two presentations.
    @Test func `of a receipt is of what holds when it is presented last, on whatever night`() throws {
        var story = try RefundStory()
        let month = PurchaseContent(
            .autoRenewable, productID: "month", transactionID: "460000000000002", purchasedAt: .utc(2026, 3, 1))
        let gold = PurchaseContent(
            .nonConsumable, productID: "gold", transactionID: "460000000000001", purchasedAt: .utc(2026, 3, 1))
        for (number, day) in ["2026-03-11", "2026-04-05"].enumerated() {
            try story.claim(
                [gold, month.with { $0.expiresAt = .utc(2026, 4, 1) }], created: .utc(2026, 3, 2),
                [
                    "account_id": "user-\(number)", "presented_at": day,
                    "device_id": "00000000-0000-4000-8000-00000000000\(number)",
                ])
        }
        try tell(4490, signed: 8, &story)
        func atStake(_ rows: [[String: String]]) -> Set<String>? { Self.amounts(rows)["shared-receipt"] }
        #expect(atStake(try story.rows()) == ["4.49 EUR 0"])
        let (state, claims) = (story.export.path("ledger.db"), story.claims)
        for (first, last) in [(0, 1), (1, 0)] {
            story.claims = [claims[first]]
            _ = try story.rows(asOf: "2026-04-1\(2 * first)", "--state", state + "\(first)")
            story.claims = [claims[last]]
            let found = try story.rows(asOf: "2026-04-1\(2 * first + 1)", "--state", state + "\(first)")
            #expect(atStake(found) == ["4.49 EUR 0"])
        }
    }
}
