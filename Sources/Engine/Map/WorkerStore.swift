import Checks
import Encodings
import Files
import Rules
import Sorting
import Subscriptions
import Synchronization

/// What one worker has found out and cannot hand on yet: facts under their keys, findings, and which claims
/// they are about. Sorted, in memory or in files.
final class WorkerStore {
    private var index: KeyIndex
    private let findings: RecordSorter
    private let marks: RecordSorter
    private let subscriptions: RecordSorter
    private var record = RecordWriter()
    private(set) var tally = FindingTally()
    private(set) var breakdown = Breakdown()
    private(set) var figures: SubscriptionFigures
    /// What the findings that may make a ring are about, by name.
    private(set) var joining: [ExactText: Involved] = [:]
    let withFigures: Bool
    /// In a run with a ledger.
    let cache: WorkerCache?
    private let rules: RuleSet
    private let rings: RingSearch
    private var postponed: [PostponedBlock] = []

    /// - Parameter withFigures: whether anybody asks for subscriptions and for what receipts say of themselves.
    init(
        _ rules: RuleSet, asOf: Instant, withFigures: Bool = true, number: Int, cache: WorkerCache? = nil,
        storage: Storage
    ) {
        // Little is found, compared with what keys need.
        let budget = storage.memory / 32
        self.withFigures = withFigures
        self.cache = cache
        figures = SubscriptionFigures(asOf: asOf, policy: rules.policy)
        subscriptions = RecordSorter(budget: budget, folder: storage.folder)
        self.rules = rules
        rings = RingSearch(rules)
        index = KeyIndex(
            WantedKeys(rules, isForSubscriptions: withFigures, isCached: cache != nil), worker: number,
            storage: storage)
        findings = RecordSorter(budget: budget, folder: storage.folder)
        marks = RecordSorter(budget: budget, folder: storage.folder)
    }

    func count(_ facts: Facts) {
        if withFigures { breakdown.count(facts, rules.policy) }
    }

    func count(_ breakdown: Breakdown) {
        if withFigures { self.breakdown += breakdown }
    }

    /// Adds what a claim says under each of its keys.
    ///
    /// - Returns: what was added; `nil` without keys.
    func add(_ observations: ClaimObservations) throws(FileError) -> KeyedClaim? {
        let noted = try index.add(observations, identity: cache?.identity)
        if let noted { try cache?.add(noted) }
        return noted
    }

    /// Adds a claim as it was added in an earlier run.
    func add(_ claim: KeyedClaim, number: UInt64) throws(FileError) { try index.add(claim, number: number) }

    /// Puts off, until it is known to be needed, what the claims of a block of an earlier run say.
    func postpone(_ block: PostponedBlock) { postponed.append(block) }

    /// Adds what was put off.
    func addPostponed(asOf: Instant, isStopped: () -> Bool) throws {
        defer { postponed = [] }
        for block in postponed {
            if isStopped() { throw Interrupted() }
            let output = try cache?.output(of: block) ?? []
            // All but the claims was read before. Without these, findings would be missing.
            guard let replay = BlockReplay(output.span, asOf: asOf, formats: block.formats) else {
                throw RecordError.malformed
            }
            try replay.forEachClaim { index, claim in try add(claim, number: block.firstClaim + UInt64(index)) }
        }
    }

    /// Adds a finding.
    ///
    /// - Parameter key: what its claims have in common; `nil` if it is about one claim by itself, or is a ring.
    /// - Returns: what to mark the claims with that it is about; `nil` if the policy allows its subject.
    func add(_ finding: Finding, under key: GroupKey?) throws(FileError) -> Mark? {
        guard !rules.isAllowed(finding) else {
            tally.countAllowed(finding, by: rules)
            return nil
        }
        tally.count(finding)
        record.removeAll()
        FindingRecord.write(FindingRow(finding), to: &record)
        try findings.add(FindingRecord.prefix(of: finding), record)
        guard let key else { return Mark(rule: finding.rule, severity: finding.severity) }
        let mark = Mark(finding, under: key, rings)
        if let name = mark.finding { joining[name] = finding.involved }
        return mark
    }

    /// Adds a finding about one claim as it was added in an earlier run.
    func add(_ finding: ClaimFinding) throws(FileError) -> Mark? {
        guard !rules.isAllowed(finding.finding) else {
            tally.countAllowed(finding.finding, by: rules)
            return nil
        }
        tally.count(finding.finding)
        try findings.add(finding.prefix, finding.record.span)
        return Mark(rule: finding.rule, severity: finding.severity)
    }

    func add(_ mark: Mark, on claim: UInt64) throws(FileError) {
        var mark = mark
        record.removeAll()
        mark.code(&record)
        try marks.add(claim, record)
    }

    func add(_ subscription: Subscription) throws(FileError) {
        figures.take(subscription)
        record.removeAll()
        SubscriptionRecord.write(subscription.row, to: &record)
        try subscriptions.add(SubscriptionRecord.prefix(of: subscription.row), record)
    }

    func finishSubscriptions() throws(FileError) -> [SortedRun] { try subscriptions.finish() }
    func finishHashes() throws(FileError) -> KeyPieces { try index.finishHashes() }
    func drainClaims(_ body: (WorkerClaimID, Span<UInt8>) throws -> Void) throws { try index.drain(body) }
    func finishFindings() throws(FileError) -> [SortedRun] { try findings.finish() }
    func finishMarks() throws(FileError) -> [SortedRun] { try marks.finish() }
}

/// The stores of all workers of a stage. Each is one worker's until all have ended.
final class StoreList: Sendable {
    private struct Stores: @unchecked Sendable {
        var list: [WorkerStore] = []
    }

    private let stores = Mutex(Stores())
    private let rules: RuleSet
    private let asOf: Instant
    private let withFigures: Bool
    private let cache: RunCache?
    private let storage: Storage
    private let firstNumber: Int

    /// - Parameter firstNumber: the number of the first store.
    init(
        _ rules: RuleSet, asOf: Instant, withFigures: Bool, _ cache: RunCache? = nil, _ storage: Storage,
        firstNumber: Int = 0
    ) {
        self.withFigures = withFigures
        self.cache = cache
        self.rules = rules
        self.asOf = asOf
        self.storage = storage
        self.firstNumber = firstNumber
    }

    func add() throws -> WorkerStore {
        try stores.withLock { stores in
            let store = WorkerStore(
                rules, asOf: asOf, withFigures: withFigures, number: firstNumber + stores.list.count,
                cache: try cache.map { try WorkerCache($0, storage: storage) }, storage: storage)
            stores.list.append(store)
            return store
        }
    }

    var all: [WorkerStore] { stores.withLock { $0.list } }
}

/// Where a run stores what does not fit in memory.
public struct Storage: Sendable {
    /// How many bytes may be held in memory, about; the excess spills to temporary files.
    public var memory: Int
    /// Where temporary files go. They have no names, so nothing is left of them however the process ends.
    public var folder: String

    public init(memory: Int, folder: String) {
        self.memory = memory
        self.folder = folder
    }

    /// An equal part for each of `count` threads.
    func divided(by count: Int) -> Storage { Storage(memory: memory / max(1, count), folder: folder) }
}
