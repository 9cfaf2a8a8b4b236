package import Encodings
package import Files
package import Rules
import Subscriptions

/// Judges groups of observations that come one by one from somewhere else, with what a run judges its own with.
///
/// A group is held in memory up to a limit, and beyond it in temporary files.
package final class GroupEvaluator {
    private let rules: RuleSet
    private let wanted: WantedKeys
    private let asOf: Instant
    private var group: RecordGroup
    private var record = RecordWriter()
    private var key = GroupKey(.receipt, octets: [])

    package init(_ rules: RuleSet, asOf: Instant, folder: String) {
        self.rules = rules
        wanted = WantedKeys(rules, isForSubscriptions: true)
        self.asOf = asOf
        group = RecordGroup(folder: folder)
    }

    /// Starts a group.
    package func begin(_ key: GroupKey) {
        self.key = key
        group.clear()
    }

    /// Adds what one claim says under the group's key.
    package func add(_ observation: Observation) throws(FileError) {
        record.removeAll()
        let encoder = ObservationEncoder(observation)
        encoder.write(key.kind, key.octets.span, observation.purchases[...], to: &record)
        let bytes = record.bytes
        if group.count == 0 { group.begin(bytes.span) }
        try group.add(bytes.span)
    }

    /// Judges the group, if there is anything in it, and forgets it.
    package func finish(_ findings: inout some GroupFindings) throws {
        defer { group.clear() }
        try group.judge(wanted, rules, asOf: asOf, &findings)
    }
}
