import Checks
public import Encodings
import Files
public import Ledgers
import Proofs
public import Rules
import Sorting
import Synchronization

/// What a run knows of earlier ones, and what it leaves to later ones, in a ledger.
///
/// The map stage is a pure function of a block of claims and of settings; so the result of a block is stored under a hash of
/// both, and a block that comes again is not checked again. What claims say under their keys is stored, too, so that
/// claims are correlated across runs.
///
/// The ledger is written by the thread that runs the stages; other threads read what was there before.
public final class RunCache: Sendable {
    private struct State: @unchecked Sendable {
        let ledger: Ledger
        let hasher: ContentHasher
        /// A hash of all blocks' keys, in order.
        var blocks = [UInt8](repeating: 0, count: 32)
        var isUnchanged = true
        var hasEvidence = false
        /// The blocks of the last run that this one has, too, and the number of their claims.
        var usedBlocks: Set<Int64> = []
        var usedClaims = 0
        /// How many observations of earlier runs this one has, too.
        var knownObservationCount = 0
        var runs = NewRuns()
        var work = CacheUse()

        mutating func count(_ key: BlockKey) {
            blocks += key.octets
            let chain = blocks
            blocks = hasher.digest(of: chain.span).bytes
        }
    }

    /// What is new in this run, to be kept when it ends.
    struct NewRuns: @unchecked Sendable {
        var claims: [SortedRun] = []
        var observations: [SortedRun] = []
        var signatures: [SortedRun] = []
        var statements: [SortedRun] = []
    }

    /// What records are written in the ledger. To be changed whenever what they say or mean does.
    public static let format = "18"

    private let state: Mutex<State>
    let lastRun: LedgerRun?
    /// This run's number in the ledger.
    public let run: Int64
    /// Whether the ledger was damaged, and this is a new one.
    public let wasReset: Bool
    /// The blocks of the last run, if it had all claims that there are.
    private let lastBlocks: Set<Int64>
    /// A hash of everything that the result of a block depends on, except the block.
    let settings: [UInt8]
    /// Whether files are taken for what they were if size, times of modification and change, inode and device are the same.
    let trustsStatus: Bool
    /// When the audit is made for.
    let asOf: Instant
    /// In nanoseconds since the epoch: files that were changed later may be changed again without seeming so.
    let settledBefore: Int64
    /// Whether there are no claims of earlier runs.
    private let isNew: Bool
    /// The number of the last review of a finding; 0 if there is none.
    let lastReview: Int64
    /// How many observations earlier runs left.
    private let earlierObservations: Int

    /// - Parameters:
    ///   - settings: a hash of everything that the result of a claim depends on, except the claim and the reference time
    ///     (``settings(_:rules:)``).
    ///   - startedAt: when this run began, by the clock.
    public init(
        _ ledger: sending Ledger, settings: [UInt8], asOf: Instant, trustsStatus: Bool, startedAt: Instant
    ) throws {
        self.asOf = asOf
        lastRun = ledger.lastRun
        run = ledger.run
        wasReset = ledger.setAside != nil
        isNew = ledger.isNew
        lastReview = ledger.lastReview
        earlierObservations = ledger.observationCount
        if let lastRun = ledger.lastRun, lastRun.coversAll {
            lastBlocks = Set(try ledger.reader().blocks(lastUsedIn: lastRun))
        } else {
            lastBlocks = []
        }
        state = Mutex(State(ledger: ledger, hasher: try ContentHasher()))
        self.settings = settings
        self.trustsStatus = trustsStatus
        settledBefore = startedAt.adding(seconds: -2).milliseconds &* 1_000_000
    }

    /// Returns a reader for one thread, of what was there before this run.
    func reader() throws(LedgerError) -> LedgerReader {
        try state.withLock { state throws(LedgerError) in try state.ledger.reader() }
    }

    /// Whether blocks of earlier runs may be found.
    var hasBlocks: Bool { !isNew }

    /// Whether earlier runs may have had claims that this one does not have.
    var hasHistory: Bool { !isNew && !isUnchanged }

    /// Whether all blocks are those of the run before, in the same order, and that run had all claims that
    /// there are. Known when all are checked.
    var isUnchanged: Bool {
        guard let lastRun, lastRun.coversAll else { return false }
        return state.withLock { $0.isUnchanged && $0.blocks == lastRun.blocks }
    }

