import Encodings
import Foundation
import SampleStore
import Testing

/// The table `unclaimed`: who paid and got nothing.
struct `An unclaimed purchase` {
    /// One claim of another purchase, presented on 2 January, and what the store told.
    private func story(_ told: (inout RefundStory) throws -> Void) throws -> RefundStory {
        var story = try RefundStory()
        try story.claim(Self.earlier, ["presented_at": "2026-01-02", "account_id": "ana"])
        try told(&story)
        return story
    }

    private func unclaimed(_ story: RefundStory, _ more: String...) throws -> [String] {
        try story.rows(of: "unclaimed", with: more).map { $0["original_transaction_id"] ?? "" }
    }

    /// A purchase of the year before.
    private static let earlier = RefundStory.purchase(9).with {
        ($0.purchasedAt, $0.originallyPurchasedAt, $0.signedAt) = (
            .utc(2025, 12, 1), .utc(2025, 12, 1), .utc(2025, 12, 1)
        )
    }

    private static let sold = RefundStory.purchase().with {
        ($0.accountToken, $0.appTransactionID) = ("7EB61F70-E56D-46F1-AC3A-84D1B43829D3", "704000000000000001")
        ($0.price, $0.currency) = (4990, "USD")
    }

    @Test func `is one that evidence shows and no claim presents`() throws {
        let rows = try story { try $0.tell("ONE_TIME_CHARGE", Self.sold) }.rows(of: "unclaimed")
        let row = try #require(rows.first)
        #expect(rows.count == 1)
        #expect(row["original_transaction_id"] == "460000000000001" && row["transaction_id"] == "460000000000001")
        #expect(row["kind"] == "non-consumable" && row["bundle_id"] == "com.example.notes")
        #expect(row["purchased_at"] == "2026-03-01T00:00:00Z" && row["signed_at"] == "2026-03-02T00:00:00Z")
        #expect(row["account_token"] == "7eb61f70-e56d-46f1-ac3a-84d1b43829d3" && row["price"] == "4.99")
        #expect(row["evidence_sha256"]?.count == 64)
    }

    @Test func `is none once a claim presents it, whatever else is wrong with that claim`() throws {
        let found = try story {
            try $0.tell("ONE_TIME_CHARGE", Self.sold)
            try $0.claim(Self.sold, ["presented_at": "2026-03-02", "bundle_id": "com.example.other"])
        }
        #expect(try unclaimed(found).isEmpty)
    }

    @Test func `is still one if a claim presents a forgery of it, and says so`() throws {
        let other = try TokenAuthority.rogue()
        let found = try story {
            try $0.tell("ONE_TIME_CHARGE", Self.sold)
            try $0.tell("ONE_TIME_CHARGE", RefundStory.purchase(2))
            try $0.claim(Self.sold, by: other, ["presented_at": "2026-03-02"])
        }
        let rows = try found.rows(of: "unclaimed")
        #expect(rows.map { $0["original_transaction_id"] } == ["460000000000001", "460000000000002"])
        #expect(rows.map { $0["forged"] } == ["true", ""])
    }

    @Test func `is none once a claim presents it, whoever else forges it`() throws {
        let other = try TokenAuthority.rogue()
        let found = try story {
            try $0.tell("ONE_TIME_CHARGE", Self.sold)
            try $0.claim(Self.sold, by: other, ["presented_at": "2026-03-02"])
            try $0.claim(Self.sold, ["presented_at": "2026-03-03"])
        }
        #expect(try unclaimed(found).isEmpty)
    }

