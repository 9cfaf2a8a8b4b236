import Encodings
import Foundation
import SampleStore
import Testing

/// Refunds that Apple reported to the company's server, while claims show the purchase as it was before.
struct `A refund that only evidence shows` {
    private static let purchase = RefundStory.purchase()

    /// A claim of gold, and the evidence about it.
    private func story(
        presented: String = "2026-03-15", _ told: (inout RefundStory) throws -> Void
    ) throws -> RefundStory {
        var story = try RefundStory()
        try story.claim(Self.purchase, ["product_id": "gold", "presented_at": presented, "account_id": "ana"])
        try told(&story)
        return story
    }

    @Test func `is a finding about the claim, medium if it asks for the product`() throws {
        let found = try story { try $0.tellRefund(on: 9) }.findings("refunded-purchase")
        #expect(found.map { $0["severity"] } == ["medium"])
        #expect(found.first?["confidence"] == "likely")
        #expect(found.first?["claims"] == "1" && found.first?["events"] == "1")
        #expect(found.first?["subject"]?.hasPrefix("claim:") == true)
        #expect(found.first?["evidence"]?.contains("refunded on 2026-03-09T00:00:00Z, as evidence ") == true)
    }

    @Test func `is possible if nobody knows when the claim was presented`() throws {
        let found = try story(presented: "") { try $0.tellRefund(on: 9) }.findings("refunded-purchase")
        #expect(found.map { $0["severity"] } == ["medium"])
        #expect(found.map { $0["confidence"] } == ["possible"])
    }

    @Test func `names the token that shows it by its payload`() throws {
        let story = try story { try $0.tellRefund(on: 9) }
        let token = try #require(try story.rows(of: "evidence").first { $0["kind"] == "transaction" })
        let text = try story.findings("refunded-purchase").first?["evidence"] ?? ""
        #expect(text.contains("as evidence \((token["payload_sha256"] ?? "").prefix(24)) shows"))
    }

    @Test func `is told from one of a part`() throws {
        let found = try story {
            try $0.tell(
                "REFUND",
                Self.purchase.with {
                    ($0.revokedAt, $0.signedAt) = (.utc(2026, 3, 9), .utc(2026, 3, 10))
                    ($0.revocationType, $0.revocationPercentage) = ("REFUND_PRORATED", 50000)
                })
        }.findings("refunded-purchase")
        #expect(found.first?["evidence"]?.contains("refunded in part on 2026-03-09") == true)
    }

    @Test(
        arguments: [
            ("FAMILY_REVOKE", "PURCHASED", "REFUND"), (nil, "FAMILY_SHARED", "REFUND"), (nil, "PURCHASED", "REVOKE"),
        ] as [(String?, String, String)])
    func `is none if the sharing or assignment ended`(type: String?, ownership: String, notification: String) throws {
        let story = try story {
            try $0.tell(
                notification,
                Self.purchase.with {
                    ($0.revokedAt, $0.signedAt) = (.utc(2026, 3, 9), .utc(2026, 3, 10))
                    ($0.revocationType, $0.ownership) = (type, ownership)
                })
        }
        #expect(try story.findings("refunded-purchase").isEmpty)
    }

    @Test func `is one if Apple says so though the purchase was upgraded`() throws {
        let upgraded = Self.purchase.with {
            ($0.revokedAt, $0.signedAt, $0.isUpgraded) = (.utc(2026, 3, 9), .utc(2026, 3, 10), true)
        }
        let full = upgraded.with { $0.revocationType = "REFUND_FULL" }
        #expect(try story { try $0.tell("DID_RENEW", full) }.findings("refunded-purchase").count == 1)
        #expect(try story { try $0.tell("REFUND", upgraded) }.findings("refunded-purchase").count == 1)
        let reasoned = upgraded.with { $0.revocationReason = 0 }
        #expect(try story { try $0.tell("DID_RENEW", reasoned) }.findings("refunded-purchase").isEmpty)
        let shared = upgraded.with { $0.ownership = "FAMILY_SHARED" }
        #expect(try story { try $0.tell("REFUND", shared) }.findings("refunded-purchase").isEmpty)
    }

