import Encodings
package import Rules
package import Subscriptions

/// Takes what is found in groups, as it is found.
package protocol GroupFindings {
    /// Takes a finding; says whether the claims that it is about are wanted.
    mutating func take(_ finding: Finding) throws -> Bool
    /// Takes a claim that the finding before is about.
    mutating func mark(_ observation: Observation) throws
    mutating func take(_ subscription: Subscription) throws
}

extension RecordGroup {
    /// Judges the records together: by the rules, and as a subscription if it is one.
    func judge(
        _ wanted: WantedKeys, _ rules: RuleSet, asOf: Instant, _ findings: inout some GroupFindings
    ) throws {
        let isForSubscriptions =
            wanted.isForSubscriptions && kind == .originalTransaction && flags.contains(.hasPeriods)
        let isForRules = count >= wanted.fewest(kind)
        guard count > 0, isForSubscriptions || isForRules else { return }
        let gathered = try gathered()
        if isForSubscriptions, let subscription = try Subscription(gathered, asOf: asOf) {
            try findings.take(subscription)
        }
        guard isForRules else { return }
        var isMarking = false
        var failure: (any Error)?
        try rules.judge(
            gathered,
            onFinding: { isMarking = try findings.take($0) },
            onMark: { _, observation in
                guard isMarking, failure == nil else { return }
                do { try findings.mark(observation) } catch { failure = error }
            })
        if let failure { throw failure }
    }
}
