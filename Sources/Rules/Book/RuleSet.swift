public import Checks
public import Encodings
import Inputs

/// The rules that are on, with the limits and severities of a policy.
public struct RuleSet: Sendable {
    public let policy: Policy
    private let claimRules: [ClaimRuleInUse]
    /// By the number of the key's kind.
    let groupRules: [[(number: Int, prototype: any GroupRule, fewest: Int)]]
    /// By the rule's place in ``RuleBook/rules``.
    private let severities: [Severity?]
    /// The rule that joins findings; `nil` if it is off.
    public let ring: FraudRing?

    /// The allowances that hold, by subject, each with its place in the policy.
    private let allowances: [ExactText: [(place: Int, rules: Set<ExactText>)]]

    /// - Parameter asOf: the instant of the audit, at which some allowances may have ended.
    public init(_ policy: Policy, asOf: Instant = Instant(milliseconds: .min)) {
        self.policy = policy
        var allowances: [ExactText: [(place: Int, rules: Set<ExactText>)]] = [:]
        for (place, allowance) in policy.allowances.enumerated() where allowance.holds(at: asOf) {
            allowances[allowance.subject, default: []].append((place, allowance.rules))
        }
        self.allowances = allowances
        let isOn: (any Rule.Type) -> Bool = { policy.rules[$0.documentation.id]?.isOff != true }
        claimRules = RuleBook.claimRules.enumerated().filter { isOn($0.element) }.map {
            ClaimRuleInUse(number: $0.offset, rule: $0.element.init(policy))
        }
        groupRules = KeyKind.allCases.map { key in
            RuleBook.groupRules.enumerated().filter { $0.element.keys.contains(key) && isOn($0.element) }.map {
                place, type in
                var prototype: any GroupRule = type.init(policy)
                prototype.begin(key)
                return (RuleBook.claimRules.count + place, prototype, type.minObservations)
            }
        }
        ring = isOn(FraudRing.self) ? FraudRing(policy) : nil
        severities = RuleBook.rules.map { policy.rules[$0.documentation.id]?.severity }
    }

    /// How bad a hit is: as the policy says, else as the rule says for this case, else as it says in general.
    public func severity(of rule: Int, _ hit: Hit) -> Severity {
        severities[rule] ?? hit.severity ?? RuleBook.severities[rule]
    }

    /// Whether the policy allows what a finding is about.
    public func isAllowed(_ finding: Finding) -> Bool {
        !allowances.isEmpty && !self.allowances(of: finding).isEmpty
    }

    /// The places in the policy of the allowances that hide a finding.
    package func allowances(of finding: Finding) -> [Int] {
        (allowances[finding.subject] ?? []).filter { $0.rules.isEmpty || $0.rules.contains(finding.ruleID) }.map(
            \.place)
    }

    /// How many observations a group of this kind must have for any rule to find anything.
    public func minObservations(_ kind: KeyKind) -> Int? {
        groupRules[Int(kind.rawValue)].map(\.fewest).min()
    }

    /// Whether no rule that groups by this kind of key is changed by a observation without purchases.
    public func looksAtPurchasesOnly(_ kind: KeyKind) -> Bool {
        groupRules[Int(kind.rawValue)].allSatisfy { type(of: $0.prototype).looksAtPurchasesOnly && $0.fewest == 1 }
    }

    /// How many purchases of one claim may be enough for a rule, where one claim may be enough; `nil` if it never is.
    public func minSignificantPurchases(_ kind: KeyKind) -> Int? {
        groupRules[Int(kind.rawValue)].filter { $0.fewest <= 1 }.map { $0.prototype.minSignificantPurchases }.min()
    }

    /// The keys that any rule groups by.
    public var keyKinds: KeyKinds { KeyKinds(KeyKind.allCases.filter { minObservations($0) != nil }) }

    /// What the rules say of a claim by itself.
    public func judge(_ facts: Facts, onFinding: (Finding) -> Void) {
        for rule in claimRules {
            guard let hit = rule.rule.hit(in: facts) else { continue }
            var involved = Involved()
            var observation = Observation(claim: 0, source: facts.claim.source)
            observation.device = facts.device
            observation.accountID = facts.claim.accountID.boundedID
            involved.take(observation)
            onFinding(
                Finding(
                    severity: severity(of: rule.number, hit), rule: rule.number,
                    subject: "source:\(facts.claim.source)", involved: involved, evidence: hit.evidence))
        }
    }
}

/// A rule and its place in ``RuleBook/rules``.
///
/// No tuple: those are copied by way of their metadata, for each claim.
private struct ClaimRuleInUse: Sendable {
    let number: Int
    let rule: any ClaimRule
}
