import Checks
import Encodings
import Inputs
import Rules
import Testing

struct `A rule's examples` {
    @Test(arguments: RuleBook.rules.indices)
    func `are what the rule says`(number: Int) throws {
        let rule = RuleBook.rules[number]
        #expect(rule.examples.contains { $0.severity != nil })
        #expect(rule.examples.contains { $0.severity == nil })
        for example in rule.examples {
            let findings = try Self.findings(example).filter { $0.rule == number }
            #expect(findings.map(\.severity).max() == example.severity, "\(rule.documentation.id): \(example.title)")
        }
    }

    @Test(arguments: RuleBook.rules.indices)
    func `name and mark whom they say`(number: Int) throws {
        for example in RuleBook.rules[number].examples where !example.marks.isEmpty {
            let (findings, marks) = try Self.evaluated(example)
            #expect(marks[number] == example.marks, "\(example.title)")
            guard let subject = example.subject else { continue }
            #expect(Set(findings.filter { $0.rule == number }.map(\.subject)) == [subject], "\(example.title)")
        }
    }

    @Test(arguments: RuleBook.rules.indices)
    func `give the same in any order`(number: Int) throws {
        for example in RuleBook.rules[number].examples {
            let forward = try Self.findings(example)
            let backward = try Self.findings(example, inReverse: true)
            let describe = { (finding: Finding) in "\(finding.severity) \(finding.subject) \(finding.evidence)" }
            #expect(forward.map(describe).sorted() == backward.map(describe).sorted(), "\(example.title)")
        }
    }

    @Test(arguments: RuleBook.rules.indices)
    func `are about subjects that the rule says it has, and show each kind of them`(number: Int) throws {
        let rule = RuleBook.rules[number]
        let found = try rule.examples.flatMap { try Self.findings($0) }.filter { $0.rule == number }
        let kinds = Set(found.map { String($0.subject.text.prefix { $0 != ":" }) })
        #expect(kinds == Set(rule.subjects.map(\.rawValue)), "\(rule.documentation.id)")
    }

    static func findings(_ example: RuleExample, inReverse: Bool = false) throws -> [Finding] {
        try evaluated(example, inReverse: inReverse).findings
    }

    /// What is found, and by rule how each claim is marked.
    private static func evaluated(
        _ example: RuleExample, inReverse: Bool = false
    ) throws -> (findings: [Finding], marks: [Int: [Severity?]]) {
        let rules = RuleSet(example.policy)
        var findings: [Finding] = []
        var marks: [Int: [Severity?]] = [:]
        func mark(_ severity: Severity, _ rule: Int, _ claim: Int) {
            marks[rule, default: Array(repeating: nil, count: example.claims.count)][claim] = max(
                severity, marks[rule]?[claim] ?? severity)
        }
        var joined: [[ClaimNumber: Severity]] = []
        let search = RingSearch(rules)
        var groups: [GroupKey: [Observation]] = [:]
        for (index, claim) in example.claims.enumerated() {
            let facts = claim.facts(at: index)
            rules.evaluate(facts) {
                findings.append($0)
                mark($0.severity, $0.rule, index)
            }
            let observations = ClaimObservations(facts, claim: ClaimNumber(rawValue: UInt64(index)))
            observations.forEach { kind, octets, purchases in
                let key = GroupKey(kind, octets: octets.indices.map { octets[$0] })
                var observation = rules.presented(observations)
                observation.purchases = purchases
                groups[key, default: []].append(observation)
            }
        }
        for (key, observations) in groups {
            let group = ArrayGroup(key, inReverse ? observations.reversed() : observations)
            try rules.evaluate(
                group,
                onFinding: {
                    findings.append($0)
                    if search.isJoining($0) { joined.append([:]) }
                },
                onMark: { finding, claim, severity in
                    mark(severity, finding.rule, Int(claim.claim.rawValue))
                    if search.isJoining(finding) { joined[joined.count - 1][claim.claim] = severity }
                })
        }
        var rings = search
        for finding in findings where rings.isJoining(finding) { rings.join(finding) }
        for ring in rings.rings() {
            findings.append(ring.finding)
            for (claim, severity) in ring.members.flatMap({ joined[$0] }) {
                mark(min(FraudRing.severity(of: severity), ring.worstMark), ring.finding.rule, Int(claim.rawValue))
            }
        }
        return (findings, marks)
    }
}
