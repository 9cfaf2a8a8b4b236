package import Encodings
package import Files
package import Rules
package import Subscriptions

/// The sum over the parts of a divided group: first of the observations, then of the claims that its findings are
/// about.
///
/// A group with very many claims is evaluated in two passes, so that several processes can share it. Each process sums
/// up its part. Each then reads the sum of all parts, and sees which claims of its part a finding is about. Those
/// results are added up. Marks on the first presenter's claims wait until then.
package struct GroupParts: Sendable {
    /// The state of the rules.
    package private(set) var sum: GroupSum
    /// The state of the subscription or one-time purchase, if the key is an original transaction.
    package private(set) var subscription: SubscriptionSum?
    /// The state for customer support, if the key is an original transaction or a person.
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

    /// Adds the sum of another process.
    ///
    /// - Throws: if other rules made it.
    package mutating func add(
        count: Int, evidence: Int, _ parts: [(rule: ExactText, texts: [ExactText])], _ subscription: SubscriptionSum?,
        _ support: SupportSum?
    ) throws {
        try sum.add(count: count, evidence: evidence, parts)
        if let subscription { self.subscription?.add(subscription) }
        if let support { self.support?.add(support) }
    }
}

/// A divided group after all parts were summed up.
package struct DividedGroup {
    package let key: GroupKey
    private let subscription: SubscriptionSum?
    private let support: SupportSum?
    private var secondPass: SubscriptionSecondPass?
    private var findings: [OpenFinding]
    private let checks: ClaimChecks
    /// The claims of the first presenter that findings may be about.
    private var presented: ObservationSpool
    private let policy: Policy
    private let asOf: Instant

    /// - Parameter folder: the folder for claims that do not fit in memory.
    package init(_ parts: GroupParts, _ rules: RuleSet, folder: String) {
        policy = parts.policy
        asOf = parts.asOf
        key = parts.sum.key
        findings = parts.sum.findings(rules)
        checks = parts.sum.claimChecks(rules)
        presented = ObservationSpool(folder: folder)
        presented.begin(key)
        subscription = parts.subscription
        support = parts.support
        secondPass = parts.subscription?.secondPass
    }

    /// The findings, without their claims.
    package var found: [Finding] { findings.map(\.finding) }

    /// Adds an observation of one part, and calls a body for each finding about its claim, with the finding's index in
    /// ``found`` and the severity of the claim's mark, or with each finding about the claim by itself.
    ///
    /// - Returns: whether marks of the claim depend on all claims of the first presenter. Then ``add(presented:)`` must
    ///   also receive it, after all parts were added up.
    package mutating func take(
        _ observation: Observation, onMark: (Int, Severity) throws -> Void, onClaim: (Finding) throws -> Void
    ) rethrows -> Bool {
        var isWaiting = false
        for finding in checks.findings(about: observation) { try onClaim(finding) }
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

    /// The claims seen in the observations of this part.
    package func seen() throws -> SeenClaims {
        SeenClaims(findings: try findings.map { try $0.part() }, secondPass: secondPass)
    }

    /// Adds the claims seen in another part.
    ///
    /// - Throws: if they are not of this group.
    package mutating func add(_ seen: SeenClaims) throws {
        guard seen.findings.count == findings.count else { throw OtherGroup() }
        for (index, part) in seen.findings.enumerated() { try findings[index].add(part) }
        if let other = seen.secondPass { secondPass?.add(other) }
    }

    /// Evaluates the group, after all parts were seen.
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

/// The claims of each finding in a part of a divided group, and what the second pass over them showed about the
/// subscription.
package struct SeenClaims: Codable, Sendable {
    var findings: [FindingPart]
    var secondPass: SubscriptionSecondPass?

    /// Adds the claims seen in another part of the same group.
    ///
    /// - Throws: if they are of another group.
    package mutating func add(_ other: SeenClaims) throws {
        guard other.findings.count == findings.count else { throw OtherGroup() }
        for index in findings.indices { findings[index].add(other.findings[index]) }
        if let look = other.secondPass {
            if secondPass == nil { secondPass = look } else { secondPass?.add(look) }
        }
    }
}

/// Parts belong to two groups, or to one group under different rules.
private struct OtherGroup: Error {}
