import Checks
import Encodings
import Files
import Rules
import Sorting
import Subscriptions

/// What one worker has found out and cannot hand on yet: facts under their keys, findings, and which claims
/// they are about. Sorted, in memory or in files.
final class WorkerStore {
    private var census: KeyIndex
    private let findings: RecordSorter
    private let marks: RecordSorter
    private let subscriptions: RecordSorter
    private var record = RecordWriter()
    private(set) var tally = FindingTally()
    private(set) var breakdown = Breakdown()
    private(set) var figures: SubscriptionFigures
    /// What the findings that may make a ring are about.
    private(set) var joining: [Involved] = []
    /// Tells this worker's joining findings from others'.
    private let number: Int
    let withFigures: Bool
    /// In a run that remembers earlier ones.
    let memory: WorkerCache?
    private let rules: RuleSet
    private let rings: RingSearch
    private var postponed: [PostponedBlock] = []

    /// - Parameter withFigures: whether anybody asks for subscriptions and for what receipts say of themselves.
    init(
        _ rules: RuleSet, asOf: Instant, withFigures: Bool = true, number: Int, memory: WorkerCache? = nil,
        storage: Storage
    ) {
        // Little is found, compared with what keys need.
        let budget = storage.memory / 32
        self.withFigures = withFigures
        self.memory = memory
        figures = SubscriptionFigures(asOf: asOf, policy: rules.policy)
        subscriptions = RecordSorter(budget: budget, folder: storage.folder)
        self.rules = rules
        self.number = number
        rings = RingSearch(rules)
        census = KeyIndex(
            WantedKeys(rules, isForSubscriptions: withFigures, remembers: memory != nil), worker: number,
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

    /// Notes what a claim says under each of its keys, and gives back what was noted.
    func note(_ observations: ClaimObservations) throws(FileError) -> NotedClaim? {
        let noted = try census.note(observations, identity: memory?.identity)
        if let noted { try memory?.keep(noted) }
        return noted
    }

    /// Notes a claim as it was noted in an earlier run.
    func note(_ claim: NotedClaim, number: UInt64) throws(FileError) { try census.note(claim, number: number) }

    /// Leaves it for later, if at all, to note what the claims of a block have to say that was met in an earlier run.
    func postpone(_ block: PostponedBlock) { postponed.append(block) }

    /// Notes what was left for later.
    func notePostponed(asOf: Instant, isStopped: () -> Bool) throws {
        defer { postponed = [] }
        for block in postponed {
            if isStopped() { throw Interrupted() }
            let output = try memory?.output(of: block) ?? []
            // It was read before, in the same way.
            guard let replay = BlockReplay(output.span, asOf: asOf, formats: block.formats) else { continue }
            try replay.forEachClaim { index, claim in try note(claim, number: block.firstClaim + UInt64(index)) }
        }
    }

    /// Notes a finding.
    ///
    /// - Returns: what to mark the claims with that it is about; `nil` if the policy allows its subject.
    func note(_ finding: Finding) throws(FileError) -> Mark? {
        guard !rules.isAllowed(finding) else {
            tally.countAllowed(finding, by: rules)
            return nil
        }
        tally.count(finding)
        record.removeAll()
        FindingRecord.write(finding, to: &record)
        let bytes = record.bytes
        try findings.add(FindingRecord.prefix(of: finding), bytes.span)
        var mark = Mark(rule: finding.rule, severity: finding.severity)
        if rings.isJoining(finding) {
            joining.append(finding.involved)
            mark.joining = JoiningID(worker: number, index: joining.count - 1)
        }
        return mark
    }

    /// Notes a finding about one claim as it was noted in an earlier run.
    func note(_ finding: ClaimFinding) throws(FileError) -> Mark? {
        guard !rules.isAllowed(finding.finding) else {
            tally.countAllowed(finding.finding, by: rules)
            return nil
        }
        tally.count(finding.finding)
        try findings.add(finding.prefix, finding.record.span)
        return Mark(rule: finding.rule, severity: finding.severity)
    }

    func note(_ mark: Mark, on claim: UInt64) throws(FileError) {
        record.removeAll()
        mark.write(to: &record)
        let bytes = record.bytes
        try marks.add(claim, bytes.span)
    }

    func note(_ subscription: Subscription) throws(FileError) {
        figures.take(subscription)
        record.removeAll()
        SubscriptionRecord.write(subscription.row, to: &record)
        let bytes = record.bytes
        try subscriptions.add(SubscriptionRecord.prefix(of: subscription.row), bytes.span)
    }

    func finishSubscriptions() throws(FileError) -> [SortedRun] { try subscriptions.finish() }
    func finishHashes() throws(FileError) -> KeyPieces { try census.finishHashes() }
    func drainClaims(_ body: (WorkerClaimID, Span<UInt8>) throws -> Void) throws { try census.drain(body) }
    func finishFindings() throws(FileError) -> [SortedRun] { try findings.finish() }
    func finishMarks() throws(FileError) -> [SortedRun] { try marks.finish() }
}

/// Where a run keeps what it cannot hand on yet.
public struct Storage: Sendable {
    /// How many bytes may be held in memory, about; what is more goes to temporary files.
    public var memory: Int
    /// Where temporary files go. They have no names, so nothing is left of them however the process ends.
    public var folder: String

    public init(memory: Int, folder: String) {
        self.memory = memory
        self.folder = folder
    }

    /// An equal part for each of so many.
    func divided(by count: Int) -> Storage { Storage(memory: memory / max(1, count), folder: folder) }
}
