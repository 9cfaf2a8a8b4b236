/// All rules, in the order of reports.
public enum RuleBook {
    public static let claimRules: [any ClaimRule.Type] = [
        ForgedSignature.self
    ]

    public static let groupRules: [any GroupRule.Type] = [
        SharedReceipt.self,
        SharedTransaction.self,
        SharedAccount.self,
        ReplayedConsumable.self,
        TransactionConflict.self,
        HiddenRefund.self,
        SnapshotRollback.self,
        RepeatRefunds.self,
        TrialAbuse.self,
        CrowdedDevice.self,
    ]

    public static let rules: [any Rule.Type] = claimRules + groupRules + [FraudRing.self]

    /// The severity of each rule.
    public static let severities = rules.map { $0.documentation.severity }

    /// The rule with this id.
    public static func rule(_ id: String) -> (any Rule.Type)? { rules.first { $0.documentation.id == id } }
}
