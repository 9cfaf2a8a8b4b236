public import Encodings

/// The observations with one key, which can be iterated more than once, in any order.
public protocol ObservationGroup {
    var key: GroupKey { get }
    /// The number of observations.
    var count: Int { get }
    func forEach(_ body: (Observation) -> Void) throws
}

extension RuleSet {
    /// Checks a whole group.
    ///
    /// - Parameters:
    ///   - onFinding: receives each finding.
    ///   - onMark: receives each claim that the last finding is about, after the finding.
    public func evaluate(
        _ group: some ObservationGroup, onFinding: (Finding) throws -> Void, onMark: (Finding, Observation) -> Void
    ) throws {
        for var rule in groupRules(group.key.kind) where group.count >= rule.minObservations {
            try group.forEach { rule.rule.add($0) }
            guard var open = OpenFinding(rule, group.key, self) else { continue }
            try group.forEach { if open.involves($0) { open.take($0) } }
            let finding = open.closed()
            try onFinding(finding)
            try group.forEach { if open.involves($0) { onMark(finding, $0) } }
        }
    }
}

/// The state of all rules over a group or a part of it. The states of parts can be added.
///
/// Its size does not grow with the group: the state of each rule is bounded.
public struct GroupSum: Sendable {
    public let key: GroupKey
    /// The number of observations.
    public private(set) var count = 0
    private var rules: [NumberedGroupRule]

    public init(_ rules: RuleSet, _ key: GroupKey) {
        self.key = key
        self.rules = rules.groupRules(key.kind)
    }

    /// Adds one more observation.
    public mutating func take(_ observation: Observation) {
        count += 1
        for index in rules.indices { rules[index].rule.add(observation) }
    }

    /// Encodes the state of each rule, with the rule's id.
    public func parts() throws -> [(rule: ExactText, texts: [String])] {
        try rules.map { numbered in
            var (rule, coder) = (numbered.rule, StateCoder())
            try rule.code(&coder)
            return (RuleBook.ids[numbered.number], coder.texts)
        }
    }

    /// Adds the state over another part.
    ///
    /// - Throws: if it is not what ``parts()`` returns for the same rules.
    public mutating func add(count: Int, _ parts: [(rule: ExactText, texts: [String])]) throws {
        guard parts.map(\.rule) == rules.map({ RuleBook.ids[$0.number] }) else { throw OtherRules() }
        self.count = self.count.addingSaturating(max(0, count))
        for (index, part) in parts.enumerated() {
            var coder = StateCoder(merging: part.texts)
            try rules[index].rule.code(&coder)
            guard coder.isAtEnd else { throw OtherRules() }
        }
    }

    /// Returns the findings about the group, if this is all of it. The claims that they are about are not yet known.
    public func findings(_ set: RuleSet) -> [OpenFinding] {
        rules.compactMap { count >= $0.minObservations ? OpenFinding($0, key, set) : nil }
    }

    /// The state is that of other rules.
    private struct OtherRules: Error {}
}

/// A finding whose claims are still being collected.
public struct OpenFinding: Sendable {
    /// The finding with the claims collected so far.
    public private(set) var finding: Finding
    private let rule: any GroupRule

    /// - Parameter numbered: the rule with its state over the whole group.
    /// - Returns: `nil` if the rule finds nothing.
    init?(_ numbered: NumberedGroupRule, _ key: GroupKey, _ set: RuleSet) {
        var rule = numbered.rule
        guard let hit = rule.hit() else { return nil }
        self.rule = rule
        finding = Finding(
            severity: set.severity(of: numbered.number, hit), rule: numbered.number,
            subject: hit.originalTransactionID.map { "transaction:\($0)" } ?? key.subject,
            involved: Involved(), evidence: hit.evidence)
    }

    public func involves(_ observation: Observation) -> Bool { rule.involves(observation) }

    /// Adds a claim that the finding is about.
    public mutating func take(_ observation: Observation) { finding.involved.add(observation) }

    /// Adds the claims of another part of the group.
    public mutating func add(_ involved: Involved) { finding.involved.add(involved) }

    /// Returns the finding, after all its claims were added.
    public func closed() -> Finding {
        var finding = finding
        finding.appendEstimates()
        return finding
    }
}
