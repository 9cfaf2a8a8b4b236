import Corpus
import Encodings
import Testing

@testable import Rules

struct `A group rule` {
    @Test(arguments: KeyKind.allCases)
    func `finds the same in every order`(kind: KeyKind) throws {
        var random = RandomObservations(seed: 7 + UInt64(kind.rawValue))
        var raised: Set<ExactText> = []
        for round in 0..<Exhaustive.count(150, sampled: 110) {
            var observations = random.group(kind, count: 1 + random.next(below: 30), variety: 1 + round % 12)
            let expected = try report(of: observations, kind, &raised)
            for _ in 0..<Exhaustive.count(4, sampled: 2) {
                random.shuffle(&observations)
                let found = try report(of: observations, kind, &raised)
                #expect(found == expected, "round \(round)")
            }
        }
        // The groups are such that every rule has something to say of some.
        let rules = RuleSet(Policy()).groupRules(kind).map { RuleBook.ids[$0.number] }
        #expect(raised == Set(rules))
    }

    @Test(arguments: Exhaustive.cases(KeyKind.allCases, every: 3))
    func `finds the same in every order where it holds only a part`(kind: KeyKind) throws {
        var random = RandomObservations(seed: 11)
        var raised: Set<ExactText> = []
        var observations = random.group(kind, count: Exhaustive.count(12_000, sampled: 4500), variety: 100_000)
        let expected = try report(of: observations, kind, &raised)
        for _ in 0..<Exhaustive.count(2, sampled: 1) {
            random.shuffle(&observations)
            #expect(try report(of: observations, kind, &raised) == expected)
        }
    }

    @Test(arguments: KeyKind.allCases)
    func `says what fits into a cell`(kind: KeyKind) throws {
        var random = RandomObservations(seed: 13)
        for variety in Exhaustive.cases([3, 100, 100_000], every: 2) {
            let group = ArrayGroup(key(kind), random.group(kind, count: 2000, variety: variety))
            try RuleSet(Policy()).evaluate(
                group, onFinding: { #expect($0.evidence.utf8.count < 32_768) }, onMark: { _, _, _ in })
        }
    }
}

struct `A divided group` {
    @Test(arguments: KeyKind.allCases)
    func `is found to be what it is as a whole`(kind: KeyKind) throws {
        var random = RandomObservations(seed: 17 + UInt64(kind.rawValue))
        for round in 0..<Exhaustive.count(40, sampled: 8) {
            let observations = random.group(kind, count: 1 + random.next(below: 40), variety: 1 + round % 12)
            let parts = (0..<5).map { _ in 1 + random.next(below: 8) }
            #expect(try divided(observations, kind, parts) == report(of: observations, kind), "round \(round)")
        }
    }

    /// Of a sample the kinds that are neither put in another order nor in EngineTests' own.
    @Test(arguments: Exhaustive.isOn ? KeyKind.allCases : [.transaction, .account, .app])
    func `is so too where rules hold only a part of it`(kind: KeyKind) throws {
        var random = RandomObservations(seed: 19)
        let count = Exhaustive.count(10_000, sampled: 5000)
        let observations = random.group(kind, count: count, variety: 100_000)
        // Some parts are held whole, and some are not.
        #expect(try divided(observations, kind, [count - 1500, 900, 1]) == report(of: observations, kind))
    }

    @Test func `does not take in what other rules have summed up`() throws {
        let key = GroupKey(.account, octets: [0x61])
        let sum = GroupSum(RuleSet(Policy()), key)
        var other = GroupSum(RuleSet(Policy()), GroupKey(.device, octets: [0x61]))
        var parts = try sum.parts()
        #expect(throws: (any Error).self) { try other.add(count: 1, evidence: 0, parts) }
        var again = sum
        try again.add(count: 1, evidence: 0, parts)
        parts[0].texts = []
        #expect(throws: (any Error).self) { try again.add(count: 1, evidence: 0, parts) }
        parts[0].texts = ["[]", "[]", "[]"]
        #expect(throws: (any Error).self) { try again.add(count: 1, evidence: 0, parts) }
        parts[0].texts = ["nonsense"]
        #expect(throws: (any Error).self) { try again.add(count: 1, evidence: 0, parts) }
    }

    /// The report of a group that is divided into parts of these sizes and one with the rest.
    private func divided(_ observations: [Observation], _ kind: KeyKind, _ sizes: [Int]) throws -> [String] {
        let rules = RuleSet(Policy())
        var parts: [ArraySlice<Observation>] = []
        var rest = observations[...]
        for size in sizes {
            parts.append(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        parts.append(rest)
        let sums = parts.map { part in part.reduce(into: GroupSum(rules, key(kind))) { $0.take($1) } }
        var whole = GroupSum(rules, key(kind))
        for sum in sums.reversed() { try whole.add(count: sum.count, evidence: 0, sum.parts()) }
        var findings = whole.findings(rules)
        var roles: [(finding: Int, claim: Observation, role: MarkRole)] = []
        for part in parts {
            var open = whole.findings(rules)
            for observation in part {
                for index in open.indices {
                    if let role = open[index].take(observation) { roles.append((index, observation, role)) }
                }
            }
            for index in findings.indices { try findings[index].add(open[index].part()) }
        }
        for index in findings.indices { try findings[index].settle() }
        var marked: [ExactText: [String]] = [:]
        for mark in roles {
            let finding = findings[mark.finding]
            let severity = finding.severity(of: mark.claim, as: mark.role)
            marked[finding.finding.ruleID, default: []].append("\(mark.claim.id) \(severity)")
        }
        let checks = whole.claimChecks(rules)
        var found = findings.map { text($0.closed()) }
        for claim in observations {
            for finding in checks.findings(about: claim) {
                found.append(text(finding))
                marked[finding.ruleID, default: []].append("\(claim.id) \(finding.severity)")
            }
        }
        return found.sorted() + text(marked)
    }
}

private func key(_ kind: KeyKind) -> GroupKey { GroupKey(kind, octets: Array(repeating: 1, count: 16)) }

/// The findings about a group with everything that is reported of them, and the claims that each is about.
private func report(of observations: [Observation], _ kind: KeyKind) throws -> [String] {
    var raised: Set<ExactText> = []
    return try report(of: observations, kind, &raised)
}

/// - Parameter raised: receives the ids of the rules that found something.
private func report(
    of observations: [Observation], _ kind: KeyKind, _ raised: inout Set<ExactText>
) throws -> [String] {
    var found: [String] = []
    var marked: [ExactText: [String]] = [:]
    try RuleSet(Policy()).evaluate(
        ArrayGroup(key(kind), observations),
        onFinding: { finding in
            raised.insert(finding.ruleID)
            found.append(text(finding))
            #expect(finding.involved.claims > 0)
        },
        onMark: { marked[$0.ruleID, default: []].append("\($1.id) \($2)") })
    // Findings about single claims come in the order of claims.
    return found.sorted() + text(marked)
}

private func text(_ finding: Finding) -> String {
    let involved = finding.involved
    let device = involved.onlyDevice(at: finding.severity, about: finding.subject)
    return """
        \(finding.severity) \(finding.confidence) \(finding.events) \(finding.ruleID) \(finding.subject) \
        \(involved.claims) \(String(describing: device)) \(String(describing: involved.onlyAccount)) \
        \(involved.devices.countText) \(involved.accounts.countText) \(involved.sources.names) \(finding.evidence)
        """
}

private func text(_ marked: [ExactText: [String]]) -> [String] {
    marked.map { "\($0.key) \($0.value.sorted())" }.sorted()
}