    @Test func `is none if it is forged`() throws {
        let refunded = Self.purchase.with { ($0.revokedAt, $0.signedAt) = (.utc(2026, 3, 9), .utc(2026, 3, 10)) }
        #expect(try story { try $0.tell("REFUND", refunded, by: .rogue()) }.findings("refunded-purchase").isEmpty)
    }

    @Test func `is none if it is one of the sandbox, which has the same numbers`() throws {
        let refunded = Self.purchase.with {
            ($0.revokedAt, $0.signedAt, $0.environment) = (.utc(2026, 3, 9), .utc(2026, 3, 10), "Sandbox")
        }
        #expect(try story { try $0.tell("REFUND", refunded) }.findings("refunded-purchase").isEmpty)
    }

    @Test func `is none before it was told`() throws {
        let story = try story { try $0.tellRefund(on: 9) }
        // Signed a day after the refund, and so valid, but not known.
        #expect(try story.findings("refunded-purchase", asOf: "2026-03-09T12:00:00Z").isEmpty)
        #expect(try story.findings("refunded-purchase", asOf: "2026-03-10").count == 1)
    }

    @Test func `counts for a period that was restored under another transaction`() throws {
        var story = try RefundStory()
        var restored = PurchaseContent(
            .autoRenewable, productID: "club", transactionID: "460000000000009", purchasedAt: .utc(2026, 3, 1))
        (restored.originalTransactionID, restored.webOrderLineItemID) = ("460000000000001", 77)
        restored.expiresAt = .utc(2026, 5, 1)
        try story.claim([restored], created: .utc(2026, 3, 3), ["presented_at": "2026-03-15"])
        let club = RefundStory.purchase(product: "club", expires: .utc(2026, 5, 1)).with {
            ($0.webOrderLineItemID, $0.revokedAt, $0.signedAt) = ("77", .utc(2026, 3, 9), .utc(2026, 3, 10))
        }
        try story.tell("REFUND", club)
        #expect(try story.findings("refunded-purchase").count == 1)
        story.told = []
        try story.tell("REFUND", club.with { $0.webOrderLineItemID = "78" })
        #expect(try story.findings("refunded-purchase").isEmpty)
    }
}

/// Claims whose own proof shows a refund. Evidence says more about it.
struct `A refund that a claim shows` {
    private func story(created: Instant, _ told: (inout RefundStory) throws -> Void) throws -> RefundStory {
        var story = try RefundStory()
        var gold = PurchaseContent(
            .nonConsumable, productID: "gold", transactionID: "460000000000001", purchasedAt: .utc(2026, 3, 1))
        gold.cancelledAt = .utc(2026, 3, 9)
        try story.claim([gold], created: created, ["product_id": "gold", "presented_at": "2026-04-01"])
        try told(&story)
        return story
    }

    @Test func `counts without evidence, and with evidence that says the same`() throws {
        let story = try story(created: .utc(2026, 3, 10)) { try $0.tellRefund(on: 9) }
        let (with, without) = (try story.rows(), try story.rows(withEvidence: false))
        #expect(with == without)
        #expect(with.map { $0["rule"] } == ["refunded-purchase"])
    }

    @Test(arguments: [(10, 0), (25, 1)])
    func `was reversed if evidence that was signed later shows the purchase whole`(created: Int, count: Int) throws {
        let story = try story(created: .utc(2026, 3, created)) {
            try $0.tell("REFUND_REVERSED", RefundStory.purchase().with { $0.signedAt = .utc(2026, 3, 20) })
        }
        #expect(try story.findings("refunded-purchase").count == count)
    }

