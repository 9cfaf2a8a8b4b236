package import Checks
import Encodings
package import Rules

/// The rings of findings: a finding for each, and its members.
///
/// The search holds a bounded number of findings, those with the smallest ids.
package struct Rings {
    private var joining: [FindingID: MergedFinding] = [:]
    private let rules: RuleSet
    private let search: RingSearch

    package init(_ rules: RuleSet) {
        self.rules = rules
        search = RingSearch(rules)
    }

    /// Adds a finding, or a part of one, if it may be part of a ring.
    package mutating func add(_ found: MergedFinding) {
        guard search.isJoining(found.finding) else { return }
        if joining[found.id] == nil { joining[found.id] = found } else { joining[found.id]?.add(found) }
        if joining.count >= 2 * RingSearch.limit { shrink() }
    }

    /// Adds the findings of another search under the same rules.
    mutating func add(_ other: Rings) {
        for found in other.joining.values { add(found) }
    }

    private mutating func shrink() {
        for id in joining.keys.sorted().dropFirst(RingSearch.limit) { joining[id] = nil }
    }

    /// Searches for rings, after all findings were added. Rings with one subject become one finding.
    ///
    /// - Parameters:
    ///   - cleared: the findings that a review closed as `ok`. They join no ring.
    ///   - onRing: called with each ring that the policy does not allow.
    ///   - onAllowed: called with each ring that it allows.
    /// - Returns: the ring of each finding that is part of one.
    package mutating func find(
        _ identities: IdentityHasher, cleared: Set<FindingID> = [], onRing: (MergedFinding) throws -> Void,
        onAllowed: (MergedFinding) -> Void
    ) rethrows -> [(finding: FindingID, ring: FindingNotices.Ring)] {
        shrink()
        var search = search
        let ids = joining.keys.filter { !cleared.contains($0) }.sorted()
        for id in ids { if let found = joining[id] { search.join(found.finding) } }
        var members: [(finding: FindingID, ring: FindingNotices.Ring)] = []
        var found: [MergedFinding] = []
        for ring in search.rings() {
            var ofRing = ring.finding
            for member in ring.members {
                if let found = joining[ids[member]] { ofRing.stake.add(found.finding.stake) }
            }
            let finding = MergedFinding(ofRing, identities)
            // Rings come in the order of their subjects.
            if found.last?.id == finding.id {
                found[found.count - 1].add(finding)
            } else {
                found.append(finding)
            }
            let entry = FindingNotices.Ring(finding: finding.id, severity: ring.worstMark)
            members += ring.members.map { (ids[$0], entry) }
        }
        var allowed: Set<FindingID> = []
        for ring in found {
            if rules.isAllowed(ring.finding, id: ring.id) {
                allowed.insert(ring.id)
                onAllowed(ring)
            } else {
                try onRing(ring)
            }
        }
        return members.filter { !allowed.contains($0.ring.finding) }
    }
}

extension MergedFinding {
    package init(_ finding: Finding, _ identities: IdentityHasher) {
        self.init(finding, id: identities.finding(rule: finding.ruleID, subject: finding.subject))
    }
}
