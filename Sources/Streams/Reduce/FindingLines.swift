import Checks
import Encodings
import Engine
import Rules
import Subscriptions

/// Writes what was found in groups: rows, and lines for the steps that follow.
struct FindingLines: GroupFindings {
    var line = LineWriter()
    /// Takes lines when there are many.
    var write: ((Span<UInt8>) throws -> Void)?
    /// The group's key, as it stands in lines.
    private var key: [UInt8] = []
    private(set) var tally = FindingTally()
    private(set) var figures: SubscriptionFigures
    private var rows: RowWriter
    private var mark: ClaimMark?
    private let rules: RuleSet
    private let rings: RingSearch

    init(_ settings: StreamSettings) {
        rules = settings.rules
        rings = RingSearch(rules)
        rows = RowWriter(settings)
        figures = SubscriptionFigures(asOf: settings.expectations.asOf, policy: rules.policy)
    }

    mutating func begin(_ letter: StreamKey.KeyLetter, _ octets: [UInt8]) {
        key.removeAll(keepingCapacity: true)
        StreamKey.append(letter, octets.span, to: &key)
    }

    mutating func take(_ finding: Finding) throws -> Bool {
        mark = mark(of: finding)
        guard let mark else {
            tally.countAllowed(finding, by: rules)
            return false
        }
        tally.count(finding)
        rows.write(FindingRow(finding), to: &line.bytes)
        if let name = mark.finding { JoiningLine(finding: name, involved: finding.involved).write(to: &line) }
        return true
    }

    /// What a finding about the group makes of a claim; `nil` if the policy allows what it is about.
    func mark(of finding: Finding) -> ClaimMark? {
        guard !rules.isAllowed(finding) else { return nil }
        var mark = ClaimMark(rule: finding.rule, severity: finding.severity)
        // A group has at most one finding of each rule.
        if rings.isJoining(finding) { mark.finding = "\(finding.ruleID) \(String(decoding: key, as: UTF8.self))" }
        return mark
    }

    mutating func mark(_ observation: Observation) throws {
        if let mark { try write(mark, on: observation) }
    }

    mutating func write(_ mark: ClaimMark, on observation: Observation) throws {
        ClaimLine.write(mark, on: ClaimPlace(number: observation.claim), to: &line)
        guard let write, line.bytes.count >= ReduceStream.pieceSize else { return }
        let bytes = line.bytes
        try write(bytes.span)
        line.bytes.removeAll()
    }

    mutating func take(_ subscription: Subscription) throws {
        figures.take(subscription)
        rows.write(subscription.row, to: &line.bytes)
    }
}