    @Test(arguments: [10, 25])
    func `is none if evidence says that a family's sharing ended, which no receipt tells`(created: Int) throws {
        let story = try story(created: .utc(2026, 3, created)) {
            try $0.tell(
                "REVOKE",
                RefundStory.purchase().with {
                    ($0.revokedAt, $0.signedAt) = (.utc(2026, 3, 9), .utc(2026, 3, 20))
                    $0.revocationType = "FAMILY_REVOKE"
                })
        }
        #expect(try story.findings("refunded-purchase").isEmpty)
    }
}

/// Accounts and people whose refunds only evidence shows.
struct `Several refunds that evidence shows` {
    /// Three purchases of an account, each claimed whole.
    private func story(_ fields: [String: String] = ["account_id": "ana"]) throws -> RefundStory {
        var story = try RefundStory()
        for id in 1...3 {
            try story.claim(
                RefundStory.purchase(id, product: "pack-\(id)").with { $0.appTransactionID = "704" },
                fields.merging(["presented_at": "2026-03-0\(id + 2)"]) { $1 })
        }
        return story
    }

    @Test(arguments: [(["account_id": "ana"], "account:ana"), ([:], "person:704")])
    func `count for the account, else for the person`(fields: [String: String], subject: String) throws {
        var story = try story(fields)
        for id in 1...3 { try story.tellRefund(id, product: "pack-\(id)", on: 10 + id) }
        let found = try story.findings("repeat-refunds")
        #expect(found.map { $0["subject"] } == [subject])
        #expect(found.first?["severity"] == "medium" && found.first?["events"] == "3" && found.first?["claims"] == "3")
    }

    @Test func `count with those that claims show`() throws {
        var story = try story()
        story.claims.removeLast()
        var own = PurchaseContent(
            .nonConsumable, productID: "pack-3", transactionID: "460000000000003", purchasedAt: .utc(2026, 3, 1))
        own.cancelledAt = .utc(2026, 3, 13)
        try story.claim([own], created: .utc(2026, 3, 14), ["account_id": "ana"])
        for id in 1...2 { try story.tellRefund(id, product: "pack-\(id)", on: 10 + id) }
        #expect(try story.findings("repeat-refunds").map { $0["events"] } == ["3"])
    }

