import Encodings
import Rules
import Testing

struct `A divided group` {
    @Test(arguments: KeyKind.allCases)
    func `is found to be what it is as a whole`(kind: KeyKind) throws {
        var random = RandomObservations(seed: 17 + UInt64(kind.rawValue))
        for round in 0..<40 {
            let observations = random.group(kind, count: 1 + random.next(below: 40), variety: 1 + round % 12)
            let parts = (0..<5).map { _ in 1 + random.next(below: 8) }
            #expect(try Self.divided(observations, kind, parts) == Self.whole(observations, kind), "round \(round)")
        }
    }

    @Test(arguments: KeyKind.allCases)
    func `is so too where rules hold only a part of it`(kind: KeyKind) throws {
        var random = RandomObservations(seed: 19)
        let observations = random.group(kind, count: 10_000, variety: 100_000)
        // Some parts are held whole, and some are not.
        #expect(try Self.divided(observations, kind, [8500, 900, 1]) == Self.whole(observations, kind))
    }

    @Test func `does not take in what other rules have summed up`() throws {
        let key = GroupKey(.account, octets: [0x61])
        let sum = GroupSum(RuleSet(Policy()), key)
        var other = GroupSum(RuleSet(Policy()), GroupKey(.device, octets: [0x61]))
        var parts = try sum.parts()
        #expect(throws: (any Error).self) { try other.add(count: 1, parts) }
        var again = sum
        try again.add(count: 1, parts)
        parts[0].texts = []
        #expect(throws: (any Error).self) { try again.add(count: 1, parts) }
        parts[0].texts = ["[]", "[]", "[]"]
        #expect(throws: (any Error).self) { try again.add(count: 1, parts) }
        parts[0].texts = ["nonsense"]
        #expect(throws: (any Error).self) { try again.add(count: 1, parts) }
    }

    private static func key(_ kind: KeyKind) -> GroupKey { GroupKey(kind, octets: Array(repeating: 1, count: 16)) }

    /// All findings as rules give them of the group, with the claims that each is about.
    private static func whole(_ observations: [Observation], _ kind: KeyKind) throws -> [String] {
        var told: [String] = []
        var marked: [ExactText: [UInt64]] = [:]
        try RuleSet(Policy()).judge(
            HeldGroup(key(kind), observations), onFinding: { told.append(text($0)) },
            onMark: { marked[$0.ruleID, default: []].append($1.claim) })
        return told + marked.map { "\($0.key) \($0.value.sorted())" }.sorted()
    }

    /// The same, of parts of so many observations and one with the rest, each with what it is told of the others.
    private static func divided(_ observations: [Observation], _ kind: KeyKind, _ sizes: [Int]) throws -> [String] {
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
        for sum in sums.reversed() { try whole.add(count: sum.count, sum.parts()) }
        var findings = whole.findings(rules)
        var marked: [ExactText: [UInt64]] = [:]
        for part in parts {
            var open = whole.findings(rules)
            for observation in part {
                for index in open.indices where open[index].involves(observation) {
                    open[index].take(observation)
                    marked[open[index].finding.ruleID, default: []].append(observation.claim)
                }
            }
            for index in findings.indices { findings[index].add(open[index].finding.involved) }
        }
        return findings.map { text($0.closed()) } + marked.map { "\($0.key) \($0.value.sorted())" }.sorted()
    }

    private static func text(_ finding: Finding) -> String {
        let involved = finding.involved
        return """
            \(finding.severity) \(finding.ruleID) \(finding.subject) \(involved.claims) \
            \(involved.devices.countText) \(involved.accounts.countText) \(involved.sources.names) \(finding.evidence)
            """
    }
}
