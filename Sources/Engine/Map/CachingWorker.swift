import Encodings
import Inputs
import Ledgers

/// Judges blocks of claims, but for those that were judged before, on one thread.
final class CachingWorker {
    private let worker: MapWorker
    private let store: WorkerStore
    private let memory: WorkerCache
    private let run: RunCache
    private let asOf: Instant
    private let encoders: [RowEncoder]

    init(
        _ worker: MapWorker, store: WorkerStore, _ memory: WorkerCache, of run: RunCache, asOf: Instant,
        encoders: [RowEncoder]
    ) {
        self.worker = worker
        self.store = store
        self.memory = memory
        self.run = run
        self.asOf = asOf
        self.encoders = encoders
    }

    func judge(_ taken: NumberedBlock) throws -> MappedBlock {
        if let failure = taken.failure { throw failure }
        if let found = taken.found, let judged = try replay(found, statusKey: nil, taken) { return judged }
        let block = taken.block
        let key = memory.keys.key(block)
        let statusKey = key == nil ? nil : taken.statusKey ?? memory.keys.statusKey(block)
        if let failure = memory.keys.failure { throw failure }
        guard let key else {
            var recorder: BlockRecorder?
            return try worker.judge(taken, &recorder)
        }
        if let found = try memory.block(key), let judged = try replay(found, statusKey: statusKey, taken) {
            return judged
        }
        var recorder: BlockRecorder? = BlockRecorder(key, asOf: asOf)
        var judged = try worker.judge(taken, &recorder)
        guard block.isSelfContained,
            let output = recorder?.bytes(judged.tally, rows: judged.rows, unknownKeys: block.unknownKeyNames)
        else { return judged }
        judged.outcome = .judged(BlockRecord(key: key, statusKey: statusKey, output: output))
        return judged
    }

    /// Does with a block what was done when it was judged; `nil` if that would not be true today.
    private func replay(_ found: LedgerBlock, statusKey: [UInt8]?, _ taken: NumberedBlock) throws -> MappedBlock? {
        let output = found.output
        let isPostponed = run.mayKnowObservations
        guard
            let replay = BlockReplay(output.span, asOf: asOf, formats: encoders.count, withClaims: !isPostponed),
            let rows = replay.rows(for: encoders, after: taken.claimsBefore)
        else { return nil }
        var judged = MappedBlock(taken, rows: rows)
        judged.tally = replay.tally
        store.count(replay.breakdown)
        taken.block.note(unknownKeys: replay.unknownKeys)
        try replay.forEachFinding { index, finding in
            if let mark = try store.note(finding) { try store.note(mark, on: taken.claim(at: index)) }
        }
        if isPostponed {
            store.postpone(PostponedBlock(id: found.id, firstClaim: taken.claim(at: 0), formats: encoders.count))
        }
        try replay.forEachClaim { index, claim in try store.note(claim, number: taken.claim(at: index)) }
        judged.outcome = .used(found.id, replay.key, statusKey: statusKey)
        return judged
    }
}
