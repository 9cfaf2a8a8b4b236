import Checks
import Encodings
import Receipts

/// Finds purchases that Apple refunded or revoked.
struct RefundedPurchase: ClaimRule {
    static let documentation = RuleDocumentation(
        id: "refunded-purchase",
        title: "A purchase in the receipt was refunded",
        severity: .high,
        raisedWhen: "signature and chain hold, and a purchase has a cancellation date (attribute 1712)",
        why: """
            Apple has given the money back or has revoked the purchase, and says so in the receipt. What it unlocked \
            is no longer paid for.
            """,
        whenWrong: """
            An upgrade within a subscription ends the old period with a cancellation date, and the new product is in \
            the same original transaction: nothing was lost. A purchase that is revoked from Family Sharing has such a \
            date too. A refunded period of last year says nothing about a subscription that is paid today, and a \
            refund that Apple granted is no fraud in itself.
            """,
        whatToDo: """
            Take back what the transaction unlocked, unless a later one covers it. `repeat-refunds` finds customers \
            with many refunds, `hidden-refund` refunds that are concealed.
            """)

    static let examples: [RuleExample] = [
        .raised(
            "gold was refunded", .high,
            ExampleClaim(receipt: ExampleReceipt(1, ExamplePurchase(refunded: "2026-02-20")))),
        .raised(
            "one period of two was refunded", .high,
            ExampleClaim(
                receipt: ExampleReceipt(
                    1, ExamplePurchase(expires: "2026-03-01", refunded: "2026-02-20"),
                    ExamplePurchase(
                        "gold", "460000000000002", of: "460000000000001", bought: "2026-03-01", expires: "2026-04-01")))
        ),
        .clear("gold was not refunded", ExampleClaim(receipt: ExampleReceipt(1, ExamplePurchase()))),
        .clear(
            "the receipt is forged, so that its dates say nothing",
            ExampleClaim(
                failed: [.signatureInvalid], receipt: ExampleReceipt(1, ExamplePurchase(refunded: "2026-02-20")))),
    ]

    static let stake = StakeKind.refunds

    init(_ policy: Policy) {}

    func hit(in facts: Facts) -> Hit? {
        guard facts.isGenuine, let purchases = facts.receipt?.purchases else { return nil }
        guard purchases.contains(where: { $0.cancellationDate != nil }) else { return nil }
        let refunds = purchases.filter { $0.cancellationDate != nil }
        return Hit(
            refunds.listedOfAll { purchase in
                let refunded = purchase.cancellationDate.map { ", refunded on \($0)" } ?? ""
                return purchase.named("bought on \(purchase.purchaseDate)" + refunded)
            })
    }
}
