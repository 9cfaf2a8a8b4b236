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

    func findings() throws -> [Finding] {
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
            try rules.evaluate(
                ArrayGroup(key, observations), onFinding: { findings.append($0) }, onMark: { _, _, _ in })
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
}
