import Encodings
import Inputs
import Rules

/// Maps blocks of claims on one thread. A block with a stored result from an earlier run is not checked again.
final class ReplayingWorker {
    private let worker: MapWorker<LocalEmitter>
    private let emitter: LocalEmitter
    private let store: WorkerStore
    private let asOf: Instant
    private let encoders: [RowEncoder]
    private let loader: ClaimLoader
    /// The lookup for the purchases of replayed claims; `nil` without evidence.
    private let evidence: EvidenceLookup?

    init(
        _ worker: MapWorker<LocalEmitter>, _ emitter: LocalEmitter, _ store: WorkerStore, loader: ClaimLoader,
        asOf: Instant, encoders: [RowEncoder], _ evidence: EvidenceLookup?
    ) {
        (self.worker, self.emitter, self.store, self.loader) = (worker, emitter, store, loader)
        (self.asOf, self.encoders, self.evidence) = (asOf, encoders, evidence)
    }

    func map(_ taken: NumberedBlock) throws -> MappedBlock {
        if let failure = taken.failure { throw failure }
        var block = taken.block
        if let found = taken.found {
            if let mapped = try replay(found, newStatusKey: nil, taken) { return mapped }
            // The stored result has no rows for a page if the block moved to the front. The block was found without
            // reading its files, so read them now.
            _ = loader.load(&block)
        }
        let history = store.history
        let key = history.key(block)
        let statusKey = key == nil ? nil : taken.statusKey ?? history.keys.statusKey(block)
        if let failure = history.keys.failure { throw failure }
        guard let key else {
            emitter.recorder = nil
            return try worker.map(taken)
        }
        if let found = try history.block(key) {
            let newStatusKey = statusKey == found.statusKey ? nil : statusKey
            if let mapped = try replay(found, newStatusKey: newStatusKey, taken) { return mapped }
        }
        emitter.recorder = BlockRecorder(block, asOf: asOf)
        var mapped = try worker.map(taken)
        guard block.isSelfContained,
            let output = emitter.recorder?.bytes(
                mapped.tally, rows: mapped.rows, encoders, unknownKeys: block.unknownKeyNames)
        else { return mapped }
        mapped.outcome = .checked(NewBlock(key: key, statusKey: statusKey, output: output))
        return mapped
    }

    /// Repeats the effects of checking a block.
    ///
    /// - Returns: `nil` if the stored result does not hold at the reference time, or cannot be read.
    private func replay(
        _ found: StoredBlock, newStatusKey: [UInt8]?, _ taken: NumberedBlock
    ) throws -> MappedBlock? {
        let output = found.output
        let (sources, places) = (taken.block.sources, taken.block.places)
        guard let replay = BlockReplay(output.span, asOf: asOf, formats: encoders.count),
            let rows = replay.rows(for: encoders, after: taken.claimsBefore, sources)
        else { return nil }
        var mapped = MappedBlock(taken, rows: rows)
        mapped.tally = replay.tally
        store.count(replay.breakdown)
        taken.block.record(unknownKeys: replay.unknownKeys)
        // Evidence is not stored with a block, because it may change with every run.
        var amended: [ClaimNumber: ClaimObservations] = [:]
        try replay.forEachClaim(ofBlock: taken.number, places) { said in
            let otherwise = evidence?.amended(said)
            if let otherwise { amended[said.presented.claim] = otherwise }
            try store.add(replayed: otherwise ?? said)
        }
        if let failure = evidence?.failure { throw failure }
        try replay.forEachFinding(sources) { index, head, record in
            if let amended = amended[taken.claim(at: index)],
                let priced = try MergedFinding(record: record).priced(by: amended)
            {
                return try store.add(priced, on: taken.claim(at: index))
            }
            try store.add(head, record, on: taken.claim(at: index))
        }
        mapped.outcome = .used(found.id, newStatusKey: newStatusKey)
        return mapped
    }
}
