import Encodings

/// What `Benchmarks/fairness` has measured of each rule: how many of simulated honest users it accuses in three
/// years, and how many of the planted frauds it finds (docs/honest-world.md has the parameters).
///
/// The figures are those of a run over seed 1; they change when a rule does, and are then measured again.
enum MeasuredRules {
    struct Figures {
        /// Honest persons with a claim that is linked to a critical or high finding of the rule.
        let accused: Int
        let planted: Int
        let found: Int
    }

    static let persons = 100_000

    /// By the rule's id.
    static let figures: [ExactText: Figures] = [
        "altered-container": Figures(accused: 0, planted: 73, found: 73),
        "cracker-receipt": Figures(accused: 0, planted: 73, found: 73),
        "crowded-device": Figures(accused: 0, planted: 73, found: 73),
        "device-mismatch": Figures(accused: 0, planted: 511, found: 511),
        "expired-receipt": Figures(accused: 0, planted: 73, found: 73),
        "expired-subscription": Figures(accused: 0, planted: 73, found: 73),
        "foreign-app": Figures(accused: 0, planted: 73, found: 73),
        "forged-signature": Figures(accused: 0, planted: 73, found: 73),
        "fraud-ring": Figures(accused: 0, planted: 73, found: 73),
        "hidden-refund": Figures(accused: 0, planted: 73, found: 73),
        "impossible-dates": Figures(accused: 0, planted: 73, found: 73),
        "lent-app": Figures(accused: 0, planted: 72, found: 72),
        "missing-purchase": Figures(accused: 0, planted: 73, found: 73),
        "obsolete-signature": Figures(accused: 0, planted: 73, found: 73),
        "purchase-burst": Figures(accused: 0, planted: 73, found: 73),
        "refunded-purchase": Figures(accused: 0, planted: 304, found: 304),
        "repeat-refunds": Figures(accused: 0, planted: 73, found: 73),
        "replayed-consumable": Figures(accused: 0, planted: 109, found: 109),
        "shared-account": Figures(accused: 0, planted: 293, found: 293),
        "shared-receipt": Figures(accused: 1, planted: 147, found: 147),
        "shared-transaction": Figures(accused: 0, planted: 73, found: 73),
        "snapshot-rollback": Figures(accused: 0, planted: 110, found: 110),
        "test-receipt": Figures(accused: 0, planted: 73, found: 73),
        "transaction-conflict": Figures(accused: 0, planted: 109, found: 109),
        "trial-abuse": Figures(accused: 0, planted: 98, found: 98),
        "unattributed-replay": Figures(accused: 0, planted: 73, found: 73),
        "unknown-product": Figures(accused: 0, planted: 73, found: 73),
        "untrusted-signer": Figures(accused: 0, planted: 109, found: 109),
    ]

    /// A sentence for the page of rules; `nil` for a rule that was not measured.
    static func text(of rule: ExactText) -> String? {
        guard let figures = figures[rule] else { return nil }
        let people =
            "accuses \(grouped(figures.accused)) of \(grouped(persons)) simulated honest users in three years "
            + "(findings of high or critical severity)"
        guard figures.planted > 0 else { return people }
        return people + ", and finds \(grouped(figures.found)) of \(grouped(figures.planted)) planted frauds"
    }
}
