import Checks
import Encodings

/// A rule with its state over a group or a part of it, and its number in ``RuleBook/rules``.
///
/// It also holds what the rule finds if two spellings of an account are one and, if several people can have claims with
/// the group's key, who presents them, because marks depend on it.
struct RuleState: Sendable {
    let number: Int
    var rule: any GroupRule
    let minObservations: Int
    /// The rule in its initial state.
    let fresh: any GroupRule
    /// Whether the rule is about single claims.
    let isInformed: Bool
    /// Whether its findings are about several claims, and several people can have claims with the group's key.
    let isShared: Bool
    private(set) var presentations = Presentations()
    private(set) var asOne: AccountsAsOne?
    private let asOf: Instant

    /// - Parameter asOf: the audit's reference time. Evidence that was signed later does not count.
    init(number: Int, _ type: any GroupRule.Type, _ policy: Policy, _ key: KeyKind, asOf: Instant) {
        self.number = number
        self.asOf = asOf
        var rule = type.init(policy)
        rule.begin(key)
        self.rule = rule
        fresh = rule
        asOne = type.countsAccounts ? AccountsAsOne(rule) : nil
        isInformed = type is any InformedClaimRule.Type
        isShared = key.isShared && !isInformed
        minObservations = type.minObservations
    }

    /// Adds an observation to the rule's state: any claim, and evidence if the rule uses it.
    mutating func add(_ observation: Observation, under key: GroupKey) {
        guard !observation.isEvidence || type(of: rule).usesEvidence && observation.isKnown(at: asOf) else { return }
        if observation.succeeds(key) { rule.add(successor: observation) } else { rule.add(observation) }
    }

    /// Whether the rule may find something in a group of this size.
    func mayFind(inClaims claims: Int, evidence: Int) -> Bool {
        claims >= minObservations || claims > 0 && evidence > 0 && type(of: rule).usesEvidence
    }

    /// Records the presenter of a claim, and the spelling of its account. Evidence has no presenter.
    mutating func addPresenter(of observation: Observation, under key: GroupKey) {
        guard !observation.isEvidence || type(of: rule).usesEvidence else { return }
        let isSuccessor = observation.succeeds(key)
        asOne?.add(observation, isSuccessor: isSuccessor)
        guard isShared, !observation.isEvidence, !isSuccessor else { return }
        presentations.add(observation, in: rule.part(of: observation))
    }
}

extension Observation {
    /// Whether it was signed by some time.
    fileprivate func isKnown(at asOf: Instant) -> Bool { createdAt.map { $0 <= asOf } ?? true }
}