    /// Whether a block is one of the last run, all claims of which are in the ledger.
    func isOfLastRun(_ block: Int64) -> Bool { lastBlocks.contains(block) }

    /// The blocks that the last run had and this one does not, and the number of claims in the others; `nil` if they
    /// are many, or if the last run did not have all claims.
    func unusedBlocks() -> (blocks: [Int64], usedClaims: Int)? {
        // Evidence of earlier runs is in no block.
        guard !state.withLock({ $0.hasEvidence }) else { return nil }
        let (used, usedClaims) = state.withLock { ($0.usedBlocks, $0.usedClaims) }
        guard !used.isEmpty, lastBlocks.count - used.count <= max(16, lastBlocks.count / 4) else { return nil }
        return (lastBlocks.subtracting(used).sorted(), usedClaims)
    }

    /// How much came from the ledger.
    public var work: CacheUse { state.withLock { $0.work } }

    /// Notes that there is evidence, of which nothing is known of earlier runs: all is compared anew.
    func addEvidence() {
        state.withLock {
            $0.isUnchanged = false
            $0.hasEvidence = true
        }
    }

    /// Receives the next block's outcome, in the order of claims.
    func add(_ outcome: BlockOutcome, claims: Int) throws(LedgerError) {
        try state.withLock { state throws(LedgerError) in
            switch outcome {
            case .used(let id, let key, let statusKey):
                state.count(key)
                if lastBlocks.contains(id), state.usedBlocks.insert(id).inserted { state.usedClaims += claims }
                state.work.cached += claims
                try state.ledger.use(block: id, statusKey: statusKey?.span)
            case .checked(let block):
                state.isUnchanged = false
                // One that cannot be stored counts, too: without it the blocks behind it have other numbers.
                state.count(block?.key ?? .none)
                guard let block else { return }
                let (key, output) = (block.key.octets, block.output)
                try state.ledger.add(block: key.span, statusKey: block.statusKey?.span, output: output.span)
            }
        }
    }

    /// Adds what a worker has found that is new.
    func add(_ worker: WorkerCache) throws {
        if let failure = worker.failure ?? state.withLock({ $0.hasher.failure }) { throw failure }
        let (claims, signatures) = (try worker.finishClaims(), try worker.finishSignatures())
        state.withLock { state in
            state.runs.claims += claims
            state.runs.signatures += signatures
            state.work.verified += worker.verified
        }
    }

    /// Adds observations that no earlier run had.
    ///
    /// - Parameter known: how many there are besides that earlier runs had.
    func add(observations: [SortedRun], known: Int) {
        state.withLock { state in
            state.runs.observations += observations
            state.knownObservationCount += known
        }
    }

    /// Adds what evidence said that no earlier run had.
    func add(statements: [SortedRun]) {
        state.withLock { $0.runs.statements += statements }
    }

    func takeNewRuns() -> NewRuns {
        state.withLock { state in
            defer { state.runs = NewRuns() }
            return state.runs
        }
    }

    var blocksHash: [UInt8] { state.withLock { $0.blocks } }

    /// Whether all that the ledger will have is this run's claims: not if there is evidence, which is in no block. Known
    /// when all keys are sorted.
    var coversAll: Bool {
        guard !state.withLock({ $0.hasEvidence }) else { return false }
        return isNew || isUnchanged || state.withLock { $0.knownObservationCount == earlierObservations }
    }

    func withLedger<Value: Sendable, Failure>(_ body: (Ledger) throws(Failure) -> Value) throws(Failure) -> Value {
        try state.withLock { state throws(Failure) in try body(state.ledger) }
    }
}

extension RunCache {
    /// Returns a hash of everything that the result of a block of claims depends on, except the block and the reference
    /// time: the format of records, the rule book, and what the caller adds.
    ///
    /// - Parameters:
    ///   - others: versions, trust anchors, the policy, the formats of reports.
    ///   - rules: all rules, by number.
    public static func settings(
        _ others: [String], rules: [RuleDocumentation] = RuleBook.documentation
    ) throws -> [UInt8] {
        let hasher = try ContentHasher()
        let bytes = Array(([format] + RuleBook.lines(of: rules) + others).joined(separator: "\n").utf8)
        let settings = hasher.digest(of: bytes.span).bytes
        if let failure = hasher.failure { throw failure }
        return settings
    }
}
