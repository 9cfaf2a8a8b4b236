import Encodings
import Foundation
import SampleStore
import Testing

/// The table `refund_requests`: the facts for an answer to Apple.
struct `A refund that Apple asks about` {
    private static let person = "704000000000000001"
    private static let sold = RefundStory.purchase().with {
        ($0.accountToken, $0.appTransactionID) = ("7EB61F70-E56D-46F1-AC3A-84D1B43829D3", person)
        ($0.price, $0.currency) = (4990, "USD")
    }

    private func story(_ told: (inout RefundStory) throws -> Void = { _ in }) throws -> RefundStory {
        var story = try RefundStory()
        try story.claim(Self.sold, ["presented_at": "2026-03-03", "account_id": "ana"])
        try told(&story)
        try story.tell("CONSUMPTION_REQUEST", Self.sold.with { $0.signedAt = .utc(2026, 4, 1) }, reason: "OTHER")
        return story
    }

    @Test func `is a row with what is known of the purchase and its claims`() throws {
        let rows = try story().rows(of: "refund_requests")
        let row = try #require(rows.first)
        #expect(rows.count == 1)
        #expect(row["notification_uuid"] == "u0" && row["reason"] == "OTHER" && row["environment"] == "Production")
        #expect(row["requested_at"] == "2026-04-01T00:00:00Z" && row["answer_by"] == "2026-04-01T12:00:00Z")
        #expect(row["transaction_id"] == "460000000000001" && row["product_id"] == "gold")
        #expect(row["account_token"] == "7eb61f70-e56d-46f1-ac3a-84d1b43829d3" && row["price"] == "4.99")
        #expect(row["claims"] == "1" && row["accounts"] == "1" && row["earlier_refunds"] == "0")
        #expect(row["first_presented"] == "2026-03-03T00:00:00Z" && row["refunded_at"] == "")
        #expect(row["findings"] == "0" && row["worst"] == "" && row["status"] == "")
    }

    @Test func `says nothing was presented if no claim shows the purchase`() throws {
        var story = try story()
        story.claims = []
        try story.claim(RefundStory.purchase(9), ["presented_at": "2026-03-03"])
        let row = try #require(try story.rows(of: "refund_requests").first)
        #expect(row["claims"] == "0" && row["devices"] == "0" && row["first_presented"] == "")
    }

    @Test func `counts what else the person had refunded before, claimed or not`() throws {
        let found = try story {
            for day in [5, 6] {
                try $0.tell(
                    "REFUND",
                    RefundStory.purchase(day).with {
                        ($0.appTransactionID, $0.revokedAt, $0.signedAt) = (
                            Self.person, .utc(2026, 3, day), .utc(2026, 3, day + 1)
                        )
                    })
            }
            // Of another person; after Apple asked.
            try $0.tellRefund(7, on: 8)
            try $0.tell(
                "REFUND",
                RefundStory.purchase(8).with {
                    ($0.appTransactionID, $0.revokedAt, $0.signedAt) = (Self.person, .utc(2026, 4, 2), .utc(2026, 4, 3))
                })
        }.rows(of: "refund_requests")
        #expect(found.first?["earlier_refunds"] == "2")
    }

    @Test func `forgets a refund that was reversed`() throws {
        let refunded = RefundStory.purchase(5).with { $0.appTransactionID = Self.person }
        let found = try story {
            try $0.tell(
                "REFUND",
                refunded.with { ($0.revokedAt, $0.signedAt) = (.utc(2026, 3, 5), .utc(2026, 3, 6)) })
            try $0.tell("REFUND_REVERSED", refunded.with { $0.signedAt = .utc(2026, 3, 7) })
        }.rows(of: "refund_requests")
        #expect(found.first?["earlier_refunds"] == "0")
    }

    @Test func `shows when it was granted`() throws {
        var story = try story()
        try story.tell(
            "REFUND", Self.sold.with { ($0.revokedAt, $0.signedAt) = (.utc(2026, 4, 3), .utc(2026, 4, 4)) })
        #expect(try story.rows(of: "refund_requests").first?["refunded_at"] == "2026-04-03T00:00:00Z")
    }

