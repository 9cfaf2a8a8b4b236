package import Encodings
package import Rules
package import Subscriptions

/// What the parts of a divided group add up to: first what there is in them, then which of their claims its findings
/// are about.
///
/// A group with very many claims is evaluated in two passes, so that several processes can share it: each sums up its part;
/// each then reads the sum of all, and sees which claims of its part a finding is about; and those are added up.
package struct GroupParts: Sendable {
    /// What the rules have taken in.
    package private(set) var sum: GroupSum
    /// What was read of the subscription, if the key is an original transaction's.
    package private(set) var subscription: SubscriptionSum?

    package init(_ rules: RuleSet, _ key: GroupKey) {
        sum = GroupSum(rules, key)
        subscription = key.kind == .originalTransaction ? SubscriptionSum() : nil
    }

    package mutating func take(_ observation: Observation) {
        sum.take(observation)
        subscription?.take(observation)
    }

    /// Adds what another process has summed up.
    ///
    /// - Throws: if that was done by other rules.
    package mutating func add(
        count: Int, _ parts: [(rule: ExactText, texts: [String])], _ subscription: SubscriptionSum?
    ) throws {
        try sum.add(count: count, parts)
        if let subscription { self.subscription?.add(subscription) }
    }
}

/// A divided group of which all parts were summed up.
package struct DividedGroup: Sendable {
    package let key: GroupKey
    private let subscription: SubscriptionSum?
    private var secondPass: SubscriptionSecondPass?
    private var findings: [OpenFinding]

    package init(_ parts: GroupParts, _ rules: RuleSet) {
        key = parts.sum.key
        findings = parts.sum.findings(rules)
        subscription = parts.subscription
        secondPass = parts.subscription?.secondPass
    }

    /// What was found, but for the claims that it is about.
    package var found: [Finding] { findings.map(\.finding) }

    /// Adds an observation of one part, and calls a body with the place in ``found`` of each finding that is about its claim.
    package mutating func take(_ observation: Observation, onMark: (Int) throws -> Void) rethrows {
        secondPass?.take(observation)
        for index in findings.indices where findings[index].involves(observation) {
            findings[index].take(observation)
            try onMark(index)
        }
    }

    /// What was seen in the observations that were taken.
    package var seen: SeenClaims {
        SeenClaims(involved: findings.map(\.finding.involved), secondPass: secondPass)
    }

    /// Adds what was seen in another part.
    ///
    /// - Throws: if that is not of this group.
    package mutating func add(_ seen: SeenClaims) throws {
        guard seen.involved.count == findings.count else { throw OtherGroup() }
        for (index, involved) in seen.involved.enumerated() { findings[index].add(involved) }
        if let other = seen.secondPass { secondPass?.add(other) }
    }

    /// Evaluates the group, when all parts were seen.
    package func finish(asOf: Instant, _ found: inout some GroupFindings) throws {
        if let subscription, let row = Subscription(key, subscription, secondPass, asOf: asOf) { try found.add(row) }
        for finding in findings { _ = try found.add(finding.closed(), under: key) }
    }
}

/// Which claims of a part of a divided group each finding is about, and what a second look at them has shown of the
/// subscription.
package struct SeenClaims: Codable, Sendable {
    var involved: [Involved]
    var secondPass: SubscriptionSecondPass?

    /// Adds what was seen in another part of the same group.
    ///
    /// - Throws: if that is of another group.
    package mutating func add(_ other: SeenClaims) throws {
        guard other.involved.count == involved.count else { throw OtherGroup() }
        for index in involved.indices { involved[index].add(other.involved[index]) }
        if let look = other.secondPass {
            if secondPass == nil { secondPass = look } else { secondPass?.add(look) }
        }
    }
}

/// Parts of two groups, or of one that was evaluated by other rules.
private struct OtherGroup: Error {}
