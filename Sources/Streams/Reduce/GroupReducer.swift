import Checks
import Encodings
import Pipeline
import Rules
import Subscriptions

/// Judges what claims have in common, group by group.
struct GroupReducer {
    private let judge: GroupJudge
    /// For the original transactions whose ids transactions have.
    private let originals: GroupJudge
    private var letter = StreamKey.KeyLetter.receipt
    private var octets: [UInt8] = []
    private var findings: FindingLines

    init(_ settings: StreamSettings, folder: String) {
        let asOf = settings.expectations.asOf
        judge = GroupJudge(settings.rules, asOf: asOf, folder: folder)
        originals = GroupJudge(settings.rules, asOf: asOf, folder: folder)
        findings = FindingLines(settings)
    }

    var tally: FindingTally { findings.tally }
    var figures: SubscriptionFigures { findings.figures }

    mutating func begin(_ letter: StreamKey.KeyLetter, _ octets: [UInt8]) {
        self.letter = letter
        self.octets = octets
        judge.begin(GroupKey(letter.kind, octets: octets))
        originals.begin(GroupKey(.originalTransaction, octets: octets))
    }

    mutating func add(_ fields: inout LineFields) throws {
        let line = try SightingLine(letter, octets, &fields)
        guard letter == .transaction else { return try judge.add(line.sighting) }
        if line.isOriginal { try originals.add(line.sighting) }
        guard let index = line.transaction else { return }
        var sighting = line.sighting
        sighting.purchases = [sighting.purchases[index]]
        try judge.add(sighting)
    }

    /// Ends the group, and writes what was found in it. A large group marks many claims: what does not fit into a
    /// piece is handed on at once.
    mutating func finish(_ output: inout LineWriter, write: @escaping (Span<UInt8>) throws -> Void) throws {
        findings.write = write
        defer { findings.write = nil }
        swap(&findings.line, &output)
        defer { swap(&findings.line, &output) }
        findings.begin(letter, octets)
        try judge.finish(&findings)
        if letter == .transaction { try originals.finish(&findings) }
    }
}

extension StreamKey.KeyLetter {
    /// What is grouped; for transactions, those that are not original.
    fileprivate var kind: KeyKind {
        switch self {
        case .receipt: .receipt
        case .transaction: .transaction
        case .device: .device
        case .account: .account
        }
    }
}

/// Writes what was found in groups: rows, and lines for the steps that follow.
private struct FindingLines: GroupFindings {
    var line = LineWriter()
    /// Takes lines when there are many.
    var write: ((Span<UInt8>) throws -> Void)?
    /// The group's key, as it stands in lines.
    private var key: [UInt8] = []
    private(set) var tally = FindingTally()
    private(set) var figures: SubscriptionFigures
    private var rows: RowWriter
    private var mark = ClaimMark(rule: 0, severity: .info)
    private let rules: RuleSet
    private let rings: RingSearch

    init(_ settings: StreamSettings) {
        rules = settings.rules
        rings = RingSearch(rules)
        rows = RowWriter(withCSV: settings.withCSV)
        figures = SubscriptionFigures(asOf: settings.expectations.asOf, policy: rules.policy)
    }

    mutating func begin(_ letter: StreamKey.KeyLetter, _ octets: [UInt8]) {
        key.removeAll(keepingCapacity: true)
        StreamKey.append(letter, octets.span, to: &key)
    }

    mutating func take(_ finding: Finding) throws -> Bool {
        guard !rules.isAllowed(finding) else {
            tally.countAllowed(finding)
            return false
        }
        tally.count(finding)
        rows.write(FindingRow(finding), to: &line.bytes)
        mark = ClaimMark(rule: finding.rule, severity: finding.severity)
        if rings.isJoining(finding) {
            // A group has at most one finding of each rule.
            let name = "\(finding.ruleID) \(String(decoding: key, as: UTF8.self))"
            mark.finding = name
            JoiningLine(finding: name, involved: finding.involved).write(to: &line)
        }
        return true
    }

    mutating func mark(_ sighting: Sighting) throws {
        ClaimLine.write(mark, on: ClaimPlace(number: sighting.claim), to: &line)
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
