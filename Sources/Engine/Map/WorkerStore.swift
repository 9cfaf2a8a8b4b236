import Checks
import Encodings
import Files
import Inputs
import Proofs
import Rules
import Sorting
import Subscriptions
import Synchronization

/// The results that one worker collects until all claims are checked: facts under their keys, findings, and the claims
/// of findings. Sorted, in memory or in files.
final class WorkerStore {
    private var index: KeyIndex
    let findings: ValueSorter<MergedFinding>
    let marks: RecordSorter
    /// The marks on claims of earlier runs, by claim id.
    let earlierMarks: ValueSorter<Keyed<ClaimID, Mark>>
    let subscriptions: ValueSorter<SubscriptionRow>
    /// The parts of entities that groups show.
    let entityParts: ValueSorter<Keyed<Entity, EntityPart>>
    /// The parts of answers, by claim number; `nil` if they are not wanted.
    let answers: RecordSorter?
    private var record = RecordWriter()
    private(set) var breakdown = Breakdown()
    private(set) var spellings = AccountSpellings()
    private(set) var figures: SubscriptionFigures
    /// The claims of customers whom earlier runs know, and which do not match now.
    var waves = WaveTally()
    /// The proofs to compare with those of earlier runs, if there are any.
    private(set) var proofs = PresentedProofs()
    private let hasEarlier: Bool
    let withFigures: Bool
    /// What is seen of the products in sales reports; `nil` without reports.
    let sold: SaleCollector?
    /// The claims to store for later runs; `nil` without a ledger.
    let kept: RecordSorter?
    private let rules: RuleSet
    private let identities: IdentityHasher
    private let reported: ReportedSubjects
    /// The subjects of earlier findings that claims have.
    private(set) var met: Set<UInt64> = []

    /// - Parameters:
    ///   - withFigures: whether to collect subscriptions and the content of receipts.
    ///   - withEntities: whether to find devices on which several accounts match.
    ///   - hasEvidence: whether the run has evidence.
    init(
        _ rules: RuleSet, asOf: Instant, withFigures: Bool = true, withEntities: Bool = false,
        hasEvidence: Bool = false, withAnswers: Bool = false, number: Int,
        history: RunHistory = .none, reported: ReportedSubjects = ReportedSubjects(), sales: SalesReports? = nil,
        storage: Storage
    ) throws {
        // Findings need little memory, compared with keys.
        let small = storage.divided(by: 32)
        answers = withAnswers ? RecordSorter(budget: small.memory, folder: small.folder) : nil
        self.withFigures = withFigures
        hasEarlier = history.hasEarlier
        sold = sales.map { SaleCollector($0, rules.policy, storage) }
        kept = history.isKept ? RecordSorter(budget: storage.memory / 8, folder: storage.folder) : nil
        figures = SubscriptionFigures(asOf: asOf, policy: rules.policy)
        subscriptions = ValueSorter(small)
        entityParts = ValueSorter(small)
        self.rules = rules
        identities = try IdentityHasher()
        self.reported = reported
        index = KeyIndex(
            WantedKeys(
                rules, isForSubscriptions: withFigures, isForEntities: withEntities, hasEvidence: hasEvidence,
                isKept: history.isKept),
            worker: number, storage: storage)
        findings = ValueSorter(small)
        earlierMarks = ValueSorter(small)
        marks = RecordSorter(budget: small.memory, folder: small.folder)
    }

    func count(_ facts: Facts) {
        if withFigures { breakdown.count(facts, rules.policy) }
    }

    /// Adds a claim's observations under each of its keys.
    ///
    /// - Parameter input: the number of its INPUT.
    func add(_ observations: ClaimObservations, ofInput input: Int = 0) throws(FileError) {
        if hasEarlier { proofs.add(observations, ofInput: input) }
        try sold?.add(observations)
        guard var noted = try note(observations) else { return }
        if observations.isAmended, let own = index.note(observations.own) { noted = own }
        try keep(noted)
    }

    /// Stores a claim for later runs.
    private func keep(_ claim: KeyedClaim) throws(FileError) { try kept?.add(claim.identity, claim.record.span) }

    private func note(_ observations: ClaimObservations) throws(FileError) -> KeyedClaim? {
        spellings.insert(observations.presented.accountID)
        guard let noted = index.note(observations) else { return nil }
        try index.add(noted)
        recordReported(noted)
        return noted
    }

