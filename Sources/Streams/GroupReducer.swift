import Checks
import Encodings
import Engine
import Files
import Reports
import Rules
import Subscriptions

/// Evaluates what claims have in common, group by group.
///
/// A group of which a sum was read before is divided: other processes have other parts of it. Of such a group nothing is
/// held; it writes which claims of the part findings are about.
struct GroupReducer {
    private let rules: RuleSet
    private let asOf: Instant
    private let evaluator: GroupEvaluator
    /// For the original transactions whose ids transactions have.
    private let originals: GroupEvaluator
    private var letter = StreamKey.KeyLetter.receipt
    private var octets: [UInt8] = []
    private var findings: FindingLines
    /// What is known of groups that are divided.
    private var sums: [StreamKey: KeySum] = [:]
    /// The group, if it is divided.
    private var divided: DividedKey?

    init(_ settings: StreamSettings, folder: String) {
        rules = settings.rules
        asOf = settings.expectations.asOf
        evaluator = GroupEvaluator(rules, asOf: asOf, folder: folder)
        originals = GroupEvaluator(rules, asOf: asOf, folder: folder)
        findings = FindingLines(settings)
    }

    var tally: FindingTally { findings.tally }
    var figures: SubscriptionFigures { findings.figures }

    /// Adds what parts of a group add up to.
    mutating func add(sum fields: inout RecordReader, _ letter: StreamKey.KeyLetter, _ octets: [UInt8]) throws {
        let key = StreamKey.group(letter, octets)
        var sum = sums[key] ?? KeySum(rules, letter, octets)
        sums[key] = nil
        try sum.add(&fields)
        sums[key] = sum
    }

    mutating func begin(_ letter: StreamKey.KeyLetter, _ octets: [UInt8]) {
        self.letter = letter
        self.octets = octets
        divided = sums[.group(letter, octets)].map { DividedKey($0, rules, findings) }
        guard divided == nil else { return }
        evaluator.begin(GroupKey(letter.kind, octets: octets))
        originals.begin(GroupKey(.originalTransaction, octets: octets))
    }

    mutating func add(
        _ fields: inout RecordReader, _ output: inout LineWriter, write: @escaping (Span<UInt8>) throws -> Void
    ) throws {
        let line = try ObservationLine(letter, octets.span, &fields)
        let letter = letter
        guard divided == nil else {
            return try writing(&output, write) { findings, divided in try divided?.add(line, letter, &findings) }
        }
        let (own, original) = line.observations(under: letter)
        if let own { try evaluator.add(own) }
        if let original { try originals.add(original) }
    }

    /// Ends the group, and writes what was found in it. A large group marks many claims: what does not fit into a
    /// piece is handed on at once.
    mutating func finish(_ output: inout LineWriter, write: @escaping (Span<UInt8>) throws -> Void) throws {
        if let divided { return try divided.write(to: &output) }
        let (evaluator, originals, letter) = (evaluator, originals, letter)
        try writing(&output, write) { findings, _ in
            try evaluator.finish(&findings)
            if letter == .transaction { try originals.finish(&findings) }
        }
    }

    /// Starts with what was seen in the parts of a divided group.
    mutating func begin(seen letter: StreamKey.KeyLetter, _ octets: [UInt8]) throws(LineFault) {
        begin(letter, octets)
        guard divided != nil else { throw .malformed("nothing stands before it of what the group sums up to") }
    }

    /// Adds what was seen in one part, or in several together.
    mutating func add(seen fields: inout RecordReader) throws { try divided?.add(&fields) }

    /// Ends a divided group of which all parts were seen, and writes what was found in it.
    mutating func finishSeen(_ output: inout LineWriter, write: @escaping (Span<UInt8>) throws -> Void) throws {
        let asOf = asOf
        try writing(&output, write) { findings, divided in try divided?.finish(asOf: asOf, &findings) }
    }

    /// Lends the output to the findings.
    private mutating func writing(
        _ output: inout LineWriter, _ write: @escaping (Span<UInt8>) throws -> Void,
        _ body: (inout FindingLines, inout DividedKey?) throws -> Void
    ) throws {
        findings.write = write
        defer { findings.write = nil }
        swap(&findings.line, &output)
        defer { swap(&findings.line, &output) }
        try body(&findings, &divided)
    }
}

/// Writes what was found in groups: rows, and lines for the steps that follow.
struct FindingLines: GroupFindings {
    var line = LineWriter()
    /// Receives lines when there are many.
    var write: ((Span<UInt8>) throws -> Void)?
    private(set) var tally = FindingTally()
    private(set) var figures: SubscriptionFigures
    private var rows: TableLineWriter
    private var mark: Mark?
    private let rules: RuleSet
    private let rings: RingSearch

    init(_ settings: StreamSettings) {
        rules = settings.rules
        rings = RingSearch(rules)
        rows = TableLineWriter(withCSV: settings.withCSV)
        figures = SubscriptionFigures(asOf: settings.expectations.asOf, policy: rules.policy)
    }

    mutating func add(_ finding: Finding, under key: GroupKey) throws -> Bool {
        mark = mark(of: finding, under: key)
        guard let mark else {
            tally.countAllowed(finding, by: rules)
            return false
        }
        tally.count(finding)
        rows.write(ComparedFinding(FindingRow(finding), firstSeen: figures.asOf), to: &line.bytes)
        if let name = mark.finding { JoiningLine(finding: name, involved: finding.involved).write(to: &line) }
        return true
    }

    /// What a finding about the group makes of a claim; `nil` if the policy allows what it is about.
    func mark(of finding: Finding, under key: GroupKey) -> Mark? {
        rules.isAllowed(finding) ? nil : Mark(finding, under: key, rings)
    }

    mutating func mark(_ observation: Observation) throws {
        if let mark { try write(mark, on: observation) }
    }

    mutating func write(_ mark: Mark, on observation: Observation) throws {
        ClaimLine.write(mark, on: ClaimPlace(number: observation.claim), to: &line)
        guard let write, line.bytes.count >= ReduceStream.pieceSize else { return }
        let bytes = line.bytes
        try write(bytes.span)
        line.bytes.removeAll()
    }

    mutating func add(_ subscription: Subscription) throws {
        figures.take(subscription)
        rows.write(subscription.row, to: &line.bytes)
    }
}
