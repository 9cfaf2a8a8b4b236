package import Encodings
package import Files
package import Rules
package import Subscriptions

/// Judges groups of sightings that come one by one from somewhere else, with what a run judges its own with.
///
/// A group is held in memory up to a limit, and beyond it in temporary files.
package final class GroupJudge {
    private let rules: RuleSet
    private let asOf: Instant
    private var group: RecordGroup
    private var record = RecordWriter()
    private var key = GroupKey(.receipt, octets: [])

    package init(_ rules: RuleSet, asOf: Instant, folder: String) {
        self.rules = rules
        self.asOf = asOf
        group = RecordGroup(folder: folder)
    }

    /// Starts a group.
    package func begin(_ key: GroupKey) {
        self.key = key
        group.clear()
    }

    /// Adds what one claim says under the group's key.
    package func add(_ sighting: Sighting) throws(FileError) {
        record.removeAll()
        let encoder = SightingEncoder(sighting)
        _ = encoder.write(key.kind, key.octets.span, sighting.purchases[...], to: &record)
        let bytes = record.bytes
        if group.count == 0 { group.begin(bytes.span) }
        try group.add(bytes.span)
    }

    /// Judges the group, if there is anything in it, and forgets it.
    package func finish(_ findings: inout some GroupFindings) throws {
        defer { group.clear() }
        let isForSubscriptions = key.kind == .originalTransaction && group.flags.contains(.hasPeriods)
        let isForRules = group.count >= rules.fewestSightings(key.kind) ?? .max
        guard group.count > 0, isForSubscriptions || isForRules else { return }
        let gathered = try group.gathered()
        if isForSubscriptions, let subscription = try Subscription(gathered, asOf: asOf) {
            try findings.take(subscription)
        }
        guard isForRules else { return }
        var isMarking = false
        var failure: (any Error)?
        try rules.judge(
            gathered,
            onFinding: { isMarking = try findings.take($0) },
            onMark: { _, sighting in
                guard isMarking, failure == nil else { return }
                do { try findings.mark(sighting) } catch { failure = error }
            })
        if let failure { throw failure }
    }
}

/// Takes what is found in groups, as it is found.
package protocol GroupFindings {
    /// Takes a finding; says whether the claims that it is about are wanted.
    mutating func take(_ finding: Finding) throws -> Bool
    /// Takes a claim that the finding before is about.
    mutating func mark(_ sighting: Sighting) throws
    mutating func take(_ subscription: Subscription) throws
}
