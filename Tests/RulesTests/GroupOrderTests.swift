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
