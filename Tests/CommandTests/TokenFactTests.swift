import Encodings
import SampleStore
import Testing

/// What tokens say of a claim's purchases counts the same, wherever they come from: evidence, other claims of the run,
/// or claims of an earlier night.
struct `What tokens say` {
    /// How a run gets to know tokens.
    enum Source: CaseIterable, Sendable {
        case evidence
        case claims
        case earlierClaims
    }

    /// What the tokens say, and what is then found about the first claim.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let rule: String
        var claim: @Sendable (inout RefundStory) throws -> Void
        var tokens: [TransactionContent]
        /// Severity, events and what is at stake; `nil` if nothing is found.
        var found: String?
    }

    private static let gold = RefundStory.purchase()
    private static let asked = ["product_id": "gold", "presented_at": "2026-03-20", "account_id": "ana"]
    private static let (former, now) = (
        "0a5c9b0e-7e0c-4c5b-9d53-2f8c8e0d0a01", "0a5c9b0e-7e0c-4c5b-9d53-2f8c8e0d0b02"
    )

    /// A claim of a receipt that shows gold, refunded or whole.
    private static func receipt(
        refunded: Instant? = nil, _ transaction: String = "460000000000001", bought: Instant = .utc(2026, 3, 1)
    ) -> @Sendable (inout RefundStory) throws -> Void {
        {
            var gold = PurchaseContent(
                .nonConsumable, productID: "gold", transactionID: transaction, purchasedAt: bought)
            (gold.originalTransactionID, gold.cancelledAt) = ("460000000000001", refunded)
            try $0.claim([gold], created: refunded ?? bought.adding(seconds: 86_400), asked)
        }
    }

    private static func token(
        _ transaction: TransactionContent = gold, _ fields: [String: String] = [:]
    ) -> @Sendable (inout RefundStory) throws -> Void {
        { try $0.claim(transaction, asked.merging(fields) { $1 }) }
    }

    private static func revoked(
        on day: Int, _ transaction: TransactionContent = gold, type: String? = "REFUND_FULL", signed: Int? = nil
    ) -> TransactionContent {
        transaction.with {
            ($0.revokedAt, $0.revocationType) = (.utc(2026, 3, day), type)
            $0.signedAt = .utc(2026, 3, signed ?? day + 1)
        }
    }

    private static func second(_ transaction: TransactionContent = gold) -> TransactionContent {
        transaction.with { $0.transactionID = "460000000000002" }
    }

    private static let bundle = RefundStory.purchase(5, product: "all", expires: .utc(2026, 4, 9)).with {
        ($0.purchasedAt, $0.originallyPurchasedAt) = (.utc(2026, 3, 9), .utc(2026, 3, 9))
        ($0.signedAt, $0.previousOriginalTransactionID) = (.utc(2026, 3, 10), "460000000000001")
    }

    private static func priced(_ transaction: TransactionContent, signed day: Int? = nil) -> TransactionContent {
        transaction.with {
            ($0.price, $0.currency) = (4490, "EUR")
            if let day { $0.signedAt = .utc(2026, 3, day) }
        }
    }

    static let cases: [Case] = [
        Case(
            testDescription: "a refund of what a receipt shows whole", rule: "refunded-purchase", claim: receipt(),
            tokens: [revoked(on: 9)], found: "medium 1 "),
        Case(
            testDescription: "a refund, with its price", rule: "refunded-purchase", claim: receipt(),
            tokens: [priced(revoked(on: 9))], found: "medium 1 4.49"),
        Case(
            testDescription: "the price of a refund that a receipt shows", rule: "refunded-purchase",
            claim: receipt(refunded: .utc(2026, 3, 9)), tokens: [priced(revoked(on: 9))], found: "medium 1 4.49"),
        Case(
            testDescription: "a refund of what was restored under another transaction", rule: "refunded-purchase",
            claim: receipt("460000000000003"), tokens: [revoked(on: 9)], found: "medium 1 "),
        Case(
            testDescription: "a refund of a token's transaction", rule: "refunded-purchase", claim: token(),
            tokens: [revoked(on: 9)], found: "medium 1 "),
        Case(
            testDescription: "a refund of another transaction than the token's", rule: "refunded-purchase",
            claim: token(), tokens: [revoked(on: 9, second())], found: nil),
        Case(
            testDescription: "a refund of the original transaction of the token's", rule: "refunded-purchase",
            claim: token(second()), tokens: [revoked(on: 9)], found: nil),
        Case(
            testDescription: "a refund before the purchase that the receipt shows", rule: "refunded-purchase",
            claim: receipt("460000000000002", bought: .utc(2026, 3, 12)), tokens: [revoked(on: 9)], found: nil),
        Case(
            testDescription: "a refund after the claim", rule: "refunded-purchase", claim: receipt(),
            tokens: [revoked(on: 21)], found: "info 1 "),
        Case(
            testDescription: "a refund of the day of the claim", rule: "refunded-purchase",
            claim: token(gold, ["presented_at": "2026-03-09"]), tokens: [revoked(on: 9)], found: "info 1 "),
        Case(
            testDescription: "a refund of the instant of the claim", rule: "refunded-purchase",
            claim: token(gold, ["presented_at": "2026-03-09T00:00:00Z"]), tokens: [revoked(on: 9)], found: "info 1 "),
        Case(
            testDescription: "a refund of what the claim does not ask for", rule: "refunded-purchase",
            claim: token(gold, ["product_id": ""]), tokens: [revoked(on: 9)], found: "info 1 "),
        Case(
            testDescription: "the end of a family's sharing", rule: "refunded-purchase",
            claim: receipt(refunded: .utc(2026, 3, 9)), tokens: [revoked(on: 9, type: "FAMILY_REVOKE")], found: nil),
        Case(
            testDescription: "an unknown type", rule: "refunded-purchase",
            claim: receipt(refunded: .utc(2026, 3, 9)), tokens: [revoked(on: 9, type: "TAKEN")], found: nil),
        Case(
            testDescription: "an upgrade", rule: "refunded-purchase", claim: receipt(refunded: .utc(2026, 3, 9)),
            tokens: [revoked(on: 9, type: nil).with { $0.isUpgraded = true }], found: nil),
        Case(
            testDescription: "a reversed refund", rule: "refunded-purchase",
            claim: receipt(refunded: .utc(2026, 3, 9)), tokens: [gold.with { $0.signedAt = .utc(2026, 3, 12) }],
            found: nil),
        Case(
            testDescription: "a refund, and later that it was reversed", rule: "refunded-purchase", claim: receipt(),
            tokens: [revoked(on: 9), gold.with { $0.signedAt = .utc(2026, 3, 12) }], found: nil),
        Case(
            testDescription: "that a refund was reversed, and then the refund", rule: "refunded-purchase",
            claim: receipt(), tokens: [gold.with { $0.signedAt = .utc(2026, 3, 12) }, revoked(on: 9)], found: nil),
        Case(
            testDescription: "a move to another chain", rule: "refunded-purchase",
            claim: token(revoked(on: 9, type: nil)), tokens: [bundle], found: nil),
        Case(
            testDescription: "a move to another chain days later", rule: "refunded-purchase",
            claim: token(revoked(on: 5, type: nil)), tokens: [bundle], found: "medium 1 "),
        Case(
            testDescription: "the claim's UUID in a newer token", rule: "account-token-mismatch",
            claim: token(gold.with { $0.accountToken = former }, ["account_token": now]),
            tokens: [gold.with { ($0.accountToken, $0.signedAt) = (now, .utc(2026, 3, 12)) }], found: nil),
        Case(
            testDescription: "the claim's UUID in an older token", rule: "account-token-mismatch",
            claim: token(
                gold.with { ($0.accountToken, $0.signedAt) = (former, .utc(2026, 3, 12)) }, ["account_token": now]),
            tokens: [gold.with { $0.accountToken = now }], found: "medium 1 "),
        Case(
            testDescription: "another UUID in a newer token", rule: "account-token-mismatch",
            claim: token(gold.with { $0.accountToken = former }, ["account_token": now]),
            tokens: [gold.with { ($0.accountToken, $0.signedAt) = (former, .utc(2026, 3, 12)) }],
            found: "medium 1 "),
        Case(
            testDescription: "a refund that a receipt hides, at the price of an older token", rule: "hidden-refund",
            claim: receipt(), tokens: [priced(gold), revoked(on: 9)], found: "medium 1 4.49"),
        Case(
            testDescription: "the end of an assignment, which a receipt does not show", rule: "hidden-refund",
            claim: receipt(), tokens: [revoked(on: 9, gold.with { $0.ownership = "ASSIGNED" })], found: nil),
    ]

    @Test(arguments: cases, Source.allCases)
    func `counts the same from evidence and from claims`(one: Case, source: Source) throws {
        var story = try RefundStory()
        try one.claim(&story)
        let claim = story.claims
        let state = ["--state", story.export.path("ledger.db")]
        switch source {
        case .evidence: for token in one.tokens { story.told.append(try story.authority.token(token).text) }
        case .claims: for token in one.tokens { try story.claim(token) }
        case .earlierClaims:
            story.claims = []
            for token in one.tokens { try story.claim(token) }
            _ = try story.rows(asOf: "2026-04-19", withEvidence: false, with: state)
            story.claims = claim
        }
        let rows = try story.rows(withEvidence: source == .evidence, with: source == .earlierClaims ? state : [])
        let found = rows.filter {
            $0["rule"] == one.rule && $0["change"] != "resolved"
                && ($0["sources"]?.contains("claims.ndjson:1") ?? false)
        }
        #expect(
            found.map { "\($0["severity"] ?? "") \($0["events"] ?? "") \($0["at_stake"] ?? "")" }
                == [one.found].compactMap(\.self))
    }
}
