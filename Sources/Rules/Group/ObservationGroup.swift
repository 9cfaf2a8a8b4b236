/// The observations with one key. They can be iterated more than once, in any order.
public protocol ObservationGroup {
    var key: GroupKey { get }
    /// The number of observations.
    var count: Int { get }
    func forEach(_ body: (Observation) throws -> Void) throws
}

extension ObservationGroup {
    /// Returns whether any of the observations meets a condition.
    package func holdsAny(where condition: (Observation) -> Bool) throws -> Bool {
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
        onMark: (Finding, Observation, Severity) throws -> Void
    ) throws {
        var evidence = 0
        if group.key.kind == .originalTransaction { try group.forEach { if $0.isEvidence { evidence += 1 } } }
        let states = groupRules(group.key.kind)
        /// The rules about single claims, with what all tokens of the group say.
        var informed: [(number: Int, rule: any InformedClaimRule)] = []
        for index in states.indices {
            guard states[index].mayFind(inClaims: group.count - evidence, evidence: evidence) else { continue }
            let rule = states[index].rule
            guard try group.holdsAny(where: { rule.mayRaise($0) }) else { continue }
            var state = states[index]
            try group.forEach { state.add($0, under: group.key) }
            // Most groups have no finding, and then their presenters do not matter.
            guard let hit = state.rule.hit() else {
                if let rule = state.rule as? any InformedClaimRule { informed.append((state.number, rule)) }
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
                if let role = open.role(of: $0) { try onMark(finding, $0, open.severity(of: $0, as: role)) }
            }
        }
        guard !informed.isEmpty else { return }
        try group.forEach { claim in
            guard !claim.isEvidence, !claim.isOfEarlierRun, !claim.succeeds(group.key) else { return }
            for (number, rule) in informed {
                guard let hit = rule.hit(about: claim) else { continue }
                let finding = finding(hit, number, of: claim)
                try onFinding(finding)
                try onMark(finding, claim, finding.severity)
            }
        }
    }
}