    /// Adds evidence about a subscription.
    func add(evidence: ClaimObservations) throws(FileError) {
        try sold?.add(evidence)
        guard let noted = index.note(evidence) else { return }
        try index.add(noted)
        try keep(noted)
    }

    private func recordReported(_ claim: KeyedClaim) {
        reported.add(of: claim.caseID, claim.keys, to: &met)
    }

    /// Returns a finding with its id.
    func named(_ finding: Finding) -> MergedFinding { MergedFinding(finding, identities) }

    /// Adds a finding.
    ///
    /// - Returns: the finding with its id, and whether to mark its claims: not if the policy allows its subject.
    func add(_ finding: Finding) throws(FileError) -> (found: MergedFinding, isMarking: Bool) {
        let found = MergedFinding(finding, identities)
        return (found, try add(found))
    }

    /// Adds a finding, or a part of one.
    ///
    /// - Returns: whether to mark its claims.
    func add(_ found: MergedFinding) throws(FileError) -> Bool {
        try findings.add(found)
        return !rules.isAllowed(found.finding, id: found.id)
    }

    /// Adds a finding about a claim by itself, and marks the claim.
    func add(_ found: MergedFinding, on claim: ClaimNumber) throws(FileError) {
        guard try add(found) else { return }
        try add(Mark(ofClaim: found), on: claim)
    }

    /// Counts a claim that does not match, and adds its wave to the finding about it.
    func add(_ wave: ClaimWave, of mismatching: Observation) throws(FileError) {
        guard let finding = rules.part(of: wave, about: mismatching) else { return }
        waves.add(wave, of: mismatching.accountID)
        try findings.add(named(finding))
    }

    func add(_ mark: Mark, on claim: ClaimNumber) throws(FileError) {
        var mark = mark
        record.removeAll()
        mark.code(&record)
        try marks.add(claim.rawValue, record)
    }

    /// Marks a claim of an earlier run, which has no row, but may have links.
    func add(_ mark: Mark, onEarlier claim: ClaimID) throws(FileError) {
        try earlierMarks.add(Keyed(claim, mark))
    }

    /// Adds a subscription with its row, or a one-time purchase, which only figures count.
    func add(_ transaction: OriginalTransaction) throws(FileError) {
        figures.take(transaction)
        guard case .subscription(let subscription) = transaction else { return }
        try subscriptions.add(subscription.row)
    }

    /// Adds what a group shows of an entity.
    func add(_ part: EntityPart, of entity: Entity) throws(FileError) {
        try entityParts.add(Keyed(entity, part))
    }

    /// Whether parts of answers are wanted.
    var withAnswers: Bool { answers != nil }

    /// Adds a part of the answer about a claim's receipt.
    func add(answer part: [UInt8], on claim: ClaimNumber) throws(FileError) {
        try answers?.add(claim.rawValue, part.span)
    }

    func finishHashes() throws(FileError) -> [SortedRun] { try index.finishHashes() }
    func drainClaims(_ body: (WorkerClaimID, Span<UInt8>) throws -> Void) throws { try index.drain(body) }

    /// The reason why an id could not be computed.
    var failure: OpenSSLError? { identities.failure }
}

/// The stores of all workers of a stage. Each belongs to one worker until all have ended.
final class StoreList: Sendable {
    private let stores = Mutex(Shared<[WorkerStore]>(value: []))
    private let make: @Sendable (_ number: Int) throws -> WorkerStore

    /// - Parameter make: makes the store with a number, from 0.
    init(_ make: @escaping @Sendable (_ number: Int) throws -> WorkerStore) { self.make = make }

    func add() throws -> WorkerStore {
        try stores.withLock { stores in
            let store = try make(stores.value.count)
            stores.value.append(store)
            return store
        }
    }

    var all: [WorkerStore] { stores.withLock { $0.value } }
}

/// Where a run stores data that does not fit in memory.
public struct Storage: Sendable {
    /// The approximate number of bytes in memory; the excess spills to temporary files.
    public var memory: Int
    /// The folder for temporary files. They have no names, so nothing remains of them however the process ends.
    public var folder: String

    public init(memory: Int, folder: String) {
        self.memory = memory
        self.folder = folder
    }

    /// Returns an equal part for each of `count` threads.
    package func divided(by count: Int) -> Storage { Storage(memory: memory / max(1, count), folder: folder) }
}
