import Checks
import Encodings
import Receipts

/// A finding whose claims are still being collected.
public struct OpenFinding: Sendable {
    /// The finding with the claims collected so far.
    public private(set) var finding: Finding
    private let number: Int
    private let key: GroupKey
    private let set: RuleSet
    private let rule: any GroupRule
    /// The rule before the first claim.
    private let fresh: any GroupRule
    private let isShared: Bool
    private let stakeKind: StakeKind
    /// Whether the finding is about the purchases under the key.
    private let showsProducts: Bool
    private var stake = OpenStake()
    /// The roles by the rule's part of the group, or under an empty name if the rule has no parts.
    private let roles: [ExactText: PresenterRoles]
    /// The presenters whose own claims decide their marks, or may.
    private let owners: Set<Presenter>
    /// The rule over the claims of each owner.
    private var own: [Presenter: OwnClaims] = [:]
    /// The presenters to whom the first presenter may have handed the proof over: one in each part at most.
    private var heirs: Set<Presenter> = []
    /// The rule over evidence, and over proofs of the chain that replaced the key's, if there is any. These count in
    /// addition to anybody's claims.
    private var evidence: (any GroupRule)?

    /// - Parameters:
    ///   - hit: what the rule found in the whole group.
    ///   - state: the rule with its state at that time.
    init(_ hit: Hit, _ state: RuleState, _ key: GroupKey, _ set: RuleSet) {
        let rule = state.rule
        (self.rule, fresh, self.set, number) = (rule, state.fresh, set, state.number)
        self.key = key
        isShared = state.isShared
        stakeKind = type(of: rule).stake(under: key.kind)
        showsProducts = key.kind != .receipt
        let hit = state.asOne?.milder(hit) { set.severity(of: state.number, $0) } ?? hit
        let severity = set.severity(of: state.number, hit)
        var roles = isShared ? state.presentations.settled() : [:]
        // Only a severe mark can be lowered.
        if rule.isHandOver == nil || severity <= .medium { for part in roles.keys { roles[part]?.followers = [] } }
        self.roles = roles
        owners = roles.values.reduce(into: []) {
            $0.formUnion($1.owners)
            $0.formUnion($1.followers.map(\.presenter))
        }
        let subject = hit.originalTransactionID.map { "transaction:\($0)" } ?? key.subject
        let confidence = hit.confidence ?? RuleBook.rules[state.number].documentation.confidence
        let hasMatch = roles.contains { part, roles in roles.hasMatch && rule.isAbout(part: part) }
        finding = Finding(
            severity: severity, rule: state.number, subject: subject, involved: Participants(), evidence: hit.evidence,
            confidence: isShared && !hasMatch ? min(confidence, .possible) : confidence, events: hit.events)
        if set.isJoining(finding) { finding.involved.links = RingLinks(subject: subject) }
    }

    /// Adds a claim of the group. It counts for its presenter even if the finding is not about it.
    ///
    /// - Returns: the claim's role; `nil` if the finding is not about it.
    @discardableResult
    public mutating func take(_ observation: Observation) -> MarkRole? {
        let isSuccessor = observation.succeeds(key)
        if stakeKind != .none { stake.addPrices(in: observation) }
        guard !observation.isEvidence, !isSuccessor else {
            guard !observation.isEvidence || type(of: rule).usesEvidence else { return nil }
            // Nobody presents it, but a refund that it shows may be at stake.
            if !isSuccessor, rule.involves(observation) { addStake(of: observation) }
            if isShared, !owners.isEmpty {
                var others = evidence ?? fresh
                if isSuccessor { others.add(successor: observation) } else { others.add(observation) }
                evidence = others
            }
            return nil
        }
        if isShared, let presenter = Presenter(observation), owners.contains(presenter) {
            let none = OwnClaims(fresh)
            own[presenter, default: none].add(observation)
        }
        guard let role = role(of: observation) else { return nil }
        let withAsked = key.kind != .originalTransaction
        finding.involved.add(observation, withAsked: withAsked, withProducts: showsProducts)
        finding.involved.links?.add(observation, as: role)
        addStake(of: observation)
        return role
    }

    private mutating func addStake(of observation: Observation) {
        guard stakeKind != .none else { return }
        var purchases = rule.atStake(in: observation)
        // A transaction is one purchase, even if proofs disagree on its original.
        if key.kind == .transaction { for index in purchases.indices { purchases[index].originalTransactionID = nil } }
        stake.add(purchases, of: observation)
    }

    /// Returns a claim's role; `nil` if the finding is not about the claim.
    public func role(of observation: Observation) -> MarkRole? {
        guard !observation.isEvidence, !observation.succeeds(key), rule.involves(observation) else { return nil }
        guard isShared else { return .other }
        return (roles[rule.part(of: observation)] ?? .unknown).role(of: observation)
    }

    /// Returns the data collected for a part of the group.
    public func part() throws -> FindingPart {
        var part = FindingPart(involved: finding.involved, stake: stake)
        part.own = try own.sorted { $0.key < $1.key }.map { presenter, claims in
            FindingPart.OwnPart(presenter: presenter, texts: try claims.encoded())
        }
        if var evidence {
            var coder = StateCoder()
            try evidence.code(&coder)
            part.evidence = [coder.texts]
        }
        return part
    }

    /// Adds the data collected for another part of the group.
    ///
    /// - Throws: if the data is not a result of ``part()`` for the same rule.
    public mutating func add(_ part: FindingPart) throws {
        finding.involved.add(part.involved)
        stake.add(part.stake)
        let none = OwnClaims(fresh)
        for part in part.own { try own[part.presenter, default: none].add(part.texts) }
        for texts in part.evidence {
            var (others, coder) = (evidence ?? fresh, StateCoder(merging: texts))
            try others.code(&coder)
            evidence = others
        }
    }

