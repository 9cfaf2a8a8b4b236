public import Encodings

/// How often one rule was right according to the reviews in a ledger: a row of the table `rule_quality`.
///
/// The last review of a finding counts, even if it no longer holds.
public struct RuleQuality: Sendable, Equatable {
    public let rule: ExactText
    /// The number of the rule's findings in the ledger.
    public var findings: Int
    /// The number of them that were last reviewed as fraud, as ok, and as something to watch.
    public private(set) var fraud = 0
    public private(set) var ok = 0
    public private(set) var watch = 0

    public init(_ rule: ExactText, findings: Int) { (self.rule, self.findings) = (rule, findings) }

    /// The quality as counted before.
    package init(_ rule: ExactText, findings: Int, fraud: Int, ok: Int, watch: Int) {
        self.init(rule, findings: findings)
        self.fraud = fraud
        self.ok = ok
        self.watch = watch
    }

    public var reviewed: Int { fraud + ok + watch }

    /// The number of decided findings: `watch` is not a decision.
    public var decided: Int { fraud + ok }

    /// Adds the last review of one finding.
    public mutating func add(_ disposition: Disposition) {
        switch disposition {
        case .fraud: fraud += 1
        case .ok: ok += 1
        case .watch: watch += 1
        }
    }

    /// The share of the decided findings that were confirmed as fraud; `nil` if none was decided.
    public var confirmed: DecimalNumber? { DecimalNumber(fraud, of: decided) }

    /// The 95 % confidence interval of the share: Wilson's score interval, to a tenth of a percent (E. B. Wilson, JASA
    /// 22, 1927); `nil` if none was decided.
    public var bounds: (low: DecimalNumber, high: DecimalNumber)? {
        guard decided > 0 else { return nil }
        let (count, z) = (Double(decided), 1.959_963_984_540_054)
        let share = Double(fraud) / count
        let scale = 1 + z * z / count
        let center = (share + z * z / (2 * count)) / scale
        let reach = z * (share * (1 - share) / count + z * z / (4 * count * count)).squareRoot() / scale
        return (Self.share(center - reach), Self.share(center + reach))
    }

    private static func share(_ number: Double) -> DecimalNumber {
        DecimalNumber(millionths: Int128((min(1, max(0, number)) * 1000).rounded()) * 1000)
    }
}
