import Encodings

/// Measurements of each rule by `Benchmarks/fairness`: how many of simulated honest users it accuses in three years,
/// and how many of the planted frauds it finds (docs/honest-world.md has the parameters).
///
/// The figures are from a run with seed 1. They must be measured again when a rule changes.
enum MeasuredRules {
    struct Figures {
        /// The number of honest people with a claim linked to a critical or high finding of the rule.
        let accused: Int
        let planted: Int
        let found: Int
    }

    static let persons = 100_000

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

    /// Returns a sentence for the page of rules; `nil` for a rule that was not measured.
    static func text(of rule: ExactText) -> String? {
        guard let figures = figures[rule] else { return nil }
        let people =
            "accuses \(grouped(figures.accused)) of \(grouped(persons)) simulated honest users in three years "
            + "(findings of high or critical severity)"
        guard figures.planted > 0 else { return people }
        return people + ", and finds \(grouped(figures.found)) of \(grouped(figures.planted)) planted frauds"
    }
}