    /// Evaluates presenters' own claims by themselves, after all claims were added.
    public mutating func settle() throws {
        guard !own.isEmpty else { return }
        heirs = Set(try roles.values.compactMap { try heir(in: $0) })
        var told = StateCoder()
        if var evidence { try evidence.code(&told) }
        let (whole, set, number) = (finding.severity, set, number)
        for presenter in Array(own.keys) {
            // Some of the claims are never worse than all of them.
            try own[presenter]?.settle(with: told.texts) { min(whole, set.severity(of: number, $0)) }
        }
    }

    /// Returns the earliest of the followers whose claims and the first presenter's are a hand-over; `nil` if the first
    /// dates of two of them tie.
    private func heir(in roles: PresenterRoles) throws -> Presenter? {
        guard let first = roles.first, let begin = own[first]?.all.rule else { return nil }
        let heirs = try roles.followers.filter { follower in
            guard var other = own[follower.presenter]?.all.rule else { return false }
            var (both, coder) = (begin, StateCoder())
            try other.code(&coder)
            var merging = StateCoder(merging: coder.texts)
            try both.code(&merging)
            return both.isHandOver ?? false
        }
        guard let heir = heirs.first, heirs.dropFirst().allSatisfy({ heir.date.latest < $0.date }) else { return nil }
        return heir.presenter
    }

    /// Returns the severity of a claim's mark. If its presenter's claims decide, it is known after ``settle()``.
    ///
    /// - Parameter role: the claim's role.
    public func severity(of observation: Observation, as role: MarkRole) -> Severity {
        switch role {
        case .other: finding.severity
        case .mild, .forerunner: min(.medium, finding.severity)
        case .own: ownSeverity(of: observation, \.all)
        case .ownMild: min(.medium, ownSeverity(of: observation, \.all))
        case .ownMatching: ownSeverity(of: observation, \.matching)
        case .bystander: .info
        case .follower: isHeir(observation) ? min(.medium, finding.severity) : finding.severity
        }
    }

    private func isHeir(_ observation: Observation) -> Bool { Presenter(observation).map(heirs.contains) ?? false }

    private func ownSeverity(
        of observation: Observation, _ claims: KeyPath<OwnClaims, OwnClaims.SomeClaims>
    ) -> Severity {
        guard let presenter = Presenter(observation), let own = own[presenter] else { return .info }
        return own[keyPath: claims].severity(of: observation)
    }

    /// Returns the finding, after all its claims were added.
    public func closed() -> Finding {
        var finding = finding
        finding.stake = stake.closed(stakeKind)
        for heir in heirs { finding.involved.links?.clear(heir) }
        if RuleBook.countsStake(number) { finding.events = max(1, finding.stake.count) }
        return finding
    }
}

/// A rule over the claims of one presenter: once over all of them, and once over those that match.
private struct OwnClaims: Sendable {
    private(set) var all: SomeClaims
    private(set) var matching: SomeClaims

    init(_ fresh: any GroupRule) {
        all = SomeClaims(rule: fresh)
        matching = all
    }

    mutating func add(_ observation: Observation) {
        all.rule.add(observation)
        if observation.isMatching { matching.rule.add(observation) }
    }

    func encoded() throws -> [ExactText] {
        var (own, coder) = (self, StateCoder())
        try own.code(&coder)
        return coder.texts
    }

    /// Adds a result of ``encoded()`` for another part of the group.
    mutating func add(_ texts: [ExactText]) throws {
        var coder = StateCoder(merging: texts)
        try code(&coder)
    }

    private mutating func code(_ coder: inout StateCoder) throws {
        try all.rule.code(&coder)
        try matching.rule.code(&coder)
    }

    /// Evaluates the rule.
    ///
    /// - Parameters:
    ///   - evidence: the rule's state over evidence; empty if there is none.
    ///   - severity: returns the severity of a hit.
    mutating func settle(with evidence: [ExactText], severity: (Hit) -> Severity) throws {
        try all.settle(with: evidence, severity)
        try matching.settle(with: evidence, severity)
    }

    struct SomeClaims: Sendable {
        var rule: any GroupRule
        /// The rule's severity for these claims; `nil` if it finds nothing in them.
        private var severity: Severity?

        init(rule: any GroupRule) { self.rule = rule }

        fileprivate mutating func settle(with evidence: [ExactText], _ severity: (Hit) -> Severity) throws {
            if !evidence.isEmpty {
                var coder = StateCoder(merging: evidence)
                try rule.code(&coder)
            }
            self.severity = rule.hit().map(severity)
        }

        /// Returns the rule's severity for one claim.
        func severity(of observation: Observation) -> Severity {
            guard let severity, rule.involves(observation) else { return .info }
            return severity
        }
    }
}

/// The data collected about a finding in some parts of a group: its claims, and the states over presenters' own claims.
public struct FindingPart: Codable, Sendable {
    package private(set) var involved: Participants
    fileprivate private(set) var stake: OpenStake
    fileprivate var own: [OwnPart] = []
    fileprivate var evidence: [[ExactText]] = []

    /// The state of a rule over the claims of one presenter, in one part of the group.
    fileprivate struct OwnPart: Codable, Sendable {
        let presenter: Presenter
        let texts: [ExactText]
    }

    fileprivate init(involved: Participants, stake: OpenStake) { (self.involved, self.stake) = (involved, stake) }

    /// Adds the data collected in other parts of the same group.
    package mutating func add(_ other: FindingPart) {
        involved.add(other.involved)
        stake.add(other.stake)
        own += other.own
        evidence += other.evidence
    }
}
