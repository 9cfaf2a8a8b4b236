import Checks
import Encodings
import Files
import Inputs
import Ledgers
import Rules
import Synchronization

/// What the first stage leaves to the others.
struct MappedClaims {
    var tally: Tally
    /// Rows of the table `receipts`, in claim order.
    var spool: RowSpool
    var stores: [WorkerStore]
}

extension AuditRun {
    /// Judges every claim by itself, on all cores.
    func map(
        _ source: any ClaimSource, encoders: [RowEncoder], isStopped: @escaping @Sendable () -> Bool,
        onProgress: (Progress) -> Void
    ) throws -> MappedClaims {
        let blocks = Mutex(ClaimBlocks(source))
        let stores = StoreList(
            rules, asOf: expectations.asOf, withFigures: withFigures, memory, storage.divided(by: pipeline.workers))
        let pool = BufferPool()
        var tally = Tally()
        var spool = try RowSpool(formats: encoders.count, in: storage.folder)
        try pipeline.run(
            isStopped: isStopped,
            next: { try blocks.withLock { try $0.next() } },
            makeLoader: {
                let loader = ClaimLoader(pool: pool, stampsFiles: memory?.trustsStatus == true)
                let finder = memory.map { memory in Result { try BlockFinder(memory) } }
                return { (taken: inout NumberedBlock) in
                    if let finder, taken.find(with: finder) { return false }
                    return loader.load(&taken.block)
                }
            },
            makeWorker: { () throws -> (inout NumberedBlock) throws -> MappedBlock in
                let checkBlock = try makeWorker(stores.add(), encoders)
                return { (taken: inout NumberedBlock) in
                    defer { pool.reclaim(&taken.block) }
                    return try checkBlock(taken)
                }
            },
            write: { (judged: MappedBlock) throws in
                try memory?.take(judged.outcome, claims: judged.tally.claims)
                tally += judged.tally
                try spool.append(judged)
                onProgress(Progress(stage: .claims, fraction: judged.fraction, tally: tally))
            })
        for store in stores.all { if let worker = store.memory { try memory?.keep(worker) } }
        return MappedClaims(tally: tally, spool: spool, stores: stores.all)
    }

    /// What a worker does with a block.
    private func makeWorker(
        _ store: WorkerStore, _ encoders: [RowEncoder]
    ) throws -> (NumberedBlock) throws -> MappedBlock {
        let worker = try MapWorker(
            judge: Checker(trust: trust, expectations: expectations, memory: store.memory), rules: rules, store: store,
            encoders: encoders, pseudonyms: pseudonymKey.map { try Pseudonyms(key: $0) })
        guard let run = memory, let memory = store.memory else {
            return { taken in
                var recorder: BlockRecorder?
                return try worker.judge(taken, &recorder)
            }
        }
        let remembering = CachingWorker(
            worker, store: store, memory, of: run, asOf: expectations.asOf, encoders: encoders)
        return { try remembering.judge($0) }
    }
}

/// A block with its place in the order of claims, and what its source said when it gave it away: a source may be
/// asked by one thread at a time.
struct NumberedBlock: Sendable {
    var number: UInt64
    var block: ClaimBlock
    /// How many claims come before it.
    let claimsBefore: Int
    var fraction: Double?
    /// What came of the block in an earlier run, if that was found without reading it.
    var found: LedgerBlock?
    /// Made of what the system says of its files.
    var statusKey: [UInt8]?
    /// Why it could not be looked for.
    var failure: (any Error)?

    init(number: UInt64, block: ClaimBlock, claimsBefore: Int, fraction: Double?) {
        self.number = number
        self.block = block
        self.claimsBefore = claimsBefore
        self.fraction = fraction
    }

    /// Looks for what came of the block in an earlier run; says whether that was found.
    mutating func find(with finder: Result<BlockFinder?, any Error>) -> Bool {
        do {
            found = try finder.get()?.find(block, statusKey: &statusKey)
        } catch {
            failure = error
        }
        return found != nil
    }

    /// A number for a claim in the block, such that the order of numbers is that of claims.
    func claim(at index: Int) -> UInt64 { number << 16 | UInt64(index) }
}

/// A source, which only the holder of a lock touches.
private struct ClaimBlocks: @unchecked Sendable {
    private let source: any ClaimSource
    private var taken: UInt64 = 0
    private var claims = 0

    init(_ source: any ClaimSource) { self.source = source }

    mutating func next() throws -> NumberedBlock? {
        guard let block = try source.next() else { return nil }
        defer {
            taken += 1
            claims += block.count
        }
        return NumberedBlock(number: taken, block: block, claimsBefore: claims, fraction: source.fraction)
    }
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
    private let memory: RunCache?
    private let storage: Storage
    private let firstNumber: Int

    /// - Parameter firstNumber: stores are told apart by numbers, from this one on.
    init(
        _ rules: RuleSet, asOf: Instant, withFigures: Bool, _ memory: RunCache? = nil, _ storage: Storage,
        firstNumber: Int = 0
    ) {
        self.withFigures = withFigures
        self.memory = memory
        self.rules = rules
        self.asOf = asOf
        self.storage = storage
        self.firstNumber = firstNumber
    }

    func add() throws -> WorkerStore {
        try stores.withLock { stores in
            let store = WorkerStore(
                rules, asOf: asOf, withFigures: withFigures, number: firstNumber + stores.list.count,
                memory: try memory.map { try WorkerCache($0, storage: storage) }, storage: storage)
            stores.list.append(store)
            return store
        }
    }

    var all: [WorkerStore] { stores.withLock { $0.list } }
}
