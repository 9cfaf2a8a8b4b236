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
struct GroupReducer {
    /// The accounts that are none.
    var placeholders = AccountPlaceholders()
    private let evaluator: GroupEvaluator
    /// The evaluator for original transactions with the ids of transactions.
    private let originals: GroupEvaluator
    private var letter = StreamKey.KeyLetter.receipt
    private var octets: [UInt8] = []
    private var findings: FindingLines

    init(_ settings: StreamSettings, folder: String) throws(OpenSSLError) {
        let (rules, asOf) = (settings.rules, settings.expectations.asOf)
        evaluator = GroupEvaluator(rules, asOf: asOf, folder: folder)
        originals = GroupEvaluator(rules, asOf: asOf, folder: folder)
        findings = try FindingLines(settings)
    }

    var figures: SubscriptionFigures { findings.figures }

    mutating func begin(_ letter: StreamKey.KeyLetter, _ octets: [UInt8]) {
        self.letter = letter
        self.octets = octets
        evaluator.begin(GroupKey(letter.kind, octets: octets))
        originals.begin(GroupKey(.originalTransaction, octets: octets))
    }

    mutating func add(_ fields: inout RecordReader) throws {
        let line = try ObservationLine(letter, octets.span, &fields, without: placeholders)
        guard let line else { return }
        let (own, original) = line.observations(under: letter)
        if let own { try evaluator.add(own) }
        if let original { try originals.add(original) }
    }

    /// Ends the group, and writes its findings. A large group marks many claims: each full piece is passed on at once.
    mutating func finish(_ output: inout LineWriter, write: @escaping (Span<UInt8>) throws -> Void) throws {
        findings.write = write
        defer { findings.write = nil }
        swap(&findings.line, &output)
        defer { swap(&findings.line, &output) }
        try evaluator.finish(&findings)
        if letter == .transaction { try originals.finish(&findings) }
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

    mutating func mark(_ observation: Observation, _ severity: Severity) throws {
        guard let found else { return }
        ClaimLine.write(Mark(found, severity), on: ClaimPlace(number: observation.claim), to: &line)
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

    mutating func add(_ part: EntityPart, of entity: Entity) throws {
        EntityReducer.write(part, of: entity, to: &line)
    }
}
