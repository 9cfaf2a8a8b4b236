import Checks
import Encodings
import Receipts

/// A finding whose claims are still being collected.
struct OpenFinding: Sendable {
    /// The finding with the claims collected so far.
    private(set) var finding: Finding
    private let number: Int
    private let key: GroupKey
    private let set: RuleSet
    private let rule: any GroupRule
    private let isShared: Bool
    private let stakeKind: StakeKind
    /// Whether the finding is about the purchases under the key.
    private let showsProducts: Bool
    private var stake = OpenStake()
    /// The roles by the rule's part of the group, or under an empty name if the rule has no parts.
    private let roles: [ExactText: PresenterRoles]
    /// The presenters whose own claims decide their marks.
    private let owners: Set<Presenter>
    /// The rule over the claims of each owner: over all of them, and over those that match.
    private var own: [Presenter: OwnClaims] = [:]
    private var ownMatching: [Presenter: OwnClaims] = [:]
    /// The rule over the claims of the first presenter and of a follower, by part and follower.
    private var pairs: [ExactText: [Presenter: any GroupRule]] = [:]
    /// The presenters to whom the first presenter may have handed the proof over: one in each part at most.
    private var heirs: Set<Presenter> = []
    /// The rule over all that nobody presents: evidence, and proofs of the chain that replaced the key's. These count in
    /// addition to anybody's claims. Set before the first claim is added.
    var begun: any GroupRule

    /// - Parameters:
    ///   - hit: what the rule found in the whole group.
    ///   - state: the rule with its state at that time.
    init(_ hit: Hit, _ state: RuleState, _ key: GroupKey, _ set: RuleSet) {
        let rule = state.rule
        self.rule = rule
        self.set = set
        number = state.number
        self.key = key
        begun = state.fresh
        isShared = state.isShared
        stakeKind = type(of: rule).stake(under: key.kind)
        showsProducts = key.kind != .receipt
        let hit = state.asOne?.milder(hit) { set.severity(of: state.number, $0) } ?? hit
        let severity = set.severity(of: state.number, hit)
        var roles = isShared ? state.presentations.settled() : [:]
        // Only a severe mark can be lowered.
        if rule.isHandOver == nil || severity <= .medium { for part in roles.keys { roles[part]?.followers = [] } }
        self.roles = roles
        owners = roles.values.reduce(into: []) { $0.formUnion($1.owners) }
        pairs = roles.filter { !$0.value.followers.isEmpty }.mapValues { roles in
            Dictionary(roles.followers.map { ($0.presenter, state.fresh) }) { first, _ in first }
        }
        let subject = hit.originalTransactionID.map { "transaction:\($0)" } ?? key.subject
        let confidence = hit.confidence ?? RuleBook.rules[state.number].documentation.confidence
        let hasMatch = roles.contains { part, roles in roles.hasMatch && rule.isAbout(part: part) }
        finding = Finding(
            severity: severity, rule: state.number, subject: subject, involved: Participants(), evidence: hit.evidence,
            confidence: isShared && !hasMatch ? min(confidence, .possible) : confidence, events: hit.events)
        if set.isJoining(finding) { finding.involved.links = RingLinks(subject: subject) }
    }

    /// Whether any presenter's own claims decide, so that ``begun`` matters.
    var comparesOwners: Bool { !owners.isEmpty }

    /// Adds a claim of the group. It counts for its presenter even if the finding is not about it.
    mutating func take(_ observation: Observation) {
        if stakeKind != .none { stake.addPrices(in: observation) }
        guard !observation.isEvidence, !observation.succeeds(key) else {
            // Nobody presents it, but a refund that it shows may be at stake.
            guard type(of: rule).usesEvidence, !observation.succeeds(key), rule.involves(observation) else { return }
            return addStake(of: observation)
        }
        if isShared, let presenter = Presenter(observation) { addOwn(observation, of: presenter) }
        guard let role = role(of: observation) else { return }
        let withAsked = key.kind != .originalTransaction
        finding.involved.add(observation, withAsked: withAsked, withProducts: showsProducts)
        finding.involved.links?.add(observation, as: role)
        addStake(of: observation)
    }

