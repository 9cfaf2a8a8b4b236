import Encodings

/// The measurements of `Benchmarks/fairness` for each rule: how many simulated honest people it accuses in three
/// years, and how many planted frauds it finds (docs/honest-world.md has the parameters).
///
/// The figures are from a run with seed 1. They must be measured again when a rule changes.
enum MeasuredRules {
    struct Figures {
        /// Honest people with a claim that is linked to a critical or high finding of the rule.
        let accused: Int
        let planted: Int
        let found: Int
    }

    static let people = 100_000

    /// The figures by the rule's id.
    static let figures: [ExactText: Figures] = [
        "account-token-mismatch": Figures(accused: 0, planted: 146, found: 146),
        "altered-container": Figures(accused: 0, planted: 60, found: 60),
        "cracker-receipt": Figures(accused: 0, planted: 60, found: 60),
        "crowded-device": Figures(accused: 0, planted: 60, found: 60),
        "device-mismatch": Figures(accused: 0, planted: 559, found: 559),
        "expired-receipt": Figures(accused: 0, planted: 60, found: 60),
        "expired-subscription": Figures(accused: 0, planted: 60, found: 60),
        "family-overreach": Figures(accused: 0, planted: 59, found: 59),
        "foreign-app": Figures(accused: 0, planted: 60, found: 60),
        "forged-signature": Figures(accused: 0, planted: 60, found: 60),
        "fraud-ring": Figures(accused: 0, planted: 60, found: 60),
        "hidden-refund": Figures(accused: 0, planted: 60, found: 60),
        "impossible-dates": Figures(accused: 0, planted: 60, found: 60),
        "lent-app": Figures(accused: 0, planted: 59, found: 59),
        "missing-purchase": Figures(accused: 0, planted: 60, found: 60),
        "obsolete-signature": Figures(accused: 0, planted: 60, found: 60),
        "purchase-burst": Figures(accused: 0, planted: 60, found: 60),
        "refunded-purchase": Figures(accused: 0, planted: 250, found: 250),
        "repeat-refunds": Figures(accused: 0, planted: 60, found: 60),
        "replayed-consumable": Figures(accused: 0, planted: 90, found: 90),
        "shared-account": Figures(accused: 0, planted: 318, found: 318),
        "shared-person": Figures(accused: 0, planted: 59, found: 59),
        "shared-receipt": Figures(accused: 1, planted: 120, found: 120),
        "shared-transaction": Figures(accused: 0, planted: 60, found: 60),
        "snapshot-rollback": Figures(accused: 0, planted: 90, found: 90),
        "storefront-hop": Figures(accused: 0, planted: 59, found: 59),
        "test-receipt": Figures(accused: 0, planted: 60, found: 60),
        "token-replay": Figures(accused: 0, planted: 59, found: 59),
        "transaction-conflict": Figures(accused: 0, planted: 90, found: 90),
        "trial-abuse": Figures(accused: 0, planted: 80, found: 80),
        "unattributed-replay": Figures(accused: 0, planted: 60, found: 60),
        "unknown-product": Figures(accused: 0, planted: 60, found: 60),
        "untrusted-signer": Figures(accused: 0, planted: 90, found: 90),
    ]
}
