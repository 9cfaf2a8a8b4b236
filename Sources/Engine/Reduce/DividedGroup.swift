package import Encodings
package import Files
package import Rules
package import Subscriptions

/// What the parts of a divided group add up to: first what there is in them, then which of their claims its findings
/// are about.
///
/// A group with very many claims is evaluated in two passes, so that several processes can share it: each sums up its part;
/// each then reads the sum of all, and sees which claims of its part a finding is about; and those are added up. Marks on
/// the first presenter's claims wait until then.
package struct GroupParts: Sendable {
    /// What the rules have taken in.
    package private(set) var sum: GroupSum
    /// What was read of the subscription or one-time purchase, if the key is an original transaction's.
    package private(set) var subscription: SubscriptionSum?
    /// What was read for those who help customers, if the key is an original transaction's or a person's.
    package private(set) var support: SupportSum?
    fileprivate let policy: Policy
    fileprivate let asOf: Instant

    package init(_ rules: RuleSet, _ key: GroupKey, asOf: Instant) {
        support = SupportSum.isFor(key) ? SupportSum() : nil
        policy = rules.policy
        self.asOf = asOf
        sum = GroupSum(rules, key)
        subscription = key.kind == .originalTransaction ? SubscriptionSum() : nil
    }

    package mutating func take(_ observation: Observation) {
        sum.take(observation)
        subscription?.take(observation, under: sum.key, policy, asOf: asOf)
        support?.take(observation, under: sum.key, asOf: asOf)
    }

    /// Adds what another process has summed up.
    ///
    /// - Throws: if that was done by other rules.
    package mutating func add(
        count: Int, evidence: Int, _ parts: [(rule: ExactText, texts: [ExactText])], _ subscription: SubscriptionSum?,
        _ support: SupportSum?
    ) throws {
        try sum.add(count: count, evidence: evidence, parts)
        if let subscription { self.subscription?.add(subscription) }
        if let support { self.support?.add(support) }
    }
}

/// A divided group of which all parts were summed up.
package struct DividedGroup {
    package let key: GroupKey
    private let subscription: SubscriptionSum?
    private let support: SupportSum?
    private var secondPass: SubscriptionSecondPass?
    private var findings: [OpenFinding]
    /// The claims of the first presenter, about which findings may be.
    private var presented: ObservationSpool
    private let policy: Policy
    private let asOf: Instant

    /// - Parameter folder: where claims go that are too many for memory.
    package init(_ parts: GroupParts, _ rules: RuleSet, folder: String) {
        policy = parts.policy
        asOf = parts.asOf
        key = parts.sum.key
        findings = parts.sum.findings(rules)
        presented = ObservationSpool(folder: folder)
        presented.begin(key)
        subscription = parts.subscription
        support = parts.support
        secondPass = parts.subscription?.secondPass
    }

    /// What was found, but for the claims that it is about.
    package var found: [Finding] { findings.map(\.finding) }

    /// Adds an observation of one part, and calls a body with the place in ``found`` of each finding that is about its
    /// claim, and the severity of the claim's mark.
    ///
    /// - Returns: whether marks of the claim depend on all that the first presenter claims: then
    ///   ``add(presented:)`` has to receive it, too, when all parts are added up.
    package mutating func take(
        _ observation: Observation, onMark: (Int, Severity) throws -> Void
    ) rethrows -> Bool {
        var isWaiting = false
        secondPass?.take(observation, under: key, policy, asOf: asOf)
        for index in findings.indices {
            guard let role = findings[index].take(observation) else { continue }
            if role.isOfPresenter {
                isWaiting = true
            } else {
                try onMark(index, findings[index].severity(of: observation, as: role))
            }
        }
        return isWaiting
    }

    /// Adds a claim of any part whose marks wait.
    package mutating func add(presented observation: Observation) throws(FileError) { try presented.add(observation) }

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
    package mutating func finish(_ found: inout some GroupFindings) throws {
        if let subscription, let transaction = OriginalTransaction(key, subscription, secondPass, asOf: asOf) {
            try found.add(transaction)
        }
        if let support { try found.add(support, of: key) }
        guard !findings.isEmpty else { return }
        let claims = try presented.group.gathered()
        for index in findings.indices {
            try findings[index].settle()
            let finding = findings[index]
            guard try found.add(finding.closed()) else { continue }
            var failure: (any Error)?
            try claims.forEach { observation in
                guard failure == nil, let role = finding.role(of: observation), role.isOfPresenter else { return }
                do {
                    try found.mark(observation, finding.severity(of: observation, as: role))
                } catch { failure = error }
            }
            if let failure { throw failure }
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