    private mutating func addOwn(_ observation: Observation, of presenter: Presenter) {
        if owners.contains(presenter) {
            own[presenter, default: OwnClaims(rule: begun)].rule.add(observation)
            if observation.isMatching { ownMatching[presenter, default: OwnClaims(rule: begun)].rule.add(observation) }
        }
        guard !pairs.isEmpty else { return }
        for (part, roles) in roles where presenter == roles.first {
            for follower in roles.followers { pairs[part]?[follower.presenter]?.add(observation) }
        }
        for part in roles.keys { pairs[part]?[presenter]?.add(observation) }
    }

    private mutating func addStake(of observation: Observation) {
        guard stakeKind != .none else { return }
        var purchases = rule.atStake(in: observation)
        // A transaction is one purchase, even if proofs disagree on its original.
        if key.kind == .transaction { for index in purchases.indices { purchases[index].originalTransactionID = nil } }
        stake.add(purchases, of: observation)
    }

    /// Returns a claim's role; `nil` if the finding is not about the claim.
    func role(of observation: Observation) -> MarkRole? {
        guard !observation.isEvidence, !observation.succeeds(key), rule.involves(observation) else { return nil }
        guard isShared else { return .other }
        return (roles[rule.part(of: observation)] ?? .unknown).role(of: observation)
    }

    /// Evaluates presenters' own claims by themselves, after all claims were added.
    mutating func settle() {
        heirs = Set(roles.compactMap { heir(in: $1, $0) })
        // Some of the claims are never worse than all of them.
        let severity = { [whole = finding.severity, set, number] in min(whole, set.severity(of: number, $0)) }
        own = own.mapValues { $0.settled(severity) }
        ownMatching = ownMatching.mapValues { $0.settled(severity) }
    }

    /// Returns the earliest of the followers whose claims and the first presenter's are a hand-over; `nil` if the first
    /// dates of two of them tie.
    private func heir(in roles: PresenterRoles, _ part: ExactText) -> Presenter? {
        let heirs = roles.followers.filter { pairs[part]?[$0.presenter]?.isHandOver ?? false }
        guard let heir = heirs.first, heirs.dropFirst().allSatisfy({ heir.date.latest < $0.date }) else { return nil }
        return heir.presenter
    }

    /// Returns the severity of a claim's mark. If its presenter's claims decide, it is known after ``settle()``.
    ///
    /// - Parameter role: the claim's role.
    func severity(of observation: Observation, as role: MarkRole) -> Severity {
        switch role {
        case .other: finding.severity
        case .mild, .forerunner: min(.medium, finding.severity)
        case .own: severity(of: observation, in: own)
        case .ownMild: min(.medium, severity(of: observation, in: own))
        case .ownMatching: severity(of: observation, in: ownMatching)
        case .bystander: .info
        case .follower: isHeir(observation) ? min(.medium, finding.severity) : finding.severity
        }
    }

    private func isHeir(_ observation: Observation) -> Bool { Presenter(observation).map(heirs.contains) ?? false }

    private func severity(of observation: Observation, in claims: [Presenter: OwnClaims]) -> Severity {
        Presenter(observation).flatMap { claims[$0] }?.severity(of: observation) ?? .info
    }

    /// Returns the finding, after all its claims were added.
    func closed() -> Finding {
        var finding = finding
        finding.stake = stake.closed(stakeKind)
        for heir in heirs { finding.involved.links?.clear(heir) }
        if RuleBook.countsStake(number) { finding.events = max(1, finding.stake.count) }
        return finding
    }
}

/// A rule over some claims of one presenter.
private struct OwnClaims: Sendable {
    var rule: any GroupRule
    /// The rule's severity for these claims; `nil` if it finds nothing in them.
    private var severity: Severity?

    init(rule: any GroupRule) { self.rule = rule }

    /// Returns the same after all claims were added.
    ///
    /// - Parameter severity: returns the severity of a hit.
    func settled(_ severity: (Hit) -> Severity) -> OwnClaims {
        var settled = self
        settled.severity = settled.rule.hit().map(severity)
        return settled
    }

    /// Returns the rule's severity for one claim.
    func severity(of observation: Observation) -> Severity {
        guard let severity, rule.involves(observation) else { return .info }
        return severity
    }
}
