import Checks
import Encodings
import Inputs
import Receipts

/// Finds purchases that Apple refunded or revoked.
struct RefundedPurchase: InformedClaimRule {
    static let documentation = RuleDocumentation(
        id: "refunded-purchase",
        title: "A purchase in the receipt was refunded",
        severity: .info,
        exceptions: [
            .init(
                .medium,
                """
                if the claim asks for a product that was refunded before the claim, and no later purchase of it \
                covers the claim
                """)
        ],
        raisedWhen: """
            signature and chain hold, and a purchase was refunded. A cancellation date shows it (attribute 1712, a \
            token's `revocationDate`), or another token that was signed after the proof was made: of evidence or of \
            a claim, also of an earlier run
            """,
        details: """
            A token is compared with it by transaction. A receipt's restored purchase is, too, by its original \
            transaction, for a period with the web order line item (attribute 1711). What never expires was not \
            refunded before it was bought.
            The refund does not count if an upgrade ended the purchase.
            Nor if somebody else bought it (`inAppOwnershipType` is not PURCHASED), or a family's sharing ended \
            (FAMILY_REVOKE).
            Nor if only some of its items were refunded, or the seller changed them (`advancedCommerceInfo`).
            Nor if a token shows that another chain of transactions took its place within a day \
            (`previousOriginalTransactionId`), unless REFUND_FULL has the reason 0 or 1.
            Nor if Apple documents no such type or reason.
            Nor if a newer token shows the purchase whole: the refund was reversed.
            A token shows an upgrade by `isUpgraded`, unless `revocationType` is REFUND_FULL or REFUND_PRORATED, or \
            a REFUND notification is about it.
            Where no token says more, an upgrade is guessed if another product of the same original transaction was \
            bought from a minute before to five minutes after the cancellation. Apple charges renewals up to a day \
            ahead: so it is also guessed if the other product was bought up to 24 hours before the cancellation and \
            before the cancelled period begins, lasts longer than that period, and was not itself taken back.
            An upgrade is never guessed for REFUND_FULL, REFUND_PRORATED or after a REFUND notification, nor if a \
            token's `revocationReason` is 0 or 1.
            If only the day of a claim is known (00:00:00.000 UTC), the claim comes after refunds of earlier days. A \
            claim without a date comes after all refunds, and the date of the proof decides what had expired.
            A purchase of the product covers the claim if it was bought later than all refunded ones, and had not \
            expired when the claim was presented.
            An addition to a period (`additionalTransactionReason`) leaves the rest of the period when it is \
            refunded, so its refund is for information only.
            `events` counts the refunded purchases of the requested product or, if there are none, all refunded \
            purchases.
            """,
        why: """
            Apple has refunded all or part of the price, as the proof or a later token shows. The purchase is no \
            longer paid for.
            """,
        whenWrong: """
            A refund is not fraud in itself. In receipts, the end of family sharing and a revoked licence have such a \
            date as well; tokens distinguish them. Some apps request every product at launch. A claim presented before \
            the refund was legitimate at the time, so it is for information only. Only a later token shows that \
            another chain took a purchase's place: give it as evidence (`--evidence` takes notifications). Confidence \
            is likely, and possible for the severity medium where the claim has no date.
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
            "gold is asked for after its refund", .medium,
            claim(presented: "2026-02-10T10:00:01Z", refunded: "2026-02-10T10:00:00Z")),
        .raised(
            "gold is asked for just when it is refunded", .info,
            claim(presented: "2026-02-10T10:00:00Z", refunded: "2026-02-10T10:00:00Z")),
        .raised(
            "gold was refunded in the course of the day on which it is asked for", .info,
            claim(presented: "2026-02-10", refunded: "2026-02-10T10:00:00Z")),
        .raised(
            "gold was refunded the day before it is asked for", .medium,
            claim(presented: "2026-02-11", refunded: "2026-02-10T10:00:00Z")),
        .raised(
            "the later period that covered the claim was refunded after it", .info,
            claim(presented: "2026-03-15", laterRefunded: "2026-03-20")),
        .raised(
            "the later period was refunded before the claim, too", .medium,
            claim(presented: "2026-03-25", laterRefunded: "2026-03-20")),
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
        .clear(
            "silver was cancelled a minute after the upgrade to gold",
            upgrade(cancelled: "2026-02-20", bought: "2026-02-19T23:59:00Z")),
        .raised(
            "silver was cancelled more than a minute after gold was bought", .medium,
            upgrade(cancelled: "2026-02-20", bought: "2026-02-19T23:58:59Z")),
        .clear(
            "a renewal was cancelled hours after the upgrade that was bought before it began", renewal()),
        .clear(
            "a renewal was cancelled 24 hours after the upgrade",
            renewal(bought: "2026-02-19T01:00:00Z", begins: "2026-02-20")),
        .raised(
            "a renewal was cancelled more than 24 hours after another product was bought", .medium,
            renewal(bought: "2026-02-19T00:59:59Z", begins: "2026-02-20")),
        .raised(
            "another product was bought when the cancelled period had begun", .medium,
            renewal(bought: "2026-02-19T18:00:00Z", begins: "2026-02-19T18:00:00Z")),
        .raised(
            "the other product ends with the cancelled period", .medium, renewal(ends: "2026-03-20")),
        .raised(
            "the other product was refunded, too", .medium, renewal(refunded: "2026-02-21")),
        .clear(
            "the other product was upgraded in turn",
            renewal(
                refunded: "2026-02-22",
                ExamplePurchase(
                    "platinum", "460000000000004", of: "460000000000001", bought: "2026-02-22", expires: "2027-02-22"))
        ),
        .raised(
            "the other product is of another original transaction", .medium, renewal(of: "460000000000009")),
        .raised(
            "gold was bought more than five minutes after silver was cancelled", .medium,
            upgrade(cancelled: "2026-02-20", bought: "2026-02-20T00:05:01Z")),
        .clear(
            "a token says that silver was upgraded",
            ExampleClaim(token: token(refundType: nil, refundReason: 0, isUpgraded: true))),
        .raised(
            "a token says that silver was upgraded, and refunded in full", .info,
            ExampleClaim(token: token(refundType: "REFUND_FULL", isUpgraded: true))),
        .clear(
            "the refund of a shared purchase is its buyer's, and the token says that it was upgraded",
            ExampleClaim(token: token(refundType: "REFUND_FULL", isUpgraded: true, ownership: "FAMILY_SHARED"))),
        .clear(
            "a child's purchase, whose buyer was refunded",
            ExampleClaim(product: "silver", token: token(refundType: "REFUND_FULL", ownership: "FAMILY_SHARED"))),
        .clear(
            "an administrator took a seat back, which Apple says in a type that nobody knows",
            ExampleClaim(product: "silver", token: token(refundType: "SEAT_TAKEN", ownership: "ASSIGNED"))),
        .clear(
            "nobody knows who bought it",
            ExampleClaim(product: "silver", token: token(refundType: "REFUND_FULL", ownership: "LOANED"))),
        .raised(
            "a token that another device presents shows that the receipt's gold was refunded", .medium,
            ExampleClaim(
                product: "gold", presented: "2026-02-25",
                receipt: ExampleReceipt(1, created: "2026-02-05", ExamplePurchase())),
            other(ExamplePurchase(refunded: "2026-02-20"))),
        .clear(
            "a token of another claim shows that the refund was reversed",
            ExampleClaim(
                product: "gold",
                receipt: ExampleReceipt(1, created: "2026-02-20", ExamplePurchase(refunded: "2026-02-20"))),
            other(ExamplePurchase())),
        .clear(
            "a token of another claim says that a family's sharing ended",
            ExampleClaim(
                product: "gold",
                receipt: ExampleReceipt(1, created: "2026-02-20", ExamplePurchase(refunded: "2026-02-20"))),
            other(ExamplePurchase(sharingEnded: "2026-02-20"))),
        .clear(
            "a token of another claim shows that a bundle took the place of silver",
            ExampleClaim(product: "silver", token: token(refundType: nil)),
            other(
                ExamplePurchase(
                    "all", "460000000000005", bought: "2026-02-20", expires: "2026-03-20",
                    previousOriginal: "460000000000001"))),
        .raised(
            "gold was bought again after the refund that another claim's token shows, and is asked for", .info,
            ExampleClaim(
                product: "gold",
                receipt: ExampleReceipt(
                    1, ExamplePurchase("gold", "460000000000002", of: "460000000000001", bought: "2026-03-01"))),
            other(ExamplePurchase(refunded: "2026-02-20"))),
        .raised(
            "a token of the first purchase of gold, and one of the second, which was refunded", .info,
            ExampleClaim(product: "gold", token: ExampleToken(1, signed: "2026-02-05", ExamplePurchase())),
            other(ExamplePurchase("gold", "460000000000002", of: "460000000000001", refunded: "2026-02-20"))),
        .clear(
            "nobody knows the type", ExampleClaim(product: "silver", token: token(refundType: "TAKEN", refundReason: 0))
        ),
        .clear(
            "nobody knows the reason", ExampleClaim(product: "silver", token: token(refundType: nil, refundReason: 2))),
        .clear("gold was not refunded", ExampleClaim(receipt: ExampleReceipt(1, ExamplePurchase()))),
        .clear(
            "the receipt is forged, so that its dates prove nothing",
            ExampleClaim(
                failed: [.signatureInvalid], receipt: ExampleReceipt(1, ExamplePurchase(refunded: "2026-02-20")))),
    ]

    /// Returns a claim with two periods of gold, the first of them refunded.
    private static func claim(presented: String, laterRefunded: String? = nil) -> ExampleClaim {
        ExampleClaim(
            product: "gold", presented: presented,
            receipt: ExampleReceipt(
                1, ExamplePurchase(expires: "2026-03-01", refunded: "2026-02-20"),
                ExamplePurchase(
                    "gold", "460000000000002", of: "460000000000001", bought: "2026-03-01", expires: "2026-04-01",
                    refunded: laterRefunded)))
    }

    private static func claim(presented: String, refunded: String) -> ExampleClaim {
        ExampleClaim(
            product: "gold", presented: presented, receipt: ExampleReceipt(1, ExamplePurchase(refunded: refunded)))
    }

    /// Returns a claim with a period of silver and one of gold.
    private static func upgrade(cancelled: String, bought: String) -> ExampleClaim {
        ExampleClaim(
            product: "silver", presented: "2026-02-25",
            receipt: ExampleReceipt(
                1, ExamplePurchase("silver", expires: "2026-03-01", refunded: cancelled),
                ExamplePurchase(
                    "gold", "460000000000002", of: "460000000000001", bought: bought, expires: "2026-03-20")))
    }

    /// Returns another claim, with a token that was signed later.
    private static func other(_ purchase: ExamplePurchase) -> ExampleClaim {
        ExampleClaim(device: "B", token: ExampleToken(2, signed: "2026-02-21", purchase))
    }

    /// Returns a claim with a renewal of silver that was cancelled on 2026-02-20 at 1:00, and the purchase of gold.
    private static func renewal(
        of original: ExactText = "460000000000001", bought: String = "2026-02-19T17:30:00Z",
        begins: String = "2026-02-19T21:00:00Z", ends: String = "2027-02-19", refunded: String? = nil,
        _ others: ExamplePurchase...
    ) -> ExampleClaim {
        ExampleClaim(
            product: "silver", presented: "2026-02-25",
            receipt: ExampleReceipt(
                1, created: "2026-02-25",
                purchases: [
                    ExamplePurchase(
                        "silver", "460000000000002", of: "460000000000001", bought: begins, expires: "2026-03-20",
                        refunded: "2026-02-20T01:00:00Z"),
                    ExamplePurchase(
                        "gold", "460000000000003", of: original, bought: bought, expires: ends, refunded: refunded),
                ] + others))
    }

    private static func token(
        refundType: ExactText?, refundReason: Int? = nil, isUpgraded: Bool = false,
        ownership: ExactText = "PURCHASED"
    ) -> ExampleToken {
        ExampleToken(
            1,
            ExamplePurchase(
                "silver", expires: "2026-03-01", refunded: "2026-02-20", ownership: ownership,
                refundType: refundType, refundReason: refundReason, isUpgraded: isUpgraded))
    }

    /// The transactions of several original ones are added up.
    static let countsStake = true

    private var facts = TokenFacts()

    init(_ policy: Policy) {}

    func mayRaise(_ observation: borrowing Observation) -> Bool {
        observation.purchases.hasAny { $0.cancellationDate != nil }
    }

    mutating func add(_ observation: Observation) { facts.add(observation) }
    mutating func add(successor observation: Observation) { facts.add(observation) }

    mutating func hit() -> Hit? {
        facts.settle()
        return nil
    }

    func hit(about claim: Observation) -> Hit? {
        let upgrades = UpgradeIndex(claim.purchases)
        let refunds = facts.proven(in: claim, upgrades).filter { upgrades.revocation(of: $0.purchase) == .refund }
        guard !refunds.isEmpty else { return nil }
        let evidence = refunds.listedOfAll { $0.refundText }
        let asked = refunds.map(\.purchase).filter { $0.productID.boundedID == claim.askedProduct }
        var hit = Hit(evidence)
        hit.isOfAsked = !asked.isEmpty
        hit.atStake = hit.isOfAsked ? asked : refunds.map(\.purchase)
        // A claim dated only by day counts as presented at the start of that day: a refund during the day may be later.
        // A refund of an addition may leave the rest of the period, which another token shows.
        let known = asked.filter { $0.details?.additionalReason == nil }.filter { refund in
            claim.presentedAt.map { refund.cancellationDate ?? $0 < $0 } ?? true
        }
        guard let last = known.map(\.purchaseDate).max(), claim.coveredFrom.map({ $0 <= last }) ?? true else {
            return hit
        }
        let date = claim.presentedAt.map { " on \($0)" } ?? ""
        hit.evidence = "“\(claim.askedProduct)” was requested\(date): \(evidence)"
        hit.severity = .medium
        hit.confidence = claim.presentedAt == nil ? .possible : nil
        return hit
    }

    /// Returns when the last purchase was bought of the product that a claim asks for, of those that had not expired
    /// when it was presented. It covers the claim if it is later than all refunded ones: a refunded one is not later
    /// than itself.
    static func coveredFrom(_ purchases: [Purchase], of claim: Observation) -> Instant? {
        purchases.lazy.filter {
            $0.productID.boundedID == claim.askedProduct
                && $0.expiresDate.map { $0 > claim.presentedAt ?? claim.createdAt ?? $0 } ?? true
        }.map(\.purchaseDate).max()
    }
}

extension ProvenPurchase {
    /// `“gold” (transaction 46…, bought on …, refunded on …, as evidence … shows)`, or `as claim … shows`.
    fileprivate var refundText: String {
        var text = "bought on \(purchase.purchaseDate)"
        if let date = purchase.refundDate {
            let isProrated = purchase.details?.revocationType == "REFUND_PRORATED"
            text += ", refunded\(isProrated ? " in part" : "") on \(date)"
        }
        if let witness { text += ", as \(witness) shows" }
        return purchase.named(text)
    }
}