    @Test func `names the findings about the transaction`() throws {
        let found = try story {
            for number in 0..<12 {
                try $0.claim(Self.sold, ["presented_at": "2026-03-04", "account_id": "thief \(number)"])
            }
        }
        let row = try #require(try found.rows(of: "refund_requests").first)
        let entity = try #require(
            try found.rows(of: "entities").first { $0["kind"] == "transaction" && $0["id"] == "460000000000001" })
        #expect(row["findings"] == entity["findings"] && row["worst"] == entity["worst"] && row["findings"] != "0")
        #expect(row["status"] == "open" && ["likely", "possible", "doubtful"].contains(row["confidence"]))
    }

    @Test func `is due for twelve hours, then overdue, and neither once it is decided`() throws {
        func overdue(_ asOf: String, _ story: RefundStory) throws -> String? {
            try story.rows(of: "refund_requests", asOf: asOf).first?["overdue"]
        }
        let story = try story()
        #expect(try overdue("2026-04-01T12:00:00Z", story) == "false")
        #expect(try overdue("2026-04-01T12:00:01Z", story) == "true")
        let decided = try self.story {
            try $0.tell(
                "REFUND", Self.sold.with { ($0.revokedAt, $0.signedAt) = (.utc(2026, 4, 1), .utc(2026, 4, 1)) })
        }
        #expect(try overdue("2026-04-20", decided) == "")
    }

    @Test func `comes first while Apple waits for it, the one with least time at the top`() throws {
        var story = try story()
        for (number, hour) in [(3, 8), (4, 6)] {
            try story.tell(
                "CONSUMPTION_REQUEST",
                RefundStory.purchase(number).with {
                    $0.signedAt = .utc(2026, 4, 19).adding(seconds: Int64(hour) * 3600)
                }, reason: "OTHER")
        }
        let rows = try story.rows(of: "refund_requests", asOf: "2026-04-19T10:00:00Z")
        #expect(rows.map { $0["transaction_id"]?.suffix(1) } == ["4", "3", "1"])
        #expect(rows.map { $0["overdue"] } == ["false", "false", "true"])
    }

    @Test func `is told by whether Apple waits, has stopped to wait, or has decided`() throws {
        var story = try story()
        try story.tell(
            "CONSUMPTION_REQUEST", RefundStory.purchase(3).with { $0.signedAt = .utc(2026, 4, 19) }, reason: "OTHER")
        let page = story.export.path("report.md")
        _ = try story.rows(asOf: "2026-04-19T10:00:00Z", "--report", page)
        let text = try String(contentsOfFile: page, encoding: .utf8)
        #expect(text.contains("Support: 2 refund requests: 1 that Apple waits for, 1 overdue."), "\(text.prefix(900))")
    }

    @Test func `names the account, the kind, and that it was delivered, where claims decide it`() throws {
        let row = try #require(try story().rows(of: "refund_requests").first)
        #expect(row["account_id"] == "ana" && row["kind"] == "non-consumable" && row["delivery_status"] == "DELIVERED")
        let shared = try story { try $0.claim(Self.sold, ["presented_at": "2026-03-04", "account_id": "ben"]) }
        #expect(try shared.rows(of: "refund_requests").first?["account_id"] == "")
        var nobody = try story()
        nobody.claims = []
        try nobody.claim(RefundStory.purchase(9), ["presented_at": "2026-03-03"])
        #expect(try nobody.rows(of: "refund_requests").first?["delivery_status"] == "")
    }

    @Test func `is one row if it came twice, and the newest comes first`() throws {
        var story = try story()
        story.told.append(story.told[0])
        try story.tell(
            "CONSUMPTION_REQUEST", RefundStory.purchase(3).with { $0.signedAt = .utc(2026, 4, 5) }, reason: "OTHER")
        let ids = try story.rows(of: "refund_requests").map { $0["transaction_id"] }
        #expect(ids == ["460000000000003", "460000000000001"])
    }

    @Test func `is of this run's evidence: a ledger adds its claims, not its requests`() throws {
        var story = try story()
        let state = ["--state", story.export.path("ledger.db")]
        #expect(try story.rows(of: "refund_requests", with: state).count == 1)
        story.claims = []
        try story.claim(RefundStory.purchase(9), ["presented_at": "2026-03-05"])
        #expect(try story.rows(of: "refund_requests", with: state).first?["claims"] == "1")
        story.told = []
        try story.tell("ONE_TIME_CHARGE", Self.sold)
        #expect(try story.rows(of: "refund_requests", with: state).isEmpty)
    }
}
