import Checks
import Encodings

/// A rule with its state over a group or a part of it, and its number in ``RuleBook/rules``.
///
/// Where several people can have claims with the group's key, it holds besides what marks depend on: the rule's state
/// over matching claims alone, and who was the first to present.
struct RuleState: Sendable {
    let number: Int
    /// The rule over all claims.
    var rule: any GroupRule
    let minObservations: Int
    /// The rule before the first claim.
    let fresh: any GroupRule
    /// The rule over matching claims alone; `nil` if the group is one presenter's.
    private(set) var matching: (any GroupRule)?
    private(set) var roles = Roles()
    /// Whether each environment has a first presenter of its own.
    let separatesEnvironments: Bool

    init(number: Int, _ type: any GroupRule.Type, _ policy: Policy, _ key: KeyKind) {
        self.number = number
        var rule = type.init(policy)
        rule.begin(key)
        (self.rule, fresh) = (rule, rule)
        matching = key.isShared ? rule : nil
        minObservations = type.minObservations
        separatesEnvironments = type.separatesEnvironments
    }

    /// Whether the rule takes an observation in: any claim, and evidence if it asks for that.
    func counts(_ observation: Observation) -> Bool { !observation.isEvidence || type(of: rule).usesEvidence }

    /// Whether the rule may find something in so large a group.
    func mayFind(inClaims claims: Int, evidence: Int) -> Bool {
        claims >= minObservations || claims > 0 && evidence > 0 && type(of: rule).usesEvidence
    }

    /// Adds a claim to what marks depend on. Evidence is what Apple says, whoever presents the claims beside it.
    mutating func addRole(of observation: Observation) {
        guard matching != nil, counts(observation) else { return }
        guard !observation.isEvidence else {
            matching?.add(observation)
            return
        }
        roles.add(observation, in: separatesEnvironments ? observation.environmentClass : nil)
        if observation.isMatching { matching?.add(observation) }
    }

    /// Encodes all of the state, or merges that over another part of the group into it.
    mutating func code(_ coder: inout StateCoder) throws {
        try rule.code(&coder)
        guard var matching else { return }
        try matching.code(&coder)
        self.matching = matching
        try coder.code(&roles)
    }
}

/// A finding whose claims are still being collected.
public struct OpenFinding: Sendable {
    /// The finding with the claims collected so far.
    public private(set) var finding: Finding
    private let number: Int
    private let set: RuleSet
    private let rule: any GroupRule
    private let roles: Roles
    private let isShared: Bool
    private let separatesEnvironments: Bool
    private let stakeKind: StakeKind
    /// Whether the purchases under the key are what the finding is about.
    private let showsProducts: Bool
    private var stake = OpenStake()
    /// The rule over matching claims alone.
    private var matching: SomeClaims
    /// The rule over the claims of the first presenter, and over those of them that match.
    private var ofPresenter: SomeClaims
    private var ofPresenterMatching: SomeClaims

    /// The rule over some of the claims, and the severity that it gives them; `nil` if it finds nothing in them.
    private struct SomeClaims: Sendable {
        var rule: any GroupRule
        var severity: Severity?

        /// Evaluates the rule, after all of the claims were added: what some claims say is never worse than what all do.
        mutating func settle(_ number: Int, _ set: RuleSet, max whole: Severity) {
            severity = rule.hit().map { min(whole, set.severity(of: number, $0)) }
        }

        /// Returns what the rule says of one claim.
        func severity(of observation: Observation) -> Severity {
            guard let severity, rule.involves(observation) else { return .info }
            return severity
        }
    }

    /// - Parameter state: the rule with its state over the whole group.
    /// - Returns: `nil` if the rule finds nothing.
    init?(_ state: RuleState, _ key: GroupKey, _ set: RuleSet) {
        var rule = state.rule
        guard let hit = rule.hit() else { return nil }
        self.rule = rule
        self.set = set
        number = state.number
        roles = state.roles
        isShared = state.matching != nil
        separatesEnvironments = state.separatesEnvironments
        stakeKind = type(of: rule).stake(under: key.kind)
        showsProducts = key.kind != .receipt
        let severity = set.severity(of: state.number, hit)
        matching = SomeClaims(rule: state.matching ?? state.fresh)
        if isShared { matching.settle(state.number, set, max: severity) }
        ofPresenter = SomeClaims(rule: state.fresh)
        ofPresenterMatching = ofPresenter
        let subject = hit.originalTransactionID.map { "transaction:\($0)" } ?? key.subject
        let confidence = hit.confidence ?? RuleBook.rules[state.number].documentation.confidence
        let hasMatch = roles.hasMatch { $0.map { rule.isAbout($0) } ?? true }
        finding = Finding(
            severity: severity, rule: state.number, subject: subject, involved: Participants(), evidence: hit.evidence,
            confidence: isShared && !hasMatch ? min(confidence, .possible) : confidence, events: hit.events)
        if set.isJoining(finding) { finding.involved.links = RingLinks(subject: subject) }
    }

