public import Checks
public import Encodings
import Inputs
import Receipts

/// The enabled rules, with the limits and severities of a policy.
public struct RuleSet: Sendable {
    public let policy: Policy
    /// The currency of all prices in the policy; `nil` if there is none, or more than one.
    let currency: ExactText?
    private let claimRules: [NumberedClaimRule]
    /// The audit's reference time.
    package let asOf: Instant
    /// The rules by the raw value of the key's kind.
    private let groupRules: [[RuleState]]
    /// The policy's severities by the rule's number.
    private let severities: [Severity?]
    /// The rule that joins findings; `nil` if it is off.
    let ring: FraudRing?
    private let bursts: BurstLimits
    /// The allowances that apply, by subject, each with its index in the policy.
    private let allowances: [ExactText: [(index: Int, rules: Set<ExactText>)]]

    /// - Parameter asOf: the audit's reference time; allowances that ended before it do not apply, and evidence that was
    ///   signed later is not known. Without it none ended, and all is known.
    public init(_ policy: Policy, asOf end: Instant? = nil) {
        self.policy = policy
        let asOf = end ?? Instant(milliseconds: .min)
        self.asOf = asOf
        let currencies = policy.apps.values.flatMap { app in
            (app.products ?? [:]).values.compactMap { $0.price?.currency }
        }
        currency = currencies.first.flatMap { first in currencies.allSatisfy { $0 == first } ? first : nil }
        var allowances: [ExactText: [(index: Int, rules: Set<ExactText>)]] = [:]
        for (index, allowance) in policy.allowances.enumerated() where allowance.holds(at: asOf) {
            allowances[allowance.subject, default: []].append((index, allowance.rules))
        }
        self.allowances = allowances
        let isOn: (any Rule.Type) -> Bool = { policy.rules[$0.documentation.id]?.isOff != true }
        claimRules = RuleBook.claimRules.enumerated().filter {
            isOn($0.element) && !($0.element is any InformedClaimRule.Type)
        }.map {
            NumberedClaimRule(number: $0.offset, rule: $0.element.init(policy))
        }
        groupRules = KeyKind.allCases.map { key in
            RuleBook.numberedGroupRules.filter { $0.rule.keys.contains(key) && isOn($0.rule) }.map {
                RuleState(number: $0.number, $0.rule, policy, key, asOf: end ?? Instant(milliseconds: .max))
            }
        }
        bursts = PurchaseBurst.limits(policy)
        ring = isOn(FraudRing.self) ? FraudRing(policy) : nil
        severities = RuleBook.rules.map { policy.rules[$0.documentation.id]?.severity }
    }

    /// Returns a finding's severity: the policy's, or the one that the rule gave with the hit, or the rule's usual one.
    func severity(of rule: Int, _ hit: Hit) -> Severity {
        severities[rule] ?? hit.severity ?? RuleBook.severities[rule]
    }

    /// Returns whether a finding may be part of a ring: it is severe, and its rule joins claims of several presenters.
    package func isJoining(_ finding: Finding) -> Bool {
        ring != nil && finding.severity >= .high && FraudRing.joiningNumbers.contains(finding.rule)
    }

    /// The ids of the rules whose findings may be part of a ring; empty if rings are off.
    package var joiningRules: [ExactText] {
        ring == nil ? [] : FraudRing.joiningNumbers.sorted().map { RuleBook.ids[$0] }
    }

    /// Returns whether the policy allows the subject of a finding.
    public func isAllowed(_ finding: Finding, id: FindingID) -> Bool {
        isAllowed(rule: finding.rule, finding.subject, id: id)
    }

    /// Returns whether the policy allows a rule's findings about a subject. The rule is given by its index.
    package func isAllowed(rule: Int, _ subject: ExactText, id: FindingID) -> Bool {
        !allowances.isEmpty && !allowances(rule: rule, subject, id: id).isEmpty
    }

    /// Returns the indices in the policy of the allowances that hide a finding.
    package func allowances(of finding: Finding, id: FindingID) -> [Int] {
        allowances(rule: finding.rule, finding.subject, id: id)
    }

    private func allowances(rule: Int, _ subject: ExactText, id: FindingID) -> [Int] {
        let named = allowances["finding:\(id.description)"] ?? []
        return ((allowances[subject] ?? []) + named)
            .filter { $0.rules.isEmpty || $0.rules.contains(RuleBook.ids[rule]) }.map(\.index)
    }

    /// Returns the rules that group by a kind of key, in their initial state.
    func groupRules(_ kind: KeyKind) -> [RuleState] { groupRules[Int(kind.rawValue)] }

