import Encodings
import SampleStore
import Testing

/// Seats, families, bundles and changed accounts of the App Store of autumn 2026, which were read as abuse.
struct `An ordinary life in the App Store of autumn 2026` {
    /// The rules that found something in a story.
    private func rules(_ tell: (inout RefundStory) throws -> Void) throws -> Set<String> {
        var story = try RefundStory()
        try tell(&story)
        return Set(try story.rows().compactMap { $0["rule"] })
    }

    /// A month of a subscription that is presented after it was taken back.
    private static func ended(
        _ id: Int, on day: Int, _ change: (inout TransactionContent) -> Void = { _ in }
    ) -> TransactionContent {
        var ended = RefundStory.purchase(id, product: "app-\(id)", expires: .utc(2026, 4, 1))
        (ended.revokedAt, ended.signedAt, ended.revocationReason) = (.utc(2026, 3, day), .utc(2026, 3, day), 0)
        change(&ended)
        return ended
    }

    @Test(arguments: ["ASSIGNED", "FAMILY_SHARED", "LOANED"], [nil, "SEAT_TAKEN", "REFUND_FULL", "FAMILY_REVOKE"])
    func `is that three apps' seats of an employee or a child end`(ownership: String, type: String?) throws {
        let found = try rules { story in
            for id in 1...3 {
                let seat = Self.ended(id, on: 5 + id) { ($0.ownership, $0.revocationType) = (ownership, type) }
                try story.claim(
                    seat, ["product_id": "app-\(id)", "account_id": "ana", "presented_at": "2026-03-20"])
                try story.tell("REVOKE", seat)
            }
        }
        #expect(found == [])
    }

    @Test func `is that an old token of a seat is presented after a notification that it was taken`() throws {
        let found = try rules { story in
            let seat = RefundStory.purchase(expires: .utc(2026, 4, 1)).with { $0.ownership = "ASSIGNED" }
            try story.claim(seat, ["account_id": "ana", "presented_at": "2026-03-20"])
            try story.tell(
                "REVOKE",
                seat.with {
                    ($0.revokedAt, $0.signedAt, $0.revocationType) = (.utc(2026, 3, 9), .utc(2026, 3, 9), "SEAT_TAKEN")
                })
        }
        #expect(found == [])
    }

    @Test(arguments: [nil, 2], [false, true])
    func `is that somebody goes from subscriptions to bundles three times`(reason: Int?, isEvidence: Bool) throws {
        let found = try rules { story in
            for id in 1...3 {
                let left = Self.ended(id, on: 5 + id) { $0.revocationReason = reason }
                try story.claim(left, ["account_id": "ana", "presented_at": "2026-03-20"])
                let bundle = RefundStory.purchase(id + 3, product: "all", expires: .utc(2026, 5, 1)).with {
                    ($0.purchasedAt, $0.originallyPurchasedAt) = (.utc(2026, 3, 5 + id), .utc(2026, 3, 5 + id))
                    ($0.signedAt, $0.previousOriginalTransactionID) = (.utc(2026, 3, 5 + id), left.transactionID)
                }
                if isEvidence {
                    try story.tell("SUBSCRIBED", bundle)
                } else {
                    try story.claim(bundle, ["account_id": "ana", "presented_at": "2026-03-20"])
                }
            }
        }
        // A claim by itself does not know the token of another.
        #expect(found.subtracting(isEvidence || reason == 2 ? [] : ["refunded-purchase"]) == [])
    }

    /// A token of one of eight members of a group.
    private static func member(_ number: Int) -> TransactionContent {
        RefundStory.purchase(number, expires: .utc(2026, 4, 1)).with {
            $0.originalTransactionID = "460000000000000"
            ($0.ownership, $0.quantity, $0.appTransactionID) = ("ASSIGNED", 10, "70400000000000\(number)")
        }
    }

    @Test func `is that eight members present transactions of their own under one original`() throws {
        let found = try rules { story in
            for number in 1...8 {
                try story.claim(
                    Self.member(number),
                    ["account_id": "member-\(number)", "device_id": Self.device(number), "presented_at": "2026-03-10"])
            }
        }
        #expect(found == [])
    }