    @Test func `is said to be forged also where an earlier run met the forgery`() throws {
        let other = try TokenAuthority.rogue()
        var found = try story {
            try $0.tell("ONE_TIME_CHARGE", Self.sold)
            try $0.claim(Self.sold, by: other, ["presented_at": "2026-03-02"])
        }
        let ledger = found.export.path("ledger.db")
        #expect(try found.rows(of: "unclaimed", "--state", ledger).map { $0["forged"] } == ["true"])
        found.claims.removeLast()
        #expect(
            try found.rows(of: "unclaimed", asOf: "2026-04-21", "--state", ledger).map { $0["forged"] } == ["true"])
    }

    @Test func `names the account that claims give for its UUID, and its last claim of the app`() throws {
        let owner = ["account_id": "ben", "account_token": "7EB61F70-E56D-46F1-AC3A-84D1B43829D3"]
        let found = try story {
            try $0.tell("ONE_TIME_CHARGE", Self.sold)
            try $0.tell("ONE_TIME_CHARGE", RefundStory.purchase(2))
            try $0.tell(
                "ONE_TIME_CHARGE",
                RefundStory.purchase(3).with { $0.accountToken = "0A5C9B0E-7E0C-4C5B-9D53-2F8C8E0D0A01" })
            for day in ["2026-03-02", "2026-03-04", "2026-03-03"] {
                try $0.claim(RefundStory.purchase(7), owner.merging(["presented_at": day]) { $1 })
            }
        }
        let rows = try found.rows(of: "unclaimed")
        #expect(rows.map { $0["account_id"] } == ["ben", "", ""])
        #expect(rows.map { $0["reason"] } == ["account-without-this-purchase", "", "no-claim-of-account"])
        #expect(rows.map { $0["last_seen"] } == ["2026-03-04T00:00:00Z", "", ""])
    }

    @Test func `names an account whose claims are of another app only, and was not seen in this one`() throws {
        let found = try story {
            try $0.tell("ONE_TIME_CHARGE", Self.sold)
            try $0.claim(
                RefundStory.purchase(7).with { $0.bundleID = "com.example.paint" },
                ["presented_at": "2026-03-02", "account_id": "ben", "account_token": Self.sold.accountToken ?? ""])
        }
        let row = try #require(try found.rows(of: "unclaimed").first)
        #expect(row["account_id"] == "ben" && row["last_seen"] == "")
        #expect(row["reason"] == "account-without-this-purchase")
    }

    @Test func `has a reason without an account, if claims have its UUID and no account`() throws {
        let found = try story {
            try $0.tell("ONE_TIME_CHARGE", Self.sold)
            try $0.claim(
                RefundStory.purchase(7),
                ["presented_at": "2026-03-02", "account_token": Self.sold.accountToken ?? ""])
        }
        let row = try #require(try found.rows(of: "unclaimed").first)
        #expect(row["account_id"] == "" && row["last_seen"] == "2026-03-02T00:00:00Z")
        #expect(row["reason"] == "account-without-this-purchase")
    }

    @Test func `takes the account from a token that has the UUID, if the claim has none, and from earlier runs`() throws
    {
        var found = try story {
            try $0.tell("ONE_TIME_CHARGE", Self.sold)
            try $0.claim(
                RefundStory.purchase(7).with { $0.accountToken = Self.sold.accountToken },
                ["presented_at": "2026-03-02", "account_id": "ben"])
        }
        let ledger = found.export.path("ledger.db")
        #expect(try found.rows(of: "unclaimed", "--state", ledger).map { $0["account_id"] } == ["ben"])
        found.claims.removeLast()
        let later = try found.rows(of: "unclaimed", asOf: "2026-04-21", "--state", ledger)
        #expect(later.map { $0["account_id"] } == ["ben"] && later.map { $0["last_seen"] } == ["2026-03-02T00:00:00Z"])
    }

    @Test func `names no account where several have its UUID, or only a forgery has`() throws {
        let uuid = "7EB61F70-E56D-46F1-AC3A-84D1B43829D3"
        let several = try story {
            try $0.tell("ONE_TIME_CHARGE", Self.sold)
            for (number, account) in [(6, "ben"), (7, "cleo")] {
                try $0.claim(
                    RefundStory.purchase(number),
                    ["presented_at": "2026-03-02", "account_id": account, "account_token": uuid])
            }
        }
        let row = try #require(try several.rows(of: "unclaimed").first)
        #expect(row["account_id"] == "" && row["reason"] == "account-without-this-purchase")
        let rogue = try TokenAuthority.rogue()
        let forged = try story {
            try $0.tell("ONE_TIME_CHARGE", Self.sold)
            try $0.claim(
                RefundStory.purchase(7), by: rogue,
                ["presented_at": "2026-03-02", "account_id": "mal", "account_token": uuid])
        }
        #expect(try forged.rows(of: "unclaimed").first?["reason"] == "no-claim-of-account")
    }

    @Test func `is none if it was taken back`() throws {
        let found = try story {
            try $0.tell("ONE_TIME_CHARGE", Self.sold)
            try $0.tellRefund(on: 9)
        }
        #expect(try unclaimed(found).isEmpty)
    }

    @Test func `is one again if the refund was reversed`() throws {
        let found = try story {
            try $0.tellRefund(on: 9)
            try $0.tell("REFUND_REVERSED", Self.sold.with { $0.signedAt = .utc(2026, 3, 20) })
        }
        #expect(try unclaimed(found) == ["460000000000001"])
    }

    @Test(arguments: ["FAMILY_SHARED", "ASSIGNED", "BORROWED"])
    func `is its buyer's, not that of a person who shares it`(ownership: String) throws {
        #expect(try unclaimed(story { try $0.tell("X", Self.sold.with { $0.ownership = ownership }) }).isEmpty)
    }

    @Test func `is none of a test`() throws {
        #expect(try unclaimed(story { try $0.tell("X", Self.sold.with { $0.environment = "Sandbox" }) }).isEmpty)
    }

    @Test(arguments: [("2026-03-04", false), ("2026-03-05", true)])
    func `is three days old, or as old as is asked for`(asOf: String, isThere: Bool) throws {
        let found = try story { try $0.tell("ONE_TIME_CHARGE", Self.sold) }
        #expect(try found.rows(of: "unclaimed", asOf: asOf).isEmpty != isThere)
        #expect(try unclaimed(found, "--unclaimed-after", "51").isEmpty)
        #expect(try unclaimed(found, "--unclaimed-after", "49").count == 1)
    }

    @Test func `is younger than the first claim, before which nobody knows who presented what`() throws {
        var early = try RefundStory()
        try early.claim(Self.earlier, ["presented_at": "2026-03-01T00:00:01Z"])
        try early.tell("ONE_TIME_CHARGE", Self.sold)
        #expect(try unclaimed(early).isEmpty)
        var undated = try RefundStory()
        try undated.claim(Self.earlier)
        try undated.tell("ONE_TIME_CHARGE", Self.sold)
        #expect(try unclaimed(undated).isEmpty)
    }

    @Test func `is a subscription once, with its first purchase and its latest period`() throws {
        let first = RefundStory.purchase(1, expires: .utc(2026, 4, 1))
        let second = first.with {
            ($0.transactionID, $0.purchasedAt, $0.expiresAt) = ("460000000000002", .utc(2026, 4, 1), .utc(2026, 5, 1))
            $0.signedAt = .utc(2026, 4, 1)
        }
        let found = try story {
            try $0.tell("SUBSCRIBED", first)
            try $0.tell("DID_RENEW", second)
        }.rows(of: "unclaimed")
        #expect(found.count == 1 && found.first?["original_transaction_id"] == "460000000000001")
        #expect(found.first?["transaction_id"] == "460000000000002")
        #expect(found.first?["purchased_at"] == "2026-03-01T00:00:00Z")
        #expect(found.first?["expires_at"] == "2026-05-01T00:00:00Z")
    }

    @Test func `is no subscription that has ended, unless it is asked for`() throws {
        let found = try story { try $0.tell("SUBSCRIBED", RefundStory.purchase(1, expires: .utc(2026, 4, 1))) }
        #expect(try unclaimed(found).isEmpty)
        #expect(try unclaimed(found, "--unclaimed-ended") == ["460000000000001"])
        #expect(try found.rows(of: "unclaimed", asOf: "2026-03-31").count == 1)
    }

    @Test func `is the later chain, if another took the place of the first`() throws {
        let first = RefundStory.purchase(1, expires: .utc(2026, 4, 1))
        let next = RefundStory.purchase(2, product: "bundle", expires: .utc(2026, 4, 10)).with {
            $0.previousOriginalTransactionID = "460000000000001"
        }
        let found = try story {
            try $0.tell("SUBSCRIBED", first)
            try $0.tell("SUBSCRIBED", next)
        }
        #expect(try unclaimed(found, "--unclaimed-ended") == ["460000000000002"])
    }

    @Test func `is none if an earlier run had the claim`() throws {
        let ledger = ["--state", "ledger.db"]
        var story = try story { try $0.claim(Self.sold, ["presented_at": "2026-03-02"]) }
        let state = [ledger[0], story.export.path(ledger[1])]
        _ = try story.rows(of: "unclaimed", asOf: "2026-03-03", withEvidence: false, with: state)
        story.claims.removeLast()
        try story.tell("ONE_TIME_CHARGE", Self.sold)
        try story.tell("ONE_TIME_CHARGE", RefundStory.purchase(2))
        #expect(
            try story.rows(of: "unclaimed", with: state).map { $0["original_transaction_id"] } == ["460000000000002"])
        #expect(try unclaimed(story).count == 2)
    }

    @Test func `counts from the first claim of the ledger`() throws {
        var story = try story { try $0.tell("ONE_TIME_CHARGE", Self.sold) }
        let state = ["--state", story.export.path("ledger.db")]
        _ = try story.rows(of: "unclaimed", asOf: "2026-01-03", withEvidence: false, with: state)
        story.claims = []
        try story.claim(RefundStory.purchase(8), ["presented_at": "2026-04-10"])
        #expect(try unclaimed(story).isEmpty)
        #expect(try story.rows(of: "unclaimed", with: state).count == 1)
    }
}