    /// Returns the minimum number of observations for any rule to find something in a group; `nil` if no rule groups by
    /// this kind of key.
    public func minObservations(_ kind: KeyKind) -> Int? { groupRules(kind).map(\.minObservations).min() }

    /// Returns whether observations without purchases never change the result of any rule that groups by this kind of
    /// key.
    public func looksAtPurchasesOnly(_ kind: KeyKind) -> Bool {
        groupRules(kind).allSatisfy { type(of: $0.rule).looksAtPurchasesOnly && $0.minObservations == 1 }
    }

    /// Returns the minimum number of significant purchases with which a single claim can be enough for a rule; `nil` if
    /// it never is.
    public func minSignificantPurchases(_ kind: KeyKind) -> Int? {
        groupRules(kind).filter { $0.minObservations <= 1 }.map { $0.rule.minSignificantPurchases }.min()
    }

    /// Returns how many claims with a key of this kind must differ for any rule to find something.
    public func minTraits(_ kind: KeyKind) -> ClaimTrait.Minimum {
        groupRules(kind).map { $0.rule.minTraits(under: kind) }.reduce(ClaimTrait.Minimum(), ClaimTrait.Minimum.either)
    }

    /// The kinds of keys that any rule groups by.
    public var keyKinds: KeyKinds { KeyKinds(KeyKind.allCases.filter { minObservations($0) != nil }) }

    /// Checks a claim by itself, and calls a body with each finding.
    public func evaluate(_ facts: Facts, onFinding: (Finding) -> Void) {
        // Iterating a span does not copy the rules.
        let rules = claimRules.span
        for index in rules.indices {
            guard let hit = rules[index].rule.hit(in: facts) else { continue }
            let rule = rules[index]
            var observation = Observation(facts, claim: 0)
            observation.purchases = facts.provenPurchases ?? []
            var found = finding(hit, rule.number, of: observation)
            // If Apple did not sign it, the finding is about the app that the claim names.
            if !observation.isGenuine { found.involved.app.add(facts.claim.bundleID.boundedID) }
            if rule.number == RuleBook.alteredContainer {
                found.wave = ClaimWave.ofAlteredContainer(facts)?.number ?? 0
            }
            onFinding(found)
        }
    }

    /// Returns what a claim shows under every key, with the facts that group rules need about all its purchases.
    public func presented(_ observations: ClaimObservations) -> Observation {
        var presented = observations.presented
        presented.isBurst = !presented.accountID.isEmpty && isBurst(observations)
        return presented
    }

    /// Returns whether a claim's proof alone shows a burst of purchases.
    package func isBurst(_ observations: ClaimObservations) -> Bool { bursts.burst(in: observations.purchases) != nil }

    /// Returns the part of a claim's finding that says in which wave it is; `nil` if the rule is off.
    package func part(of wave: ClaimWave, about observation: Observation) -> Finding? {
        guard claimRules.contains(where: { $0.number == wave.rule }) else { return nil }
        var part = Finding(
            severity: .info, rule: wave.rule, subject: "claim:\(observation.caseID.description)",
            involved: Participants(), evidence: "", confidence: .doubtful)
        part.wave = wave.number
        return part
    }

    /// Returns a finding about a claim.
    func finding(_ hit: Hit, _ rule: Int, of observation: Observation) -> Finding {
        var involved = Participants()
        involved.add(observation)
        let subject: ExactText = "claim:\(observation.caseID.description)"
        var finding = Finding(
            severity: severity(of: rule, hit), rule: rule, subject: subject, involved: involved,
            evidence: hit.evidence, confidence: hit.confidence ?? RuleBook.rules[rule].documentation.confidence,
            events: hit.events)
        for purchase in hit.atStake ?? observation.latestAsked.map({ [$0] }) ?? [] {
            finding.stake.add(purchase, of: observation)
        }
        finding.isOfAsked = hit.isOfAsked
        if RuleBook.countsStake(rule) { finding.events = max(1, finding.stake.count) }
        return finding
    }
}

/// A rule and its number in ``RuleBook/rules``. Not a tuple, because a tuple is copied through its metadata, for each
/// claim.
private struct NumberedClaimRule: Sendable {
    let number: Int
    let rule: any ClaimRule
}

extension Observation {
    /// The latest purchase of the product that the claim asks for.
    fileprivate var latestAsked: Purchase? {
        guard !askedProduct.isEmpty else { return nil }
        return purchases.lazy.filter { $0.productID.boundedID == askedProduct }
            .max { ($0.purchaseDate, $1.transactionID) < ($1.purchaseDate, $0.transactionID) }
    }
}
