import Encodings
import Engine
import Inputs
import Rules

/// Joins findings to rings: all of them, in memory.
struct RingReducer {
    private let rules: RuleSet
    private var search: RingSearch
    private var names: [ExactText] = []
    private(set) var tally = FindingTally()
    private(set) var findings: [SummaryPart.RingFinding] = []

    init(_ settings: StreamSettings) {
        rules = settings.rules
        search = RingSearch(rules)
    }

    mutating func add(_ fields: inout LineFields) throws(LineFault) {
        let line = try JoiningLine(&fields)
        search.join(line.involved)
        names.append(line.finding)
    }

    /// Ends the search, and writes which findings are part of which ring.
    mutating func finish(_ output: inout LineWriter) {
        for (number, ring) in search.rings().enumerated() {
            guard !rules.isAllowed(ring.finding) else {
                tally.countAllowed(ring.finding, by: rules)
                continue
            }
            tally.count(ring.finding)
            let involved = ring.finding.involved
            findings.append(
                SummaryPart.RingFinding(
                    number: number, severity: ExactText(ring.finding.severity.code), subject: ring.finding.subject,
                    devices: involved.devices.count, accounts: involved.accounts.count,
                    sources: involved.sources.names, evidence: ring.finding.evidence))
            for member in ring.members {
                RingLine(finding: names[member], ring: number, severity: ring.finding.severity).write(to: &output)
            }
        }
    }
}
