import Encodings
import Rules
import Testing

struct `A group rule` {
    @Test(arguments: KeyKind.allCases)
    func `finds the same in every order`(kind: KeyKind) throws {
        var random = RandomObservations(seed: 7 + UInt64(kind.rawValue))
        var raised: Set<ExactText> = []
        for round in 0..<150 {
            var observations = random.group(kind, count: 1 + random.next(below: 30), variety: 1 + round % 12)
            let expected = try Self.told(of: observations, kind, noting: &raised)
            for _ in 0..<4 {
                random.shuffle(&observations)
                let told = try Self.told(of: observations, kind, noting: &raised)
                #expect(told == expected, "round \(round)")
            }
        }
        // The groups are such that every rule has something to say of some.
        let rules = RuleBook.groupRules.filter { $0.keys.contains(kind) }.map { $0.documentation.id }
        #expect(raised == Set(rules))
    }

    @Test(arguments: KeyKind.allCases)
    func `finds the same in every order where it holds only a part`(kind: KeyKind) throws {
        var random = RandomObservations(seed: 11)
        var raised: Set<ExactText> = []
        var observations = random.group(kind, count: 12_000, variety: 100_000)
        let expected = try Self.told(of: observations, kind, noting: &raised)
        for _ in 0..<2 {
            random.shuffle(&observations)
            #expect(try Self.told(of: observations, kind, noting: &raised) == expected)
        }
    }

    @Test(arguments: KeyKind.allCases)
    func `says what fits into a cell`(kind: KeyKind) throws {
        var random = RandomObservations(seed: 13)
        for variety in [3, 100, 100_000] {
            let group = HeldGroup(
                GroupKey(kind, octets: Array(repeating: 1, count: 16)),
                random.group(kind, count: 2000, variety: variety))
            try RuleSet(Policy()).judge(
                group, onFinding: { #expect($0.evidence.utf8.count < 32_768) }, onMark: { _, _ in })
        }
    }

    /// The findings with all that is reported of them, and the claims that each is about.
    private static func told(
        of observations: [Observation], _ kind: KeyKind, noting raised: inout Set<ExactText>
    ) throws -> [String] {
        var told: [String] = []
        var marked: [ExactText: [UInt64]] = [:]
        let group = HeldGroup(GroupKey(kind, octets: Array(repeating: 1, count: 16)), observations)
        try RuleSet(Policy()).judge(
            group,
            onFinding: { finding in
                let involved = finding.involved
                raised.insert(finding.ruleID)
                told.append(
                    """
                    \(finding.severity) \(finding.ruleID) \(finding.subject) \(involved.claims) \
                    \(involved.devices.countText) \(involved.accounts.countText) \(involved.sources.names) \
                    \(finding.evidence)
                    """)
                #expect(involved.claims > 0)
            },
            onMark: { marked[$0.ruleID, default: []].append($1.claim) })
        return told + marked.map { "\($0.key) \($0.value.sorted())" }.sorted()
    }
}
