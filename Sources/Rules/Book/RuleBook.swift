public import Encodings

/// All rules, in the order of reports.
public enum RuleBook {
    public static let claimRules: [any ClaimRule.Type] = [
        ForgedSignature.self,
        UntrustedSigner.self,
        CrackerReceipt.self,
        ForeignApp.self,
        TestReceipt.self,
        AlteredContainer.self,
        DeviceMismatch.self,
        MissingPurchase.self,
        RefundedPurchase.self,
        ExpiredSubscription.self,
        UnknownProduct.self,
        ImpossibleDates.self,
        ObsoleteSignature.self,
        ExpiredReceipt.self,
        PurchaseBurst.self,
        AccountTokenMismatch.self,
    ]

    public static let groupRules: [any GroupRule.Type] = [
        SharedReceipt.self,
        SharedTransaction.self,
        SharedAccount.self,
        SharedPerson.self,
        ReplayedConsumable.self,
        UnattributedReplay.self,
        TokenReplay.self,
        TransactionConflict.self,
        HiddenRefund.self,
        SnapshotRollback.self,
        RepeatRefunds.self,
        TrialAbuse.self,
        CrowdedDevice.self,
        StorefrontHop.self,
        LentApp.self,
        FamilyOverreach.self,
    ]

    /// All rules; a rule's index here is its number in findings. The compiler resolves `map` with a cast; a cast of the
    /// whole array runs for each element.
    public static let rules: [any Rule.Type] =
        claimRules.map { $0 as any Rule.Type } + groupRules.map { $0 as any Rule.Type } + [FraudRing.self]

    /// Rules about groups of claims that report under the number of a rule about single claims.
    private static let companions: [(rule: any GroupRule.Type, of: any ClaimRule.Type)] = [
        (AccountBurst.self, PurchaseBurst.self)
    ]

    /// The rules about groups, each with its number in findings.
    static let numberedGroupRules: [(number: Int, rule: any GroupRule.Type)] =
        groupRules.enumerated().map { (claimRules.count + $0.offset, $0.element) }
        + companions.map { companion in (claimRules.firstIndex { $0 == companion.of } ?? 0, companion.rule) }
        + claimRules.enumerated().compactMap { number, rule in
            (rule as? any InformedClaimRule.Type).map { (number, $0) }
        }

    package static let alteredContainer = claimRules.firstIndex { $0 == AlteredContainer.self } ?? 0
    package static let deviceMismatch = claimRules.firstIndex { $0 == DeviceMismatch.self } ?? 0

    /// The number of ``FraudRing``, which comes last.
    package static let ringNumber = claimRules.count + groupRules.count

    /// The number of ``UntrustedSigner``.
    package static let untrustedSignerNumber = claimRules.firstIndex { $0 == UntrustedSigner.self } ?? ringNumber

    /// Whether a rule's findings are about claims by themselves.
    package static func isClaimRule(_ number: Int) -> Bool { number < claimRules.count }

    /// Whether the events of a rule's finding are summed over the groups in which it was found.
    package static func addsEvents(_ number: Int) -> Bool {
        let group = number - claimRules.count
        return groupRules.indices.contains(group) && groupRules[group].addsEvents
    }

    /// Whether the events of a rule's finding are the distinct transactions at stake.
    package static func countsStake(_ number: Int) -> Bool { stakeCounters.contains(number) }

    private static let stakeCounters = Set(numberedGroupRules.filter { $0.rule.countsStake }.map(\.number))

    /// The id of each rule, by number.
    public static let ids = rules.map { $0.documentation.id }

    /// The usual severity of each rule, by number.
    static let severities = rules.map { $0.documentation.severity }

    /// The documentation of each rule, by number.
    public static let documentation = rules.map { $0.documentation }

    /// Identifies the rule book in a few lines: each rule's id, standard severity, confidence and limits, by number.
    ///
    /// Results that are stored or handed on refer to rules by number and depend on these values, so they are valid only
    /// for a rule book with the same lines.
    public static var lines: [String] {
        documentation.map { rule in
            let limits = rule.limits.map { "\($0.name)=\($0.standard)" }
            return ([rule.id.text, rule.severity.code, rule.confidence.code] + limits).joined(separator: " ")
        }
    }

    /// Returns the rule with this id.
    public static func rule(_ id: ExactText) -> (any Rule.Type)? { rules.first { $0.documentation.id == id } }
}

extension RuleBook {
    private static let ofRefunds = (
        hidden: ids.firstIndex(of: HiddenRefund.documentation.id),
        asked: ids.firstIndex(of: RefundedPurchase.documentation.id)
    )

    /// Whether a finding is about a purchase that was used after its refund: a claim asks for it later, or hides the
    /// refund.
    package static func isAboutUsedRefund(_ finding: Finding) -> Bool {
        finding.rule == ofRefunds.hidden || finding.rule == ofRefunds.asked && finding.severity >= .medium
    }
}