    private static func device(_ number: Int) -> String { "0A5C9B0E-7E0C-4C5B-9D53-2F8C8E0D0A0\(number)" }

    @Test func `is not that seven accounts present the token of one member`() throws {
        var story = try RefundStory()
        for number in 1...7 {
            try story.claim(Self.member(1), ["account_id": "account-\(number)", "presented_at": "2026-03-10"])
        }
        try story.claim(Self.member(2), ["account_id": "member-2", "presented_at": "2026-03-10"])
        let found = try story.findings("shared-account")
        #expect(found.map { $0["severity"] } == ["high"])
        #expect(found.first?["claims"] == "7")
        #expect(found.first?["evidence"]?.hasPrefix("transaction 460000000000001 of a member: 7 accounts") == true)
        // What somebody else paid for puts nothing at stake.
        #expect(found.first?["at_stake"] == "" && found.first?["unpriced"] == "0")
    }

    @Test func `is that as many accounts present the buyer's token as seats were bought`() throws {
        for (accounts, severity, confidence) in [(10, "medium", "doubtful"), (11, "high", "possible")] {
            var story = try RefundStory()
            let bought = RefundStory.purchase(expires: .utc(2026, 4, 1)).with {
                ($0.quantity, $0.price, $0.currency) = (10, 9990, "USD")
            }
            for number in 1...accounts {
                try story.claim(bought, ["account_id": "account-\(number)", "presented_at": "2026-03-10"])
            }
            let found = try story.findings("shared-account")
            #expect(found.map { $0["severity"] } == [severity])
            #expect(found.map { $0["confidence"] } == [confidence])
            #expect(found.first?["at_stake"] == "99.9")
        }
    }

    @Test(arguments: [false, true]) func `is that seats which were added are refunded`(isOneLine: Bool) throws {
        let found = try rules { story in
            let bought = RefundStory.purchase(expires: .utc(2026, 4, 1)).with {
                ($0.quantity, $0.webOrderLineItemID) = (8, "7")
                $0.edits = [.add("additionalTransactionReason", .text("SEAT_ADDITION"))]
            }
            let added = RefundStory.purchase(2, expires: .utc(2026, 4, 1)).with {
                ($0.originalTransactionID, $0.quantity) = (bought.transactionID, 4)
                $0.webOrderLineItemID = isOneLine ? "7" : "8"
                ($0.revokedAt, $0.signedAt, $0.revocationReason) = (.utc(2026, 3, 9), .utc(2026, 3, 9), 0)
                $0.edits = [.add("additionalTransactionReason", .text("SEAT_ADDITION"))]
            }
            try story.claim(bought, ["account_id": "ana", "presented_at": "2026-03-20"])
            try story.tell("REFUND", added)
        }
        #expect(found == [])
    }
}

/// A token whose account was changed after the app had stored it.
struct `The account of a token` {
    private static let former = "0a5c9b0e-7e0c-4c5b-9d53-2f8c8e0d0a01"
    private static let now = "0A5C9B0E-7E0C-4C5B-9D53-2F8C8E0D0B02"

    @Test func `is looked up again in a run that repeats what it knows of the claim`() throws {
        var story = try RefundStory()
        let bought = RefundStory.purchase().with { ($0.accountToken, $0.signedAt) = (Self.former, .utc(2026, 3, 5)) }
        try story.claim(bought, ["account_token": Self.now, "presented_at": "2026-03-20"])
        try story.tell(
            "REFUND_DECLINED",
            bought.with { ($0.accountToken, $0.signedAt) = (Self.now.lowercased(), .utc(2026, 3, 6)) })
        let state = story.export.path("state")
        // Evidence of earlier runs counts on.
        let changes = try [(20, false), (21, true), (22, false)].map { day, withEvidence in
            try story.rows(asOf: "2026-04-\(day)", withEvidence: withEvidence, "--state", state)
                .first { $0["rule"] == "account-token-mismatch" }?["change"]
        }
        #expect(changes == ["new", "resolved", nil])
    }
}
