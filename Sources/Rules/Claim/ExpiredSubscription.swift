import Checks
import Encodings
import Inputs
import Receipts

/// Finds claims to a subscription that ended long ago.
struct ExpiredSubscription: ClaimRule {
    static let documentation = RuleDocumentation(
        id: "expired-subscription",
        title: "The requested subscription ended long ago",
        severity: .low,
        confidence: .possible,
        raisedWhen: """
            signature and chain hold, the claim names a product and has a date (`presented_at`), and every purchase \
            of that product in the receipt ended more than \(days.standard) days before that date. A purchase ends at \
            its expiry or, if earlier, at its cancellation. It ends at its expiry in any case if another chain of \
            transactions took its place, or if it was taken back for an unknown cause. A purchase without an expiry \
            never ends
            """,
        why: """
            If an app requests a subscription that ended long ago in the receipt, the app was modified, or the \
            receipt was not refreshed since.
            """,
        whenWrong: """
            Apple retries the payment for up to 60 days, and a subscription may be resumed on another device: the \
            receipt shows it only after a refresh. Some apps request every product at launch, to find out what was \
            bought. Confidence is possible.
            """,
        whatToDo: """
            Have the app refresh its receipt, and unlock nothing if the new one ends on the same day.
            """,
        limits: [days])

    static let examples: [RuleExample] = [
        .raised(
            "gold ended 61 days before", .low,
            claim(presented: "2026-05-02", ExamplePurchase("gold", expires: "2026-03-02"))),
        .raised(
            "gold was cancelled before its end", .low,
            claim(
                presented: "2026-05-02", ExamplePurchase("gold", expires: "2027-02-01", refunded: "2026-02-10"))),
        .clear(
            "gold ended 60 days before",
            claim(presented: "2026-05-02", ExamplePurchase("gold", expires: "2026-03-03"))),
        .clear(
            "one of its periods lasts longer",
            claim(
                presented: "2026-05-02", ExamplePurchase("gold", expires: "2026-03-01"),
                ExamplePurchase(
                    "gold", "460000000000002", of: "460000000000001", bought: "2026-03-01", expires: "2026-04-01"))),
        .clear(
            "the claim has no date", claim(presented: nil, ExamplePurchase("gold", expires: "2026-03-01"))),
        .clear(
            "gold was bought for good", claim(presented: "2026-05-02", ExamplePurchase("gold"))),
    ]

    private static func claim(presented: String?, _ purchases: ExamplePurchase...) -> ExampleClaim {
        ExampleClaim(
            product: "gold", presented: presented,
            receipt: ExampleReceipt(created: "2026-02-15", purchases: purchases))
    }

    private static let days = RuleLimit(
        "days", standard: 60, in: 0...10_000, "the last period ended more than this many days before")

    private let seconds: Int64

    init(_ policy: Policy) { seconds = policy.seconds(of: Self.days, each: 86_400, in: Self.self) }

    func hit(in facts: Facts) -> Hit? {
        let product = facts.claim.productID
        guard !product.isEmpty, let presentedAt = facts.presentedAt,
            let purchases = facts.provenPurchases
        else { return nil }
        var last: Instant?
        for index in purchases.indices where purchases[index].productID == product {
            guard let expires = purchases[index].expiresDate else { return nil }
            let end = purchases[index].endedAt(before: expires)
            last = max(last ?? end, end)
        }
        guard let last, last.adding(seconds: seconds) < presentedAt else { return nil }
        return Hit("“\(product.boundedID)” was requested on \(presentedAt), but its last period ended on \(last)")
    }
}

extension Purchase {
    /// Returns when it ended: at its expiry, or when Apple revoked it earlier. A purchase replaced by another chain
    /// continues there, and a revocation for an unknown reason leaves the end unknown.
    fileprivate func endedAt(before expiry: Instant) -> Instant {
        guard let cancellationDate else { return expiry }
        switch revocation() {
        case .accessEnd where isOfUnknownOwner: return expiry
        case .refund, .excusedRefund, .upgrade, .accessEnd: return min(expiry, cancellationDate)
        case nil, .partialRefund, .move, .unknown: return expiry
        }
    }
}
