import Checks
package import Encodings
package import Files
package import Rules
import Sorting
import Subscriptions

extension RecordGroup {
    /// Evaluates the records together: by the rules, and as a subscription if they are one.
    func evaluate(
        _ wanted: WantedKeys, _ rules: RuleSet, asOf: Instant, _ findings: inout some GroupFindings
    ) throws {
        let isForSubscriptions = wanted.isForSubscriptions && key.kind == .originalTransaction
        let isForSupport =
            SupportSum.isFor(key) && (key.kind == .device ? wanted.isForEntities : wanted.isForSubscriptions)
        let isForRules = count >= wanted.minimum(key.kind)
        guard count > 0, isForSubscriptions || isForSupport || isForRules else { return }
        let gathered = try gathered()
        // Only a ring brings back claims of earlier runs alone.
        let isOfThisRun = try !wanted.isKept || gathered.holdsAny { !$0.claim.isEarlier }
        guard isOfThisRun else {
            return try evaluate(gathered, rules, onlyJoining: true, &findings)
        }
        if isForSupport { try support(gathered, asOf: asOf, &findings) }
        if isForSubscriptions, let transaction = try OriginalTransaction(gathered, asOf: asOf, rules.policy) {
            try findings.add(transaction)
        }
        if isForSubscriptions, findings.wantsAnswers { try answer(gathered, asOf: asOf, &findings) }
        if key.kind == .receipt, findings.hasEarlierRuns { try findMismatches(gathered, &findings) }
        if isForRules { try evaluate(gathered, rules, onlyJoining: false, &findings) }
    }

    /// - Parameter onlyJoining: whether to find only what may be part of a ring.
    private func evaluate(
        _ gathered: GatheredGroup, _ rules: RuleSet, onlyJoining: Bool, _ findings: inout some GroupFindings
    ) throws {
        var isMarking = false
        try rules.evaluate(
            gathered,
            onFinding: { isMarking = try (!onlyJoining || rules.isJoining($0)) && findings.add($0) },
            onMark: { if isMarking { try findings.mark($1, $2) } })
    }

    /// Finds the claims that do not match, of accounts that matched on the same proof in an earlier run.
    private func findMismatches(_ group: GatheredGroup, _ findings: inout some GroupFindings) throws {
        var accounts = DistinctSketch<ExactText>()
        try group.forEach { if $0.isMismatchOfAccount { accounts.insert($0.accountID) } }
        let mismatching = Set(accounts.sorted)
        guard !mismatching.isEmpty else { return }
        var known: Set<ExactText> = []
        try group.forEach { observation in
            guard observation.isMatching, mismatching.contains(observation.accountID),
                !known.contains(observation.accountID),
                try observation.claim.isEarlier || findings.hadClaim(observation.id)
            else { return }
            known.insert(observation.accountID)
        }
        guard !known.isEmpty else { return }
        try group.forEach { observation in
            guard observation.isMismatchOfAccount, known.contains(observation.accountID) else { return }
            try findings.add(ClaimWave(ofMismatch: observation), of: observation)
        }
    }

    /// Finds facts for customer support, if there is any evidence about the group.
    private func support(_ group: GatheredGroup, asOf: Instant, _ findings: inout some GroupFindings) throws {
        let isOriginal = key.kind == .originalTransaction
        let isDevice = key.kind == .device
        let isOfBuyer = isOriginal || key.kind == .accountToken
        guard try group.holdsAny(where: { isDevice || $0.isEvidence && (isOfBuyer || !$0.refundRequests.isEmpty) })
        else { return }
        var sum = SupportSum()
        try group.forEach { sum.take($0, under: group.key, asOf: asOf) }
        try findings.add(sum, of: group.key, asOf: asOf)
    }

    /// Passes the facts of all proofs to the answer for each claim whose receipt shows the original transaction.
    private func answer(_ group: GatheredGroup, asOf: Instant, _ findings: inout some GroupFindings) throws {
        guard try group.holdsAny(where: \.isAnswered) else { return }
        let parts = AnswerPart.records(of: try LatestTransactions(group, asOf: asOf))
        try group.forEach { observation in
            guard observation.isAnswered else { return }
            for part in parts { try findings.add(answer: part, on: observation.claim) }
        }
    }
}

