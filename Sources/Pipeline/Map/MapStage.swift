import Checks
import Encodings
import Files
import Inputs
import Rules
import Synchronization

/// What the first stage leaves to the others.
struct JudgedClaims {
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
    ) throws -> JudgedClaims {
        let blocks = Mutex(ClaimBlocks(source))
        let stores = StoreList(
            rules, asOf: expectations.asOf, withFigures: withFigures, storage.divided(by: pipeline.workers))
        let pool = BufferPool()
        var tally = Tally()
        var spool = try RowSpool(formats: encoders.count, in: storage.folder)
        try pipeline.run(
            isStopped: isStopped,
            next: { try blocks.withLock { try $0.next() } },
            makeLoader: {
                let loader = ClaimLoader(pool: pool)
                return { (taken: inout NumberedBlock) in loader.load(&taken.block) }
            },
            makeWorker: { () throws -> (inout NumberedBlock) throws -> JudgedBlock in
                let worker = try MapWorker(
                    judge: Judge(trust: trust, expectations: expectations), rules: rules, store: stores.add(),
                    encoders: encoders, pseudonyms: pseudonymKey.map { try Pseudonyms(key: $0) })
                return { (taken: inout NumberedBlock) in
                    defer { pool.reclaim(&taken.block) }
                    return try worker.judge(taken)
                }
            },
            write: { (judged: JudgedBlock) throws in
                tally += judged.tally
                try spool.append(judged)
                onProgress(Progress(stage: .claims, fraction: judged.fraction, tally: tally))
            })
        return JudgedClaims(tally: tally, spool: spool, stores: stores.all)
    }
}

/// A block with its place in the order of claims, and what its source said when it gave it away: a source may be
/// asked by one thread at a time.
struct NumberedBlock: Sendable {
    var number: UInt64
    var block: ClaimBlock
    var fraction: Double?

    /// A number for a claim in the block, such that the order of numbers is that of claims.
    func claim(at index: Int) -> UInt64 { number << 16 | UInt64(index) }
}

/// A source, which only the holder of a lock touches.
private struct ClaimBlocks: @unchecked Sendable {
    private let source: any ClaimSource
    private var taken: UInt64 = 0

    init(_ source: any ClaimSource) { self.source = source }

    mutating func next() throws -> NumberedBlock? {
        guard let block = try source.next() else { return nil }
        defer { taken += 1 }
        return NumberedBlock(number: taken, block: block, fraction: source.fraction)
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
    private let storage: Storage
    private let firstNumber: Int

    /// - Parameter firstNumber: stores are told apart by numbers, from this one on.
    init(_ rules: RuleSet, asOf: Instant, withFigures: Bool, _ storage: Storage, firstNumber: Int = 0) {
        self.withFigures = withFigures
        self.rules = rules
        self.asOf = asOf
        self.storage = storage
        self.firstNumber = firstNumber
    }

    func add() -> WorkerStore {
        stores.withLock { stores in
            let store = WorkerStore(
                rules, asOf: asOf, withFigures: withFigures, number: firstNumber + stores.list.count, storage: storage)
            stores.list.append(store)
            return store
        }
    }

    var all: [WorkerStore] { stores.withLock { $0.list } }
}
