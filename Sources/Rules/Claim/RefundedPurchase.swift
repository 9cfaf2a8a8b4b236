import Checks
import Encodings
import Inputs
import Receipts

/// Finds purchases that Apple refunded or revoked.
struct RefundedPurchase: ClaimRule {
    static let documentation = RuleDocumentation(
        id: "refunded-purchase",
        title: "A purchase in the receipt was refunded",
        severity: .info,
        exceptions: [.init(.medium, "if the claim asks for the product, and no later purchase of it covers the claim")],
        raisedWhen: """
            signature and chain hold, and a purchase has a cancellation date (attribute 1712) and was not ended by an \
            upgrade: another product of the same original transaction was bought within five minutes of the \
            cancellation. A purchase of the product covers the claim if it was bought later than all that were \
            refunded, was not refunded itself, and had not expired when the claim was presented; a claim without a \
            date counts as presented when the receipt was made
            """,
        why: """
            Apple has given the money back or has revoked the purchase, and says so in the receipt. What it unlocked \
            is no longer paid for.
            """,
        whenWrong: """
            A refund that Apple granted is no fraud in itself. A purchase that somebody stopped sharing with the \
            family, or a licence that was taken back, has such a date, too. Some apps ask for every product whenever \
            they start. Confidence is likely, and possible for the severity medium where the claim has no date.
            """,
        whatToDo: """
            Take back what the transaction unlocked, unless a later one covers it. `repeat-refunds` finds customers \
            with many refunds, `hidden-refund` refunds that are concealed.
            """)

    static let examples: [RuleExample] = [
        .raised(
            "gold was refunded", .info,
            ExampleClaim(receipt: ExampleReceipt(1, ExamplePurchase(refunded: "2026-02-20")))),
        .raised(
            "gold was refunded and is asked for", .medium,
            ExampleClaim(product: "gold", receipt: ExampleReceipt(1, ExamplePurchase(refunded: "2026-02-20")))),
        .raised(
            "silver was refunded, gold is asked for", .info,
            ExampleClaim(
                product: "gold",
                receipt: ExampleReceipt(
                    1, ExamplePurchase("silver", refunded: "2026-02-20"), ExamplePurchase("gold", "460000000000002")))),
        .raised(
            "a later period covers the claim", .info, claim(presented: "2026-03-15")),
        .raised(
            "the later period has expired, too", .medium, claim(presented: "2026-04-02")),
        .clear(
            "silver was upgraded to gold",
            ExampleClaim(
                product: "silver",
                receipt: ExampleReceipt(
                    1, ExamplePurchase("silver", expires: "2026-03-01", refunded: "2026-02-20"),
                    ExamplePurchase(
                        "gold", "460000000000002", of: "460000000000001", bought: "2026-02-20T00:05:00Z",
                        expires: "2026-03-20")))),
        .clear("gold was not refunded", ExampleClaim(receipt: ExampleReceipt(1, ExamplePurchase()))),
        .clear(
            "the receipt is forged, so that its dates prove nothing",
            ExampleClaim(
                failed: [.signatureInvalid], receipt: ExampleReceipt(1, ExamplePurchase(refunded: "2026-02-20")))),
    ]

    static let stake = StakeKind.refunds

    /// Two periods of gold, of which the first was refunded.
    private static func claim(presented: String) -> ExampleClaim {
        ExampleClaim(
            product: "gold", presented: presented,
            receipt: ExampleReceipt(
                1, ExamplePurchase(expires: "2026-03-01", refunded: "2026-02-20"),
                ExamplePurchase(
                    "gold", "460000000000002", of: "460000000000001", bought: "2026-03-01", expires: "2026-04-01")))
    }

    init(_ policy: Policy) {}

    func hit(in facts: Facts) -> Hit? {
        guard let purchases = facts.provenPurchases, purchases.contains(where: { $0.refundDate != nil }) else {
            return nil
        }
        let refunds = purchases.filter { $0.refundDate != nil && !$0.isUpgraded(among: purchases) }
        guard !refunds.isEmpty else { return nil }
        let evidence = refunds.listedOfAll { purchase in
            let refunded = purchase.refundDate.map { ", refunded on \($0)" } ?? ""
            return purchase.named("bought on \(purchase.purchaseDate)" + refunded)
        }
        let events = Set(refunds.map(\.transactionID)).count
        let product = facts.claim.productID
        let presentedAt = facts.claim.presentedAt
        guard let last = refunds.filter({ $0.productID == product }).map(\.purchaseDate).max(),
            !purchases.contains(where: {
                $0.productID == product && $0.purchaseDate > last && $0.refundDate == nil
                    && $0.expiresDate.map { $0 > presentedAt ?? facts.createdAt ?? $0 } ?? true
            })
        else { return Hit(evidence, events: events) }
        return Hit(
            "“\(product.boundedID)” is asked for: \(evidence)", severity: .medium,
            confidence: presentedAt == nil ? .possible : nil, events: events)
    }
}
