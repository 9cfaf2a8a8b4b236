public import Checks
public import Encodings
import Inputs

/// The rules that are on, with the limits and severities of a policy.
public struct RuleSet: Sendable {
    public let policy: Policy
    private let claimRules: [NumberedClaimRule]
    /// By the raw value of the key's kind.
    private let groupRules: [[NumberedGroupRule]]
    /// By the rule's number.
    private let severities: [Severity?]
    /// The rule that joins findings; `nil` if it is off.
    let ring: FraudRing?
    /// The allowances that apply, by subject, each with its index in the policy.
    private let allowances: [ExactText: [(index: Int, rules: Set<ExactText>)]]

    /// - Parameter asOf: the audit's reference time; allowances that ended before it do not apply.
    public init(_ policy: Policy, asOf: Instant = Instant(milliseconds: .min)) {
        self.policy = policy
        var allowances: [ExactText: [(index: Int, rules: Set<ExactText>)]] = [:]
        for (index, allowance) in policy.allowances.enumerated() where allowance.holds(at: asOf) {
            allowances[allowance.subject, default: []].append((index, allowance.rules))
        }
        self.allowances = allowances
        let isOn: (any Rule.Type) -> Bool = { policy.rules[$0.documentation.id]?.isOff != true }
        claimRules = RuleBook.claimRules.enumerated().filter { isOn($0.element) }.map {
            NumberedClaimRule(number: $0.offset, rule: $0.element.init(policy))
        }
        groupRules = KeyKind.allCases.map { key in
            RuleBook.groupRules.enumerated().filter { $0.element.keys.contains(key) && isOn($0.element) }.map {
                NumberedGroupRule(number: RuleBook.claimRules.count + $0.offset, $0.element, policy, key)
            }
        }
        ring = isOn(FraudRing.self) ? FraudRing(policy) : nil
        severities = RuleBook.rules.map { policy.rules[$0.documentation.id]?.severity }
    }

    /// Returns a finding's severity: the policy's, else the one that the rule gave with the hit, else the rule's usual
    /// one.
    func severity(of rule: Int, _ hit: Hit) -> Severity {
        severities[rule] ?? hit.severity ?? RuleBook.severities[rule]
    }

    /// Returns whether the policy allows the subject of a finding.
    public func isAllowed(_ finding: Finding) -> Bool {
        !allowances.isEmpty && !self.allowances(of: finding).isEmpty
    }

    /// Returns the indices in the policy of the allowances that hide a finding.
    package func allowances(of finding: Finding) -> [Int] {
        (allowances[finding.subject] ?? []).filter { $0.rules.isEmpty || $0.rules.contains(finding.ruleID) }
            .map(\.index)
    }

    /// The rules that group by a kind of key, each as it is before the first observation.
    func groupRules(_ kind: KeyKind) -> [NumberedGroupRule] { groupRules[Int(kind.rawValue)] }

    /// Returns the number of observations from which on any rule can find something in a group; `nil` if no rule groups
    /// by this kind of key.
    public func minObservations(_ kind: KeyKind) -> Int? { groupRules(kind).map(\.minObservations).min() }

    /// Returns whether observations without purchases never change the result of any rule that groups by this kind of
    /// key.
    public func looksAtPurchasesOnly(_ kind: KeyKind) -> Bool {
        groupRules(kind).allSatisfy { type(of: $0.rule).looksAtPurchasesOnly && $0.minObservations == 1 }
    }

    /// Returns the number of significant purchases from which on a single claim can be enough for a rule; `nil` if it
    /// never is.
    public func minSignificantPurchases(_ kind: KeyKind) -> Int? {
        groupRules(kind).filter { $0.minObservations <= 1 }.map { $0.rule.minSignificantPurchases }.min()
    }

    /// The kinds of keys that any rule groups by.
    public var keyKinds: KeyKinds { KeyKinds(KeyKind.allCases.filter { minObservations($0) != nil }) }

    /// Checks a claim by itself, and calls a body with each finding.
    public func evaluate(_ facts: Facts, onFinding: (Finding) -> Void) {
        for rule in claimRules {
            guard let hit = rule.rule.hit(in: facts) else { continue }
            var involved = Involved()
            var observation = Observation(claim: 0, source: facts.claim.source)
            observation.device = facts.device
            observation.accountID = facts.claim.accountID.boundedID
            involved.add(observation)
            onFinding(
                Finding(
                    severity: severity(of: rule.number, hit), rule: rule.number,
                    subject: "source:\(facts.claim.source)", involved: involved, evidence: hit.evidence))
        }
    }
}

/// A rule and its number in ``RuleBook/rules``. It is no tuple: a tuple would be copied by its metadata, for each
/// claim.
private struct NumberedClaimRule: Sendable {
    let number: Int
    let rule: any ClaimRule
}

/// A rule with its state over a group, and its number in ``RuleBook/rules``.
struct NumberedGroupRule: Sendable {
    let number: Int
    var rule: any GroupRule
    let minObservations: Int

    init(number: Int, _ type: any GroupRule.Type, _ policy: Policy, _ key: KeyKind) {
        self.number = number
        rule = type.init(policy)
        rule.begin(key)
        minObservations = type.minObservations
    }
}
