import Encodings

/// The measurements of `Benchmarks/fairness` for each rule: how many simulated honest people it accuses in three
/// years, and how many planted frauds it finds (docs/honest-world.md).
///
/// The figures are from a run with seed 1. They must be measured again when a rule changes.
enum MeasuredRules {
    struct Figures {
        /// Honest people with a claim that is linked to a critical or high finding of the rule.
        let accused: Int
        let planted: Int
        let found: Int
    }

    static let people = 11_395

    /// The figures by the rule's id.
    static let figures: [ExactText: Figures] = [
        "account-token-mismatch": Figures(accused: 0, planted: 145, found: 145),
        "altered-container": Figures(accused: 0, planted: 59, found: 59),
        "cracker-receipt": Figures(accused: 0, planted: 59, found: 59),
        "crowded-device": Figures(accused: 0, planted: 63, found: 63),
        "device-mismatch": Figures(accused: 0, planted: 673, found: 673),
        "expired-receipt": Figures(accused: 0, planted: 59, found: 59),
        "expired-subscription": Figures(accused: 0, planted: 59, found: 59),
        "family-overreach": Figures(accused: 0, planted: 58, found: 58),
        "foreign-app": Figures(accused: 0, planted: 59, found: 59),
        "forged-signature": Figures(accused: 0, planted: 59, found: 59),
        "fraud-ring": Figures(accused: 0, planted: 58, found: 58),
        "hidden-refund": Figures(accused: 0, planted: 58, found: 58),
        "impossible-dates": Figures(accused: 0, planted: 59, found: 59),
        "lent-app": Figures(accused: 0, planted: 58, found: 58),
        "missing-purchase": Figures(accused: 0, planted: 59, found: 59),
        "obsolete-signature": Figures(accused: 0, planted: 59, found: 59),
        "purchase-burst": Figures(accused: 0, planted: 59, found: 59),
        "refunded-purchase": Figures(accused: 0, planted: 248, found: 248),
        "repeat-refunds": Figures(accused: 0, planted: 58, found: 58),
        "replayed-consumable": Figures(accused: 1, planted: 73, found: 73),
        "shared-account": Figures(accused: 0, planted: 358, found: 358),
        "shared-person": Figures(accused: 0, planted: 58, found: 58),
        "shared-receipt": Figures(accused: 0, planted: 145, found: 145),
        "shared-transaction": Figures(accused: 0, planted: 59, found: 59),
        "snapshot-rollback": Figures(accused: 0, planted: 101, found: 101),
        "storefront-hop": Figures(accused: 0, planted: 58, found: 58),
        "test-receipt": Figures(accused: 0, planted: 59, found: 59),
        "token-replay": Figures(accused: 0, planted: 58, found: 58),
        "transaction-conflict": Figures(accused: 0, planted: 73, found: 73),
        "trial-abuse": Figures(accused: 0, planted: 78, found: 78),
        "unattributed-replay": Figures(accused: 0, planted: 58, found: 58),
        "unknown-product": Figures(accused: 0, planted: 59, found: 59),
        "untrusted-signer": Figures(accused: 0, planted: 88, found: 88),
    ]
}