    /// Adds a claim of the group: it counts if the finding is about it, and for its presenter in any case.
    ///
    /// - Returns: what the claim's mark depends on; `nil` if the finding is not about it.
    @discardableResult
    public mutating func take(_ observation: Observation) -> MarkRole? {
        guard !observation.isEvidence else {
            guard type(of: rule).usesEvidence else { return nil }
            // Nobody presents it, but what it shows as refunded may be at stake.
            if rule.involves(observation) { addStake(of: observation) }
            guard isShared else { return nil }
            ofPresenter.rule.add(observation)
            ofPresenterMatching.rule.add(observation)
            return nil
        }
        if isShared, isOfFirstPresenter(observation) {
            ofPresenter.rule.add(observation)
            if observation.isMatching { ofPresenterMatching.rule.add(observation) }
        }
        guard let role = role(of: observation) else { return nil }
        finding.involved.add(observation, withProducts: showsProducts)
        addStake(of: observation)
        return role
    }

    private mutating func addStake(of observation: Observation) {
        guard stakeKind != .none else { return }
        let rule = rule
        stake.add(observation) { rule.isAtStake($0, in: observation) }
    }

    /// Whether a claim is one of the first presenter's; in its environment, if that makes a difference.
    private func isOfFirstPresenter(_ observation: Observation) -> Bool {
        guard let presenter = Presenter(observation) else { return false }
        return roles.first(in: environment(of: observation))?.presenter == presenter
    }

    private func environment(of observation: Observation) -> EnvironmentClass? {
        separatesEnvironments ? observation.environmentClass : nil
    }

    /// Returns what a claim's mark depends on; `nil` if the finding is not about it.
    public func role(of observation: Observation) -> MarkRole? {
        guard !observation.isEvidence, rule.involves(observation) else { return nil }
        guard isShared else { return .other }
        let isUnchecked = observation.deviceHash == .notChecked
        if isOfFirstPresenter(observation) {
            guard roles.first(in: environment(of: observation))?.hasMatch == true else { return .bystander }
            return observation.isMatching ? .presenterMatching : isUnchecked ? .presenterUnchecked : .presenter
        }
        return observation.isMatching ? .matching : isUnchecked ? .unchecked : .other
    }

    /// What was collected of a part of the group.
    public func part() throws -> FindingPart {
        var (presenter, presenterMatching, coder) = (ofPresenter.rule, ofPresenterMatching.rule, StateCoder())
        if isShared {
            try presenter.code(&coder)
            try presenterMatching.code(&coder)
        }
        return FindingPart(involved: finding.involved, stake: stake, presenter: [coder.texts])
    }

    /// Adds what was collected of another part of the group.
    ///
    /// - Throws: if that is not what ``part()`` returns for the same rule.
    public mutating func add(_ part: FindingPart) throws {
        finding.involved.add(part.involved)
        stake.add(part.stake)
        for texts in part.presenter where isShared {
            var coder = StateCoder(merging: texts)
            try ofPresenter.rule.code(&coder)
            try ofPresenterMatching.rule.code(&coder)
        }
    }

    /// Evaluates what the first presenter's claims say by themselves, after all claims were added.
    public mutating func settle() {
        guard isShared else { return }
        ofPresenter.settle(number, set, max: finding.severity)
        ofPresenterMatching.settle(number, set, max: finding.severity)
    }

    /// Returns the severity of a claim's mark: of the first presenter's claims after ``settle()``.
    ///
    /// - Parameter role: the claim's.
    public func severity(of observation: Observation, as role: MarkRole) -> Severity {
        switch role {
        case .other: finding.severity
        case .unchecked: min(.medium, finding.severity)
        case .matching: matching.severity(of: observation)
        case .presenter: ofPresenter.severity(of: observation)
        case .presenterUnchecked: min(.medium, ofPresenter.severity(of: observation))
        case .presenterMatching: ofPresenterMatching.severity(of: observation)
        case .bystander: .info
        }
    }

    /// Returns the finding, after all its claims were added.
    public func closed() -> Finding {
        var finding = finding
        finding.stake = stake.closed(stakeKind)
        return finding
    }
}

/// What was collected of a finding in some parts of a group: its claims, and the states over the first presenter's.
public struct FindingPart: Codable, Sendable {
    package private(set) var involved: Participants
    fileprivate private(set) var stake: OpenStake
    fileprivate private(set) var presenter: [[ExactText]]

    fileprivate init(involved: Participants, stake: OpenStake, presenter: [[ExactText]]) {
        self.involved = involved
        self.stake = stake
        self.presenter = presenter
    }

    /// Adds what was collected in other parts of the same group.
    package mutating func add(_ other: FindingPart) {
        involved.add(other.involved)
        stake.add(other.stake)
        presenter += other.presenter
    }
}
