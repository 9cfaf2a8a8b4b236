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
    /// What was read of the subscription or one-time purchase, if the key is an original transaction's.
    package private(set) var subscription: SubscriptionSum?
    fileprivate let policy: Policy
    fileprivate let asOf: Instant

    package init(_ rules: RuleSet, _ key: GroupKey, asOf: Instant) {
        policy = rules.policy
        self.asOf = asOf
        sum = GroupSum(rules, key)
        subscription = key.kind == .originalTransaction ? SubscriptionSum() : nil
    }

    package mutating func take(_ observation: Observation) {
        sum.take(observation)
        subscription?.take(observation, policy, asOf: asOf)
    }

    /// Adds what another process has summed up.
    ///
    /// - Throws: if that was done by other rules.
    package mutating func add(
        count: Int, evidence: Int, _ parts: [(rule: ExactText, texts: [String])], _ subscription: SubscriptionSum?
    ) throws {
        try sum.add(count: count, evidence: evidence, parts)
        if let subscription { self.subscription?.add(subscription) }
    }
}

/// A divided group of which all parts were summed up.
package struct DividedGroup: Sendable {
    package let key: GroupKey
    private let subscription: SubscriptionSum?
    private var secondPass: SubscriptionSecondPass?
    private var findings: [OpenFinding]
    private let policy: Policy
    private let asOf: Instant

    package init(_ parts: GroupParts, _ rules: RuleSet) {
        policy = parts.policy
        asOf = parts.asOf
        key = parts.sum.key
        findings = parts.sum.findings(rules)
        subscription = parts.subscription
        secondPass = parts.subscription?.secondPass
    }

    /// What was found, but for the claims that it is about.
    package var found: [Finding] { findings.map(\.finding) }

    /// Adds an observation of one part, and calls a body with the place in ``found`` of each finding that is about its
    /// claim, and what the claim's mark depends on.
    package mutating func take(_ observation: Observation, onMark: (Int, MarkRole) throws -> Void) rethrows {
        secondPass?.take(observation, policy, asOf: asOf)
        for index in findings.indices {
            if let role = findings[index].take(observation) { try onMark(index, role) }
        }
    }

    /// Returns the severity of a mark if it is known before all parts were seen: not if it depends on all that the first
    /// presenter claims.
    package func severity(of index: Int, _ role: MarkRole) -> Severity? {
        role.isLate ? nil : findings[index].severity(of: role)
    }

    /// What was seen in the observations that were taken.
    package func seen() throws -> SeenClaims {
        SeenClaims(findings: try findings.map { try $0.part() }, secondPass: secondPass)
    }

    /// Adds what was seen in another part.
    ///
    /// - Throws: if that is not of this group.
    package mutating func add(_ seen: SeenClaims) throws {
        guard seen.findings.count == findings.count else { throw OtherGroup() }
        for (index, part) in seen.findings.enumerated() { try findings[index].add(part) }
        if let other = seen.secondPass { secondPass?.add(other) }
    }

    /// Evaluates the group, when all parts were seen.
    ///
    /// - Parameter onLate: called with each finding, after it was found, and the severities of its late marks.
    package mutating func finish<Found: GroupFindings>(
        _ found: inout Found, onLate: (MarkRole, Severity, inout Found) throws -> Void
    ) throws {
        if let subscription, let transaction = OriginalTransaction(key, subscription, secondPass, asOf: asOf) {
            try found.add(transaction)
        }
        for index in findings.indices {
            findings[index].settle()
            guard try found.add(findings[index].closed()) else { continue }
            for role in MarkRole.allCases where role.isLate {
                try onLate(role, findings[index].severity(of: role), &found)
            }
        }
    }
}

extension GroupKey {
    /// Tells the groups of one finding apart, in all processes.
    package var hash: UInt64 { ObservationRecord.prefix(of: kind, octets.span) }
}

extension MarkRole {
    /// Whether the severity of such marks is known only when all claims of the group were seen.
    fileprivate var isLate: Bool {
        switch self {
        case .presenter, .presenterUnchecked, .presenterMatching: true
        case .other, .unchecked, .matching, .bystander: false
        }
    }
}

/// Which claims of a part of a divided group each finding is about, and what a second look at them has shown of the
/// subscription.
package struct SeenClaims: Codable, Sendable {
    var findings: [FindingPart]
    var secondPass: SubscriptionSecondPass?

    /// Adds what was seen in another part of the same group.
    ///
    /// - Throws: if that is of another group.
    package mutating func add(_ other: SeenClaims) throws {
        guard other.findings.count == findings.count else { throw OtherGroup() }
        for index in findings.indices { findings[index].add(other.findings[index]) }
        if let look = other.secondPass {
            if secondPass == nil { secondPass = look } else { secondPass?.add(look) }
        }
    }
}

/// Parts of two groups, or of one that was evaluated by other rules.
private struct OtherGroup: Error {}
