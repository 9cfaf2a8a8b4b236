import Checks
import Encodings
import Files
import Inputs
import Rules
import Sorting
import Synchronization

/// The table `fraud`, built from all findings: merged by subject, with rings, in the table's order.
struct FindingTable {
    private(set) var rows: [SortedRun] = []
    private(set) var counts = FindingCounts()

    /// - Parameter found: the findings by id, not yet merged. Workers take slices of them.
    init(
        _ found: [SortedRun], _ waves: WaveTally, _ placeholders: AccountPlaceholders, _ rules: RuleSet,
        _ history: RunHistory, _ storage: Storage, _ entities: EntityStage?, _ pipeline: OrderedPipeline,
        isStopped: @escaping @Sendable () -> Bool
    ) throws {
        for (wave, _) in waves.waves { counts.notices.insert(wave: wave.number) }
        let notices = counts.notices
        let share = storage.divided(by: 2 * pipeline.workers)
        // Without entities the lock is not taken, because threads would wait for each other there.
        let hasEntities = entities != nil
        let entities = Mutex(Shared(value: entities))
        let addEntity = { @Sendable (found: MergedFinding) throws -> Void in
            if hasEntities { try entities.withLock { try $0.value?.add(found) } }
        }
        let parts = Mutex(Shared<[FindingTablePart]>(value: []))
        try pipeline.inParallel(
            PrefixSlice.count, isStopped: isStopped,
            makeWorker: {
                let part = FindingTablePart(rules, notices, placeholders, history, share, onFinding: addEntity)
                parts.withLock { $0.value.append(part) }
                return { slice in
                    try part.take(RunMerge(found, slice: PrefixSlice(slice), budget: share.memory))
                }
            }, write: { (_: Void) in })
        let whole = FindingTablePart(rules, notices, placeholders, history, share, onFinding: addEntity)
        for part in parts.withLock({ $0 }).value {
            whole.add(part)
            rows += try part.finish()
        }
        try findRings(of: whole)
        rows += try whole.finish()
        counts.tally = whole.tally
        counts.atStake = whole.stake.amounts(rules)
        counts.urgentAtStake = whole.urgentStake.amounts(rules)
        counts.appsAtStake = whole.appStakes.amounts(rules)
        counts.usedRefundsAtStake = whole.usedRefunds.amounts(rules)
    }

    private mutating func findRings(of whole: FindingTablePart) throws {
        let identities = try IdentityHasher()
        var rings = whole.rings
        let members = try rings.find(
            identities, cleared: whole.cleared, onRing: whole.add, onAllowed: whole.addAllowed)
        for member in members { counts.notices.insert(member.finding, partOf: member.ring) }
        if let failure = identities.failure { throw failure }
    }
}

/// The totals over all findings.
struct FindingCounts {
    var tally = FindingTally()
    /// The ring of each finding that is part of one.
    var notices = FindingNotices()
    /// The total price of all transactions that findings concern, each once, in every currency, and the number without
    /// a price.
    var atStake: (amounts: [AmountAtStake], unpriced: Int) = ([], 0)
    /// The same for critical and high findings that are not doubtful.
    var urgentAtStake: (amounts: [AmountAtStake], unpriced: Int) = ([], 0)
    /// The same by app, in the app's currency.
    var appsAtStake: [ExactText: AmountAtStake] = [:]
    /// The same for purchases that were used after their refund.
    var usedRefundsAtStake: (amounts: [AmountAtStake], unpriced: Int) = ([], 0)
}

/// A part of the table `fraud`, for one thread at a time. Parts add up in any order.
private final class FindingTablePart {
    private let rules: RuleSet
    private let notices: FindingNotices
    private let history: RunHistory
    private let placeholders: AccountPlaceholders
    private let onFinding: (MergedFinding) throws -> Void
    private let sorter: ValueSorter<FindingRow>
    private(set) var tally = FindingTally()
    private(set) var stake = Stake()
    private(set) var urgentStake = Stake()
    private(set) var usedRefunds = Stake()
    /// The findings that a review closed as `ok`, which put nothing at stake.
    private(set) var cleared: Set<FindingID> = []
    private(set) var appStakes = AppStakes()
    private(set) var rings: Rings

    /// - Parameter onFinding: called with each finding that the policy does not allow.
    init(
        _ rules: RuleSet, _ notices: FindingNotices, _ placeholders: AccountPlaceholders, _ history: RunHistory,
        _ storage: Storage, onFinding: @escaping (MergedFinding) throws -> Void
    ) {
        self.rules = rules
        self.notices = notices
        self.placeholders = placeholders
        self.history = history
        self.onFinding = onFinding
        sorter = ValueSorter(storage)
        rings = Rings(rules)
    }

    /// Adds all findings about some subjects.
    func take(_ found: consuming RunMerge) throws {
        // Ring candidates are added part by part, as when parts come from several processes.
        let addToRings = { (part: MergedFinding) in
            if !self.rules.isAllowed(part.finding, id: part.id) { self.rings.add(part) }
        }
        try MergedFinding.forEach(in: found, onPart: addToRings) { found in
            var found = found
            if notices.isWave(found.finding.wave) { found.lowerInWave() }
            found.remove(placeholders)
            if rules.isAllowed(found.finding, id: found.id) { addAllowed(found) } else { try add(found) }
        }
    }

    /// Adds a complete finding.
    func add(_ found: MergedFinding) throws {
        try onFinding(found)
        tally.count(found.finding)
        var row = found.row(rules)
        row.isAboutMore = try history.isAboutMore(found.finding)
        if try history.isCleared(row) {
            cleared.insert(found.id)
        } else {
            stake.add(found.finding.stake)
            if row.severity >= .high, row.confidence != .doubtful { urgentStake.add(found.finding.stake) }
            appStakes.add(found.finding.stake, rules.policy)
            if RuleBook.isAboutUsedRefund(found.finding) { usedRefunds.add(found.finding.stake) }
        }
        try sorter.add(row)
    }

    /// Counts a finding that the policy allows.
    func addAllowed(_ found: MergedFinding) { tally.countAllowed(found.finding, id: found.id, by: rules) }

    /// Adds everything of another part except its rows.
    func add(_ other: FindingTablePart) {
        tally += other.tally
        stake.add(other.stake)
        urgentStake.add(other.urgentStake)
        usedRefunds.add(other.usedRefunds)
        cleared.formUnion(other.cleared)
        appStakes.add(other.appStakes)
        rings.add(other.rings)
    }

    /// Returns the rows, in the table's order.
    func finish() throws(FileError) -> [SortedRun] { try sorter.finish() }
}