extension Observation {
    /// Whether it is a genuine claim of this run that names an account, on a device that does not match.
    fileprivate var isMismatchOfAccount: Bool {
        isGenuine && kind == nil && deviceHash == .mismatch && !accountID.isEmpty && !claim.isEarlier && !isEvidence
    }

    /// Whether verifyReceipt would have answered: it is a genuine receipt of a claim of this run.
    fileprivate var isAnswered: Bool { isGenuine && kind == nil && !isEvidence && !claim.isEarlier }
}

/// Evaluates groups of observations that arrive one by one, as in `audit reduce`.
///
/// A group is held in memory up to a limit, and beyond it in temporary files.
package final class GroupEvaluator {
    private let rules: RuleSet
    private let wanted: WantedKeys
    private let asOf: Instant
    private var group: RecordGroup
    private var context = ObservationContext.claim
    private var record = RecordWriter()

    package init(_ rules: RuleSet, asOf: Instant, folder: String) {
        self.rules = rules
        wanted = WantedKeys(rules, isForSubscriptions: true, isForEntities: true)
        self.asOf = asOf
        group = RecordGroup(folder: folder)
    }

    package func begin(_ key: GroupKey) {
        group.begin(key)
        context = ObservationContext(key.kind, key.octets.span)
    }

    /// Adds a claim's observation under the group's key.
    package func add(_ observation: Observation) throws(FileError) {
        record.removeAll()
        ObservationRecord.write(observation, in: context, to: &record)
        let bytes = record.bytes
        try group.add(body: bytes.span)
    }

    /// Evaluates the group, if it is not empty, and drops it.
    package func finish(_ findings: inout some GroupFindings) throws {
        defer { group.clear() }
        try group.evaluate(wanted, rules, asOf: asOf, &findings)
    }
}

/// The results of the first two stages.
struct FoundFindings {
    /// The findings sorted by id, not yet merged.
    var findings: [SortedRun]
    var marks: [SortedRun]
    /// The marks on claims of earlier runs, by claim.
    var earlierMarks: [SortedRun]
    /// The subjects of earlier findings that claims of this run have.
    var met: Set<UInt64> = []
    /// The link facts of claims of earlier runs.
    var earlierFacts: [SortedRun] = []
    var breakdown: Breakdown
    var spellings = AccountSpellings()
    var subscriptions: [SortedRun]
    /// The parts of entities that groups show.
    var entityParts: [SortedRun] = []
    /// The parts of answers, by claim.
    var answers: [SortedRun] = []
    var figures: SubscriptionFigures
    /// The claims of customers whom earlier runs know, and which do not match now.
    var waves = WaveTally()
}

extension AuditRun {
    /// Evaluates claims with a common key together, on all cores: each worker takes slices of all keys.
    func reduce(
        _ mapped: MappedClaims, _ earlier: EarlierLinks = EarlierLinks(), withAnswers: Bool = false,
        isStopped: @escaping @Sendable () -> Bool, onProgress: (Progress) -> Void
    ) throws -> FoundFindings {
        let met = mapped.stores.reduce(into: Set()) { $0.formUnion($1.met) }
        let shuffled = try shuffle(
            mapped, recalling: earlier.keys(connectedWith: met), isStopped: isStopped)
        let runs = shuffled.observations
        let (first, share) = (mapped.stores.count, storage.divided(by: 4 * pipeline.workers))
        let stores = StoreList { [self] number in
            try WorkerStore(
                rules, asOf: expectations.asOf, withFigures: withFigures, withEntities: withEntities,
                withAnswers: withAnswers, number: first + number, storage: share)
        }
        let wanted = WantedKeys(
            rules, isForSubscriptions: withFigures, isForEntities: withEntities, isKept: history.hasEarlier)
        let buffers = share.memory
        var done = 0
        try pipeline.inParallel(
            PrefixSlice.count, isStopped: isStopped,
            makeWorker: {
                let worker = ReduceWorker(
                    rules: rules, wanted, store: try stores.add(),
                    history.hasEarlier ? try history.reader() : nil, folder: storage.folder, asOf: expectations.asOf,
                    isStopped: isStopped)
                return { try worker.reduce(RunMerge(runs, slice: PrefixSlice($0), budget: buffers)) }
            },
            write: { (_: Void) in
                done += 1
                let fraction = Double(done) / Double(PrefixSlice.count)
                onProgress(Progress(stage: .groups, fraction: fraction, tally: mapped.tally))
            })
        var found = try gather(mapped.stores + stores.all)
        found.earlierFacts = shuffled.earlierFacts
        return found
    }

