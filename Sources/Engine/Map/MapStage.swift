import Checks
import Encodings
import Files
package import Inputs
import Proofs
import Rules
import Sorting
import Synchronization

/// Checks every claim by itself, on all cores. `audit run` and `audit map` share it, and differ in where they send the
/// results (``ClaimEmitter``).
package struct MapStage: Sendable {
    private let pipeline: OrderedPipeline

    package init(_ pipeline: OrderedPipeline) { self.pipeline = pipeline }

    /// - Parameters:
    ///   - makeWorker: called once on each worker's thread; returns a function that maps a block.
    ///   - write: receives the outputs of blocks, in order, on the calling thread.
    package func run<Output: Sendable>(
        _ source: any ClaimSource, isStopped: @escaping @Sendable () -> Bool,
        makeWorker: @escaping @Sendable () throws -> (NumberedBlock) throws -> Output,
        write: (Output) throws -> Void
    ) throws {
        let blocks = Mutex(ClaimBlocks(source))
        let pool = BufferPool()
        try pipeline.run(
            isStopped: isStopped,
            next: { try blocks.withLock { try $0.next() } },
            makeLoader: {
                let loader = ClaimLoader(pool: pool)
                return { (block: inout NumberedBlock) in loader.load(&block.block) }
            },
            makeWorker: { () throws -> (inout NumberedBlock) throws -> Output in
                let map = try makeWorker()
                return { (block: inout NumberedBlock) in
                    defer { pool.reclaim(&block.block) }
                    return try map(block)
                }
            },
            write: write)
    }
}

/// The output of the first stage for the others.
struct MappedClaims {
    var tally: Tally
    /// The number of claims per INPUT, by its number.
    var inputs: [Int: InputTally] = [:]
    /// The rows of the table `evidence`, an ``EvidenceRow`` each; `nil` without evidence.
    var evidence: RecordLog?
    var evidenceTally = EvidenceTally()
    /// The index of evidence about purchases; `nil` without evidence.
    var index: EvidenceIndex?
    /// The rows of tables that have some for each claim, in claim order.
    var spool: RowSpool
    var stores: [WorkerStore]
}

extension AuditRun {
    func map(
        _ source: any ClaimSource, evidence: EvidenceSource?, encoders: [RowEncoder], _ earlier: EarlierLinks,
        isStopped: @escaping @Sendable () -> Bool, onProgress: (Progress) -> Void
    ) throws -> MappedClaims {
        let (hasEvidence, known, share) = (
            evidence != nil, reported.with(earlier.hashes), storage.divided(by: pipeline.workers)
        )
        let stores = StoreList { [self] number in
            try WorkerStore(
                rules, asOf: expectations.asOf, withFigures: withFigures, withEntities: withEntities,
                hasEvidence: hasEvidence, number: number, history: history, reported: known, sales: sales,
                storage: share)
        }
        var tally = Tally()
        var inputs: [Int: InputTally] = [:]
        var spool = try RowSpool(encoders, storage.divided(by: 8))
        let verified = try verify(evidence, into: stores, isStopped: isStopped)
        let index = verified?.index
        try MapStage(pipeline).run(
            source, isStopped: isStopped,
            makeWorker: { try makeWorker(stores.add(), encoders, EvidenceLookup(index)) },
            write: { (mapped: MappedBlock) throws in
                tally += mapped.tally
                inputs[mapped.input, default: InputTally()] += InputTally(mapped.tally)
                try spool.append(mapped)
                onProgress(Progress(stage: .claims, fraction: mapped.fraction, tally: tally))
            })
        var mapped = MappedClaims(tally: tally, inputs: inputs, spool: spool, stores: [])
        if let verified {
            mapped.evidence = verified.rows
            mapped.evidenceTally = verified.tally
            mapped.index = verified.index
        }
        for store in stores.all { history.add(claims: try store.kept?.finish() ?? []) }
        mapped.stores = stores.all
        return mapped
    }

    private func makeWorker(
        _ store: WorkerStore, _ encoders: [RowEncoder], _ evidence: EvidenceLookup?
    ) throws -> (NumberedBlock) throws -> MappedBlock {
        let emitter = LocalEmitter(store, encoders: encoders, folder: storage.folder)
        let worker = try MapWorker(
            checker: try Checker(
                trust: trust, expectations: expectations,
                keepsContent: encoders.contains { $0.complete?.needsContent == true }),
            rules: rules, emitter: emitter, pseudonyms: try pseudonymKey.map { try Pseudonyms(key: $0) },
            evidence: evidence, formerAccounts: FormerAccounts(try history.reader()))
        return { try worker.map($0) }
    }
}

/// A block with its place in the order of claims, and what its source said when it returned it: only one thread at a
/// time may ask a source.
package struct NumberedBlock: Sendable {
    let number: UInt64
    package var block: ClaimBlock
    let fraction: Double?
}

/// A source, used only under a lock.
private struct ClaimBlocks: @unchecked Sendable {
    private let source: any ClaimSource
    private var number: UInt64 = 0

    init(_ source: any ClaimSource) { self.source = source }

    mutating func next() throws -> NumberedBlock? {
        guard let block = try source.next() else { return nil }
        defer { number += 1 }
        return NumberedBlock(number: number, block: block, fraction: source.fraction)
    }
}
