/// Many sightings with one key, which can be gone through more than once, in any order.
public protocol SightingGroup {
    var key: GroupKey { get }
    /// How many sightings there are.
    var count: Int { get }
    func forEach(_ body: (Sighting) -> Void) throws
}

/// A few sightings, held in memory.
public struct HeldGroup: SightingGroup {
    public let key: GroupKey
    public let sightings: [Sighting]
    public var count: Int { sightings.count }

    public init(_ key: GroupKey, _ sightings: [Sighting]) {
        self.key = key
        self.sightings = sightings
    }

    public func forEach(_ body: (Sighting) -> Void) throws { sightings.forEach(body) }
}

extension RuleSet {
    /// What the rules say of a group.
    ///
    /// - Parameters:
    ///   - onFinding: takes each finding that is to be reported.
    ///   - onMark: takes each claim that the finding before is about.
    public func judge(
        _ group: some SightingGroup, onFinding: (Finding) throws -> Void, onMark: (Finding, Sighting) -> Void
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
