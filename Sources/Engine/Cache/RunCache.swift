public import Encodings
import Files
public import Ledgers
import Proofs
import Sorting
import Synchronization

/// What a run knows of earlier ones, and what it leaves to later ones, in a ledger.
///
/// The map stage is a pure function of a block of claims and of settings; so what came of a block is kept under a hash of
/// both, and a block that comes again is not judged again. What claims say under their keys is kept, too, so that
/// claims of this run meet those of earlier ones.
///
/// The ledger is written by the thread that runs the stages; other threads read what was there before.
public final class RunCache: Sendable {
    private struct State: @unchecked Sendable {
        let ledger: Ledger
        let hasher: ContentHasher
        /// A hash of all blocks' keys, in order.
        var blocks = [UInt8](repeating: 0, count: 32)
        var isUnchanged = true
        /// How many observations of earlier runs this one has, too.
        var metObservations = 0
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
    }

    /// What records are written in the ledger. To be changed whenever what they say or mean does.
    public static let format = "6"

    private let state: Mutex<State>
    private let lastRun: LedgerRun?
    /// A hash of all that decides what comes of a block, but for the block.
    let settings: [UInt8]
    /// Whether files are taken for what they were if size, times of modification and change, inode and device are the same.
    let trustsStatus: Bool
    /// When the audit is made for.
    let asOf: Instant
    /// In nanoseconds since the epoch: files that were changed later may be changed again without seeming so.
    let settledBefore: Int64
    /// Whether there are no claims of earlier runs.
    private let isNew: Bool
    /// How many observations earlier runs left.
    private let earlierObservations: Int
    /// Whether it is known what comes of the keys of all claims, if they are those of the run before.
    private let knowsObservations: Bool

    /// - Parameters:
    ///   - settings: all that decides what comes of a claim, but for the claim and the date of the audit: versions,
    ///     trust anchors, policy, formats. A cryptographic hash of it.
    ///   - startedAt: when this run began, by the clock.
    public init(
        _ ledger: sending Ledger, settings: [UInt8], asOf: Instant, trustsStatus: Bool, startedAt: Instant
    ) throws {
        self.asOf = asOf
        lastRun = ledger.lastRun
        isNew = ledger.isNew
        earlierObservations = ledger.observationCount
        let hasher = try ContentHasher()
        if let lastRun = ledger.lastRun, lastRun.coversAll {
            let key = hasher.observationsKey(settings, lastRun.blocks)
            if let failure = hasher.failure { throw failure }
            knowsObservations = try ledger.reader().hasBlock(key: key.span)
        } else {
            knowsObservations = false
        }
        state = Mutex(State(ledger: ledger, hasher: hasher))
        self.settings = settings
        self.trustsStatus = trustsStatus
        settledBefore = startedAt.adding(seconds: -2).milliseconds &* 1_000_000
    }

    /// A reader for one thread, of what was there before this run.
    func reader() throws(LedgerError) -> LedgerReader {
        try state.withLock { state throws(LedgerError) in try state.ledger.reader() }
    }

    /// Whether blocks may be found that were judged before.
    var hasBlocks: Bool { !isNew }

    /// Whether earlier runs may have had claims that this one does not have.
    var hasHistory: Bool { !isNew && !isUnchanged }

    /// Whether all blocks are those of the run before, which had all claims that there are. Known when all are judged.
    var isUnchanged: Bool {
        guard let lastRun, lastRun.coversAll else { return false }
        return state.withLock { $0.isUnchanged && $0.blocks == lastRun.blocks }
    }

    /// Whether it may turn out that what the claims of blocks met before have to say need not be brought together.
    var mayKnowObservations: Bool { knowsObservations && state.withLock { $0.isUnchanged } }

    /// Under what is kept what comes of all claims' keys.
    func observationsKey() throws -> [UInt8] {
        try state.withLock { state in
            let key = state.hasher.observationsKey(settings, state.blocks)
            if let failure = state.hasher.failure { throw failure }
            return key
        }
    }

    /// What was remembered and what was not.
    public var work: CacheUse { state.withLock { $0.work } }

    /// Takes the next block's outcome, in the order of claims.
    func take(_ outcome: BlockOutcome, claims: Int) throws(LedgerError) {
        try state.withLock { state throws(LedgerError) in
            switch outcome {
            case .used(let id, let key, let statusKey):
                state.count(key)
                state.work.remembered += claims
                try state.ledger.use(block: id, statusKey: statusKey?.span)
            case .judged(let block):
                state.isUnchanged = false
                // One that cannot be kept counts, too: without it the blocks behind it have other numbers.
                state.count(block?.key ?? .none)
                guard let block else { return }
                let (key, output) = (block.key.octets, block.output)
                try state.ledger.add(block: key.span, statusKey: block.statusKey?.span, output: output.span)
            }
        }
    }

    /// Keeps what a worker has found that is new.
    func keep(_ worker: WorkerCache) throws {
        if let failure = worker.failure ?? state.withLock({ $0.hasher.failure }) { throw failure }
        let (claims, signatures) = (try worker.finishClaims(), try worker.finishSignatures())
        state.withLock { state in
            state.runs.claims += claims
            state.runs.signatures += signatures
            state.work.verified += worker.verified
        }
    }

    /// Keeps observations that no earlier run had.
    ///
    /// - Parameter met: how many there are besides that earlier runs had.
    func keep(observations: [SortedRun], met: Int) {
        state.withLock { state in
            state.runs.observations += observations
            state.metObservations += met
        }
    }

    func takeNewRuns() -> NewRuns {
        state.withLock { state in
            defer { state.runs = NewRuns() }
            return state.runs
        }
    }

    var blocksHash: [UInt8] { state.withLock { $0.blocks } }

    /// Whether all claims that the ledger will have are claims of this run. Known when all keys are sorted.
    var coversAll: Bool { isNew || isUnchanged || state.withLock { $0.metObservations == earlierObservations } }

    func withLedger<Value: Sendable, Failure>(_ body: (Ledger) throws(Failure) -> Value) throws(Failure) -> Value {
        try state.withLock { state throws(Failure) in try body(state.ledger) }
    }
}

extension ContentHasher {
    fileprivate func observationsKey(_ settings: [UInt8], _ blocks: [UInt8]) -> [UInt8] {
        let bytes = Array("observations".utf8) + settings + blocks
        return digest(of: bytes.span).bytes
    }
}