    @Test func `are none once one was reversed, was a family's, or was of the same day`() throws {
        var story = try story()
        for id in 1...2 { try story.tellRefund(id, product: "pack-\(id)", on: 10 + id) }
        let third = RefundStory.purchase(3, product: "pack-3")
        var reversed = story
        try reversed.tellRefund(3, product: "pack-3", on: 13)
        try reversed.tell("REFUND_REVERSED", third.with { $0.signedAt = .utc(2026, 3, 20) })
        var ended = story
        try ended.tell(
            "REVOKE", third.with { ($0.revokedAt, $0.signedAt) = (.utc(2026, 3, 13), .utc(2026, 3, 14)) })
        try story.tellRefund(3, product: "pack-3", on: 12)
        for story in [reversed, ended, story] { #expect(try story.findings("repeat-refunds").isEmpty) }
    }

    @Test func `leave all rules alone that look at what claims show`() throws {
        var story = try story()
        for id in 1...3 { try story.tellRefund(id, product: "pack-\(id)", on: 10 + id) }
        let rules = Set(try story.rows().compactMap { $0["rule"] })
        // No claim was presented after its refund: nobody hides one.
        #expect(rules == ["refunded-purchase", "repeat-refunds"])
        #expect(try story.rows(of: "purchases").allSatisfy { $0["refunded_at"] == "" })
    }

    @Test func `are the same in whatever order and however often they are told`() throws {
        var story = try story()
        for id in 1...3 { try story.tellRefund(id, product: "pack-\(id)", on: 10 + id) }
        let once = try story.rows()
        story.told = story.told.reversed() + story.told
        #expect(try story.rows() == once)
    }

    @Test func `are found in claims that the ledger has, and are kept in it`() throws {
        var story = try story()
        for id in 1...3 { try story.tellRefund(id, product: "pack-\(id)", on: 10 + id) }
        let state = story.export.path("ledger.db")
        func night(_ day: Int, withEvidence: Bool) throws -> [[String: String]] {
            try story.rows(asOf: "2026-04-\(day)", withEvidence: withEvidence, "--state", state).filter {
                $0["change"] != "resolved"
            }.map { $0.filter { !["first_seen", "change", "status"].contains($0.key) } }
        }
        let expected = try story.rows(asOf: "2026-04-20").map {
            $0.filter { !["first_seen", "change", "status"].contains($0.key) }
        }
        #expect(expected.count == 4)
        #expect(try night(10, withEvidence: false).isEmpty)
        #expect(try night(11, withEvidence: true) == expected)
        #expect(try night(12, withEvidence: true) == expected)
        #expect(try night(13, withEvidence: false) == expected)
        #expect(try night(14, withEvidence: true) == expected)
    }

    @Test func `count from the day on which Apple signed them, also in a run for an earlier day`() throws {
        var story = try story()
        for id in 1...3 { try story.tellRefund(id, product: "pack-\(id)", on: 10 + id) }
        let state = story.export.path("ledger.db")
        func night(_ day: String, withEvidence: Bool) throws -> Int {
            try story.rows(asOf: day, withEvidence: withEvidence, "--state", state).count { $0["change"] != "resolved" }
        }
        #expect(try night("2026-03-13T12:00:00Z", withEvidence: true) == 2)
        #expect(try night("2026-03-14T12:00:00Z", withEvidence: true) == 4)
        #expect(try night("2026-03-13T12:00:00Z", withEvidence: false) == 2)
    }

    @Test func `count for claims that come after them`() throws {
        var story = try story()
        for id in 1...3 { try story.tellRefund(id, product: "pack-\(id)", on: 10 + id) }
        let expected = try story.rows(asOf: "2026-04-11").map { $0["finding_id"] }
        let (state, claims) = (story.export.path("ledger.db"), story.claims)
        story.claims = ["{\"receipt_data\":\"none\"}"]
        _ = try story.rows(asOf: "2026-04-10", "--state", state, "--allow-empty", "--max-unreadable", "1")
        story.claims = claims
        let found = try story.rows(asOf: "2026-04-11", withEvidence: false, "--state", state)
        #expect(found.filter { $0["change"] == "new" }.map { $0["finding_id"] } == expected)
    }

    @Test func `are overruled by their reversal on a later night, though only that is told then`() throws {
        var story = try story()
        for id in 1...3 { try story.tellRefund(id, product: "pack-\(id)", on: 10 + id) }
        let state = story.export.path("ledger.db")
        func night(_ day: Int, withEvidence: Bool) throws -> [String?] {
            try story.rows(asOf: "2026-04-\(day)", withEvidence: withEvidence, "--state", state).filter {
                $0["change"] != "resolved" && $0["rule"] == "refunded-purchase"
            }.map { $0["subject"] }
        }
        #expect(try night(10, withEvidence: true).count == 3)
        story.told = []
        try story.tell(
            "REFUND_REVERSED", RefundStory.purchase(2, product: "pack-2").with { $0.signedAt = .utc(2026, 4, 1) })
        #expect(try night(11, withEvidence: true).count == 2)
        #expect(try night(12, withEvidence: false).count == 2)
    }

    @Test func `count for claims of earlier nights, too`() throws {
        var story = try story()
        for id in 1...3 { try story.tellRefund(id, product: "pack-\(id)", on: 10 + id) }
        let (state, claims) = (story.export.path("ledger.db"), story.claims)
        story.claims = Array(claims.prefix(2))
        _ = try story.rows(asOf: "2026-04-10", withEvidence: false, "--state", state)
        story.claims = Array(claims.suffix(1))
        let found = try story.rows(asOf: "2026-04-11", "--state", state).filter { $0["rule"] == "repeat-refunds" }
        #expect(found.map { $0["claims"] } == ["3"])
    }
}
