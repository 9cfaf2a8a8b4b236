import Checks
import Encodings
import Receipts

@testable import Rules

/// What a run does with claims and evidence, without rings.
struct InMemoryRun {
    /// The checks' answer about each claim.
    var claims: [Facts]
    /// Their answer about each token of evidence.
    var told: [Facts]
    private let rules: RuleSet

    init(claims: [Facts], told: [Facts] = [], _ policy: Policy = Policy()) {
        (self.claims, self.told, rules) = (claims, told, RuleSet(policy))
    }

    /// - Parameter parts: the number of parts that each group is divided into; `nil` for whole groups.
    func findings(_ parts: Int? = nil) throws -> [Finding] {
        let evidence = told.map { ClaimObservations(evidence: $0, number: .firstEvidence(ofBlock: 0)) }
        var counting: [[ExactText]: EvidenceStatement] = [:]
        for statement in evidence.flatMap({ EvidenceStatement.statements(of: $0) }) {
            let key = [statement.environment, statement.item]
            if let other = counting[key], !statement.counts(before: other) { continue }
            counting[key] = statement
        }
        var findings: [Finding] = []
        var groups: [GroupKey: [Observation]] = [:]
        let group = { (shown: ClaimObservations) in
            shown.forEach { kind, octets, purchases in
                var observation = rules.presented(shown)
                observation.purchases = purchases
                groups[GroupKey(kind, octets: octets.indices.map { octets[$0] }), default: []].append(observation)
            }
        }
        for (index, facts) in claims.enumerated() {
            let own = ClaimObservations(facts, claim: ClaimNumber(rawValue: UInt64(index)))
            let amended = own.amended { item, environment, _ in counting[[environment, item]] }
            rules.evaluate(facts) { finding in
                findings.append(amended.flatMap { finding.priced(by: $0) } ?? finding)
            }
            group(amended ?? own)
        }
        evidence.forEach(group)
        for (key, observations) in groups {
            guard let parts else {
                try rules.evaluate(
                    ArrayGroup(key, observations), onFinding: { findings.append($0) }, onMark: { _, _, _ in })
                continue
            }
            findings += try Self.findings(rules, key, observations, inParts: parts)
        }
        return merged(findings)
    }

    /// A claim may be found under several original transactions.
    private func merged(_ findings: [Finding]) -> [Finding] {
        var merged: [Finding] = []
        for finding in findings {
            let same = merged.firstIndex {
                $0.rule == finding.rule && $0.subject == finding.subject && RuleBook.isClaimRule($0.rule)
            }
            if let same { merged[same].add(finding) } else { merged.append(finding) }
        }
        return merged
    }

    /// What is found in a group that several processes share.
    private static func findings(
        _ rules: RuleSet, _ key: GroupKey, _ observations: [Observation], inParts count: Int
    ) throws -> [Finding] {
        guard observations.contains(where: { !$0.isEvidence }) else { return [] }
        let parts = (0..<count).map { part in
            observations.indices.filter { $0 % count == part }.map { observations[$0] }
        }
        var whole = GroupSum(rules, key)
        for part in parts {
            var sum = GroupSum(rules, key)
            part.forEach { sum.take($0) }
            try whole.add(count: sum.count, evidence: sum.evidence, sum.parts())
        }
        let found = whole.findings(rules)
        var all = found
        for part in parts {
            for index in found.indices {
                var one = found[index]
                part.forEach { one.take($0) }
                try all[index].add(one.part())
            }
        }
        let checks = whole.claimChecks(rules)
        return all.map { $0.closed() } + observations.flatMap { checks.findings(about: $0) }
    }
}
