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
            signature and chain hold, and a purchase was refunded: by a cancellation date (attribute 1712, a token's \
            `revocationDate`), or by evidence that was signed after the proof was made. It does not count if an upgrade \
            ended it (another product of the same original transaction was bought within five minutes of the \
            cancellation, or a token says so), if a family's sharing or an organization's assignment ended (FAMILY_REVOKE), \
            or if newer evidence shows the purchase whole: the refund was reversed. A purchase of the product covers the claim if it was bought later than all that were \
            refunded, was not refunded itself, and had not expired when the claim was presented; a claim without a \
            date counts as presented when the receipt was made
            """,
        why: """
            Apple has refunded all or part of the price, as the proof or later evidence shows. The purchase is no \
            longer paid for.
            """,
        whenWrong: """
            A refund is not fraud in itself. In receipts, the end of family sharing and a revoked licence have such a \
            date, too; tokens and evidence distinguish them. A claim presented before the refund was legitimate at the \
            time. Some apps request every product at launch. Confidence is likely, and possible for the severity \
            medium where the claim has no date, or was presented before a refund that only evidence shows.
            """,
        whatToDo: """
            Revoke what the transaction unlocked, unless a later one covers it. `repeat-refunds` finds customers with \
            many refunds, `hidden-refund` refunds that are concealed.
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

    /// Returns two periods of gold, of which the first was refunded.
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
        guard let purchases = facts.provenPurchases, purchases.haveRefund else { return nil }
        return Self.hit(
            purchases.map { ProvenPurchase(purchase: $0) }, asked: facts.claim.productID.boundedID,
            presentedAt: facts.presentedAt, createdAt: facts.createdAt)
    }

    /// Returns the same of a claim whose purchases stand otherwise by evidence.
    func hit(in observations: ClaimObservations) -> Hit? {
        let presented = observations.presented
        return Self.hit(
            observations.proven ?? [], asked: presented.askedProduct, presentedAt: presented.presentedAt,
            createdAt: presented.createdAt)
    }

    private static func hit(
        _ proven: [ProvenPurchase], asked product: ExactText, presentedAt: Instant?, createdAt: Instant?
    ) -> Hit? {
        let purchases = proven.map(\.purchase)
        let refunds = proven.filter { $0.purchase.refundDate != nil && !$0.purchase.isUpgraded(among: purchases) }
        guard !refunds.isEmpty else { return nil }
        let evidence = refunds.listedOfAll { $0.refundText }
        let events = Set(refunds.map(\.purchase.transactionID)).count
        let asked = refunds.filter { $0.purchase.productID.boundedID == product }
        guard let last = asked.map(\.purchase.purchaseDate).max(),
            !purchases.contains(where: {
                $0.productID.boundedID == product && $0.purchaseDate > last && $0.refundDate == nil
                    && $0.expiresDate.map { $0 > presentedAt ?? createdAt ?? $0 } ?? true
            })
        else { return Hit(evidence, events: events) }
        let isEarly = asked.allSatisfy { $0.isShown(by: presentedAt) == false }
        return Hit(
            "“\(product)” was requested: \(evidence)", severity: .medium,
            confidence: presentedAt == nil || isEarly ? .possible : nil, events: events)
    }
}

extension ProvenPurchase {
    /// `“gold” (transaction 46…, bought on …, refunded on …, as evidence … shows)`.
    fileprivate var refundText: String {
        var text = "bought on \(purchase.purchaseDate)"
        if let date = purchase.refundDate {
            let isProrated = purchase.details?.revocationType == "REFUND_PRORATED"
            text += ", refunded\(isProrated ? " in part" : "") on \(date)"
        }
        if let witness { text += ", as evidence \(witness) shows" }
        return purchase.named(text)
    }

    /// Whether the refund was there when the claim was presented: of what its own proof shows it was.
    fileprivate func isShown(by presentedAt: Instant?) -> Bool {
        guard witness != nil, let presentedAt, let date = purchase.refundDate else { return true }
        return date <= presentedAt
    }
}
