import Rules

/// The rings of a run, and which findings they are made of.
final class RingMarks {
    /// The rings, as findings; their claims are counted last.
    private(set) var findings: [Finding] = []
    /// Which ring a finding is part of.
    private var ringOfFinding: [JoiningID: Int] = [:]
    private var allowed: Set<Int> = []

    init(_ joining: [JoiningID: Involved], rules: RuleSet) {
        guard !joining.isEmpty else { return }
        var search = RingSearch(rules)
        let ids = joining.keys.sorted { ($0.worker, $0.index) < ($1.worker, $1.index) }
        for id in ids { if let involved = joining[id] { search.join(involved) } }
        for (ring, members) in search.rings().enumerated() {
            findings.append(members.finding)
            if rules.isAllowed(members.finding) { allowed.insert(ring) }
            for member in members.members { ringOfFinding[ids[member]] = ring }
        }
    }

    var isEmpty: Bool { findings.isEmpty }

    /// The ring that a finding is part of, unless the policy allows it.
    func ring(of finding: JoiningID) -> (number: Int, rule: Int, severity: Severity)? {
        guard let ring = ringOfFinding[finding], !allowed.contains(ring) else { return nil }
        return (ring, findings[ring].rule, findings[ring].severity)
    }

    func count(_ claim: MarkedClaim) {
        for ring in claim.rings { findings[ring].involved.countClaim() }
    }
}
