import Checks
import Encodings
import Engine
import Files
import Inputs
import Proofs
import Reports
import Rules
import Subscriptions

/// Evaluates claims with a common key, group by group.
///
/// A group with a preceding sum is divided: other processes have other parts of it. Such a group is not held in memory;
/// the claims in this part that findings are about are written out.
struct GroupReducer {
    /// The accounts that are none.
    var placeholders = AccountPlaceholders()
    private let rules: RuleSet
    private let asOf: Instant
    private let folder: String
    private let evaluator: GroupEvaluator
    /// The evaluator for original transactions with the ids of transactions.
    private let originals: GroupEvaluator
    private var letter = StreamKey.KeyLetter.receipt
    private var octets: [UInt8] = []
    private var findings: FindingLines
    /// The sums of divided groups.
    private var sums: [StreamKey: KeySum] = [:]
    /// The group, if it is divided.
    private var divided: DividedKey?

    init(_ settings: StreamSettings, folder: String) throws(OpenSSLError) {
        rules = settings.rules
        asOf = settings.expectations.asOf
        self.folder = folder
        evaluator = GroupEvaluator(rules, asOf: asOf, folder: folder)
        originals = GroupEvaluator(rules, asOf: asOf, folder: folder)
        findings = try FindingLines(settings)
    }

    var figures: SubscriptionFigures { findings.figures }

    /// Adds the sum of parts of a group.
    mutating func add(sum fields: inout RecordReader, _ letter: StreamKey.KeyLetter, _ octets: [UInt8]) throws {
        let key = StreamKey.group(letter, octets)
        var sum = sums[key] ?? KeySum(rules, letter, octets, asOf: asOf)
        sums[key] = nil
        try sum.add(&fields)
        sums[key] = sum
    }

    mutating func begin(_ letter: StreamKey.KeyLetter, _ octets: [UInt8]) {
        self.letter = letter
        self.octets = octets
        divided = sums[.group(letter, octets)].map { DividedKey($0, rules, findings, folder: folder) }
        guard divided == nil else { return }
        evaluator.begin(GroupKey(letter.kind, octets: octets))
        originals.begin(GroupKey(.originalTransaction, octets: octets))
    }

    mutating func add(
        _ fields: inout RecordReader, _ output: inout LineWriter, write: @escaping (Span<UInt8>) throws -> Void
    ) throws {
        let line = try ObservationLine(letter, octets.span, &fields, without: placeholders)
        guard let line else { return }
        let letter = letter
        guard divided == nil else {
            return try writing(&output, write) { findings, divided in try divided?.add(line, letter, &findings) }
        }
        let (own, original) = line.observations(under: letter)
        if let own { try evaluator.add(own) }
        if let original { try originals.add(original) }
    }

    /// Counts the last added line.
    ///
    /// - Returns: whether its group is divided.
    mutating func count(_ checksum: UInt32) -> Bool {
        guard divided != nil else { return false }
        divided?.lines.add(checksum)
        return true
    }

    /// Ends the group, and writes its findings. A large group marks many claims: each full piece is passed on at once.
    mutating func finish(_ output: inout LineWriter, write: @escaping (Span<UInt8>) throws -> Void) throws {
        if let divided { return try divided.write(to: &output) }
        let (evaluator, originals, letter) = (evaluator, originals, letter)
        try writing(&output, write) { findings, _ in
            try evaluator.finish(&findings)
            if letter == .transaction { try originals.finish(&findings) }
        }
    }

    /// Begins the claims seen in the parts of a divided group.
    mutating func begin(seen letter: StreamKey.KeyLetter, _ octets: [UInt8]) throws(LineFault) {
        begin(letter, octets)
        guard divided != nil else { throw .malformed("the aggregate of its group does not precede it") }
    }

    /// Adds the claims seen in one part, or in several.
    mutating func add(seen fields: inout RecordReader) throws { try divided?.add(&fields) }

    /// Ends a divided group after all parts were seen, and writes its findings.
    mutating func finishSeen(_ output: inout LineWriter, write: @escaping (Span<UInt8>) throws -> Void) throws {
        try writing(&output, write) { findings, divided in try divided?.finish(&findings) }
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

/// Writes the findings in groups: subscriptions' rows, and lines for the following steps.
struct FindingLines: GroupFindings {
    var line = LineWriter()
    /// Receives lines when there are many.
    var write: ((Span<UInt8>) throws -> Void)?
    private(set) var figures: SubscriptionFigures
    private var rows: TableLineWriter
    private var found: MergedFinding?
    private let rules: RuleSet
    private let rings: RingSearch
    private let identities: IdentityHasher

    init(_ settings: StreamSettings) throws(OpenSSLError) {
        rules = settings.rules
        rings = RingSearch(rules)
        identities = try IdentityHasher()
        rows = TableLineWriter(withCSV: settings.withCSV)
        figures = SubscriptionFigures(asOf: settings.expectations.asOf, policy: rules.policy)
    }

    mutating func add(_ finding: Finding) throws -> Bool {
        let found = MergedFinding(finding, identities)
        if let failure = identities.failure { throw failure }
        self.found = found
        FindingLine.write(found, to: &line)
        guard !rules.isAllowed(finding, id: found.id) else { return false }
        if rings.isJoining(finding) { JoiningLine.write(found, to: &line) }
        return true
    }

    /// Returns a finding about a divided group; `nil` if its claims are not marked.
    func marking(_ finding: Finding) -> MergedFinding? {
        let found = MergedFinding(finding, identities)
        return rules.isAllowed(finding, id: found.id) ? nil : found
    }

    mutating func mark(_ observation: Observation, _ severity: Severity) throws {
        guard let found else { return }
        try write(Mark(found, severity), on: observation)
    }

    /// Writes a claim of a divided key whose marks wait until all parts were seen.
    mutating func write(presented claim: ObservationLine, _ letter: StreamKey.KeyLetter, _ octets: [UInt8]) throws {
        SeenLine.write(claim, letter, octets, to: &line)
        try handOn()
    }

    mutating func write(_ mark: Mark, on observation: Observation) throws {
        ClaimLine.write(mark, on: ClaimPlace(number: observation.claim), to: &line)
        try handOn()
    }

    /// Passes on the lines when there are many.
    private mutating func handOn() throws {
        guard let write, line.bytes.count >= ReduceStream.pieceSize else { return }
        let bytes = line.bytes
        try write(bytes.span)
        line.bytes.removeAll()
    }

    mutating func add(_ transaction: OriginalTransaction) throws {
        figures.take(transaction)
        guard case .subscription(let subscription) = transaction else { return }
        rows.write(subscription.row, of: SubscriptionsTable.self, to: &line)
    }

    /// Writes the row of a purchase of any date. The summary knows which dates are too early or too late for the table.
    mutating func add(_ purchase: UnclaimedPurchase) throws {
        rows.write(purchase, of: UnclaimedTable.self, to: &line)
    }

    mutating func add(_ part: EntityPart, of entity: Entity) throws {
        EntityReducer.write(part, of: entity, to: &line)
    }
}
