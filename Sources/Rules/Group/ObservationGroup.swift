/// The observations with one key. They can be iterated more than once, in any order.
public protocol ObservationGroup {
    var key: GroupKey { get }
    /// The number of observations.
    var count: Int { get }
    func forEach(_ body: (Observation) -> Void) throws
}

extension ObservationGroup {
    /// Whether any of the observations meets a condition.
    fileprivate func holdsAny(where condition: (Observation) -> Bool) throws -> Bool {
        var isAny = false
        try forEach { isAny = isAny || condition($0) }
        return isAny
    }
}

extension RuleSet {
    /// Checks a whole group.
    ///
    /// - Parameters:
    ///   - onFinding: receives each finding.
    ///   - onMark: receives each claim of the last finding, after the finding, with the severity of the claim's mark,
    ///     which depends on its presenter (``MarkRole``).
    public func evaluate(
        _ group: some ObservationGroup, onFinding: (Finding) throws -> Void,
        onMark: (Finding, Observation, Severity) -> Void
    ) throws {
        var evidence = 0
        if group.key.kind == .originalTransaction { try group.forEach { if $0.isEvidence { evidence += 1 } } }
        let states = groupRules(group.key.kind)
        var checks = ClaimChecks(self, group.key)
        for index in states.indices {
            guard states[index].mayFind(inClaims: group.count - evidence, evidence: evidence) else { continue }
            let rule = states[index].rule
            guard try group.holdsAny(where: { rule.mayRaise($0) }) else { continue }
            var state = states[index]
            try group.forEach { state.add($0, under: group.key) }
            // Most groups have no finding, and then their presenters do not matter.
            guard let hit = state.rule.hit() else {
                checks.add(state)
                continue
            }
            try group.forEach { state.addPresenter(of: $0, under: group.key) }
            var open = OpenFinding(hit, state, group.key, self)
            if open.comparesOwners {
                var begun = states[index]
                try group.forEach { if $0.isEvidence || $0.succeeds(group.key) { begun.add($0, under: group.key) } }
                open.begun = begun.rule
            }
            try group.forEach { open.take($0) }
            open.settle()
            let finding = open.closed()
            try onFinding(finding)
            try group.forEach {
                if let role = open.role(of: $0) { onMark(finding, $0, open.severity(of: $0, as: role)) }
            }
        }
        guard !checks.isEmpty else { return }
        var failure: (any Error)?
        try group.forEach { observation in
            guard failure == nil else { return }
            do {
                for finding in checks.findings(about: observation) {
                    try onFinding(finding)
                    onMark(finding, observation, finding.severity)
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}

/// The rules about single claims, with what all tokens of a group say.
struct ClaimChecks: Sendable {
    private let set: RuleSet
    private let key: GroupKey
    private var rules: [(number: Int, rule: any InformedClaimRule)] = []

    init(_ set: RuleSet, _ key: GroupKey) { (self.set, self.key) = (set, key) }

    var isEmpty: Bool { rules.isEmpty }

    /// Adds a rule, after it found nothing about the whole group.
    fileprivate mutating func add(_ state: RuleState) {
        if let rule = state.rule as? any InformedClaimRule { rules.append((state.number, rule)) }
    }

    /// Returns the findings about a claim of this run. Its marks have their severities.
    func findings(about claim: Observation) -> [Finding] {
        guard !claim.isEvidence, !claim.isOfEarlierRun, !claim.succeeds(key) else { return [] }
        return rules.compactMap { number, rule in
            rule.hit(about: claim).map { set.finding($0, number, of: claim) }
        }
    }
}
