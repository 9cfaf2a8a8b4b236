public import Encodings

/// What the rules have taken in of a group, or of a part of it. What was taken in of parts can be added up.
///
/// It does not grow with the group: each rule holds no more than it states.
public struct GroupSum: Sendable {
    public let key: GroupKey
    /// How many observations were taken in.
    public private(set) var count = 0
    private var rules: [(number: Int, rule: any GroupRule, fewest: Int)]

    public init(_ rules: RuleSet, _ key: GroupKey) {
        self.key = key
        self.rules = rules.groupRules[Int(key.kind.rawValue)].map { ($0.number, $0.prototype, $0.fewest) }
    }

    /// Takes in one more observation.
    public mutating func take(_ observation: Observation) {
        count += 1
        for index in rules.indices { rules[index].rule.take(observation) }
    }

    /// What each rule has taken in, by the rule's id.
    public func parts() throws -> [(rule: ExactText, texts: [String])] {
        try rules.map { number, rule, _ in
            var (rule, carrier) = (rule, StateCoder())
            try rule.carry(&carrier)
            return (RuleBook.ids[number], carrier.texts)
        }
    }

    /// Adds what was taken in of another part.
    ///
    /// - Throws: if it is not what ``parts()`` gives for the same rules.
    public mutating func add(count: Int, _ parts: [(rule: ExactText, texts: [String])]) throws {
        guard parts.map(\.rule) == rules.map({ RuleBook.ids[$0.number] }) else { throw OtherRules() }
        self.count = self.count.addingSaturating(max(0, count))
        for (index, part) in parts.enumerated() {
            var carrier = StateCoder(part.texts)
            try rules[index].rule.carry(&carrier)
            guard carrier.isEmpty else { throw OtherRules() }
        }
    }

    /// The findings about the whole group, if this is all of it. Which claims they are about is still to be seen.
    public func findings(_ set: RuleSet) -> [OpenFinding] {
        rules.compactMap { number, rule, fewest in
            count >= fewest ? OpenFinding(number, rule, key, set) : nil
        }
    }

    /// The parts of another group, or of one that was judged by other rules.
    private struct OtherRules: Error {}
}

/// A finding of which it is still to be seen which claims it is about.
public struct OpenFinding: Sendable {
    /// As known so far.
    public private(set) var finding: Finding
    private let rule: any GroupRule

    /// - Parameter rule: having taken in the whole group.
    /// - Returns: `nil` if the rule finds nothing.
    init?(_ number: Int, _ rule: any GroupRule, _ key: GroupKey, _ set: RuleSet) {
        var rule = rule
        guard let hit = rule.hit() else { return nil }
        self.rule = rule
        finding = Finding(
            severity: set.severity(of: number, hit), rule: number,
            subject: hit.originalTransactionID.map { "transaction:\($0)" } ?? key.subject,
            involved: Involved(), evidence: hit.evidence)
    }

    public func involves(_ observation: Observation) -> Bool { rule.involves(observation) }

    /// Takes a claim that it is about.
    public mutating func take(_ observation: Observation) { finding.involved.take(observation) }

    /// Adds what is known of the claims in another part of the group.
    public mutating func add(_ involved: Involved) { finding.involved.add(involved) }

    /// The finding, when all claims that it is about were taken.
    public func closed() -> Finding {
        var finding = finding
        finding.noteEstimates()
        return finding
    }
}
