/// Many observations with one key, which can be gone through more than once, in any order.
public protocol ObservationGroup {
    var key: GroupKey { get }
    /// How many observations there are.
    var count: Int { get }
    func forEach(_ body: (Observation) -> Void) throws
}

/// A few observations, held in memory.
public struct HeldGroup: ObservationGroup {
    public let key: GroupKey
    public let observations: [Observation]
    public var count: Int { observations.count }

    public init(_ key: GroupKey, _ observations: [Observation]) {
        self.key = key
        self.observations = observations
    }

    public func forEach(_ body: (Observation) -> Void) throws { observations.forEach(body) }
}

extension RuleSet {
    /// What the rules say of a group.
    ///
    /// - Parameters:
    ///   - onFinding: takes each finding that is to be reported.
    ///   - onMark: takes each claim that the finding before is about.
    public func judge(
        _ group: some ObservationGroup, onFinding: (Finding) throws -> Void, onMark: (Finding, Observation) -> Void
    ) throws {
        for (number, prototype, fewest) in groupRules[Int(group.key.kind.rawValue)] where group.count >= fewest {
            var rule = prototype
            try group.forEach { rule.take($0) }
            guard var open = OpenFinding(number, rule, group.key, self) else { continue }
            try group.forEach { if open.involves($0) { open.take($0) } }
            let finding = open.closed()
            try onFinding(finding)
            try group.forEach { if open.involves($0) { onMark(finding, $0) } }
        }
    }
}

extension Finding {
    /// Says which of its counts are estimates.
    mutating func noteEstimates() {
        if !involved.devices.isExact { evidence += "; the number of devices is an estimate" }
        if !involved.accounts.isExact { evidence += "; the number of accounts is an estimate" }
    }
}