    private func gather(_ stores: [WorkerStore]) throws -> FoundFindings {
        var found = FoundFindings(
            findings: [], marks: [], earlierMarks: [], breakdown: Breakdown(), subscriptions: [],
            figures: SubscriptionFigures(asOf: expectations.asOf, policy: rules.policy))
        for store in stores {
            found.findings += try store.findings.finish()
            found.marks += try store.marks.finish()
            found.earlierMarks += try store.earlierMarks.finish()
            found.breakdown += store.breakdown
            found.spellings += store.spellings
            found.subscriptions += try store.subscriptions.finish()
            found.answers += try store.answers?.finish() ?? []
            found.entityParts += try store.entityParts.finish()
            found.figures += store.figures
            found.waves += store.waves
            found.met.formUnion(store.met)
            if let failure = store.failure { throw failure }
        }
        return found
    }
}

/// Evaluates groups of claims, on one thread.
private final class ReduceWorker {
    private let rules: RuleSet
    private let wanted: WantedKeys
    private var findings: StoredFindings
    private let folder: String
    private let asOf: Instant
    private let isStopped: () -> Bool
    private var records = 0

    init(
        rules: RuleSet, _ wanted: WantedKeys, store: WorkerStore, _ earlier: (any HistoryReader)?, folder: String,
        asOf: Instant,
        isStopped: @escaping () -> Bool
    ) {
        self.rules = rules
        self.wanted = wanted
        findings = StoredFindings(store: store, earlier)
        self.folder = folder
        self.asOf = asOf
        self.isStopped = isStopped
    }

    /// Reads records in order, and evaluates those with the same key together.
    func reduce(_ merge: consuming RunMerge) throws {
        var group = RecordGroup(folder: folder)
        while !merge.isAtEnd {
            records += 1
            if records & 0xfff == 0, isStopped() { throw Interrupted() }
            if !merge.withRecord({ group.isKey(of: $0) }) {
                try group.evaluate(wanted, rules, asOf: asOf, &findings)
                try merge.withRecord { try group.begin($0) }
            }
            try merge.withRecord { try group.add($0) }
            try merge.advance()
        }
        try group.evaluate(wanted, rules, asOf: asOf, &findings)
    }
}

/// Puts findings into a worker's store.
private struct StoredFindings: GroupFindings {
    let store: WorkerStore
    private let earlier: (any HistoryReader)?
    /// The last finding, the one whose claims are marked.
    private var found: MergedFinding?

    init(store: WorkerStore, _ earlier: (any HistoryReader)?) {
        self.store = store
        self.earlier = earlier
    }

    var hasEarlierRuns: Bool { earlier != nil }
    func hadClaim(_ id: ClaimID) throws -> Bool { try earlier?.record(ofClaim: id.high) != nil }

    mutating func add(_ finding: Finding) throws -> Bool {
        let (found, isMarking) = try store.add(finding)
        self.found = found
        return isMarking
    }

    func mark(_ observation: Observation, _ severity: Severity) throws {
        guard let found else { return }
        let mark = Mark(found, severity)
        if observation.claim.isEarlier {
            try store.add(mark, onEarlier: observation.id)
        } else {
            try store.add(mark, on: observation.claim)
        }
    }

    func add(_ wave: ClaimWave, of mismatching: Observation) throws { try store.add(wave, of: mismatching) }
    func add(_ transaction: OriginalTransaction) throws { try store.add(transaction) }
    func add(_ part: EntityPart, of entity: Entity) throws { try store.add(part, of: entity) }

    var wantsAnswers: Bool { store.withAnswers }
    func add(answer part: [UInt8], on claim: ClaimNumber) throws { try store.add(answer: part, on: claim) }
}
