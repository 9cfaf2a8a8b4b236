import Checks
import Encodings

/// A rule with its state over a group or a part of it, and its number in ``RuleBook/rules``.
///
/// If several people can have claims with the group's key, it also holds who presents them, because marks depend on it.
struct RuleState: Sendable {
    let number: Int
    var rule: any GroupRule
    let minObservations: Int
    /// The rule in its initial state.
    let fresh: any GroupRule
    /// Whether several people can have claims with the group's key.
    let isShared: Bool
    private(set) var presentations = Presentations()

    init(number: Int, _ type: any GroupRule.Type, _ policy: Policy, _ key: KeyKind) {
        self.number = number
        var rule = type.init(policy)
        rule.begin(key)
        (self.rule, fresh) = (rule, rule)
        isShared = key.isShared
        minObservations = type.minObservations
    }

    /// Adds an observation to the rule's state: any claim, and evidence if the rule uses it.
    mutating func add(_ observation: Observation, under key: GroupKey) {
        guard !observation.isEvidence || type(of: rule).usesEvidence else { return }
        if observation.succeeds(key) { rule.add(successor: observation) } else { rule.add(observation) }
    }

    /// Whether the rule may find something in a group of this size.
    func mayFind(inClaims claims: Int, evidence: Int) -> Bool {
        claims >= minObservations || claims > 0 && evidence > 0 && type(of: rule).usesEvidence
    }

    /// Records who presents a claim. Evidence has no presenter.
    mutating func addPresenter(of observation: Observation, under key: GroupKey) {
        guard isShared, !observation.isEvidence, !observation.succeeds(key) else { return }
        presentations.add(observation, in: rule.part(of: observation))
    }

    /// Encodes the whole state, or merges the state over another part of the group into it.
    mutating func code(_ coder: inout StateCoder) throws {
        try rule.code(&coder)
        if isShared { try coder.code(&presentations) }
    }
}
