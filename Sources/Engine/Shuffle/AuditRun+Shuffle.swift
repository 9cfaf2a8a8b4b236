import Checks
import Inputs
import Rules
import Sorting
import Synchronization

/// The result of the shuffle.
struct ShuffledClaims {
    /// The observations of claims under their keys, in the order of keys.
    var observations: [SortedRun]
    /// The link facts of claims of earlier runs, by claim id (``LinkFacts``).
    var earlierFacts: [SortedRun] = []
}

extension AuditRun {
    /// Returns the observations of claims under keys that several claims have, or that are significant alone, in the
    /// order of keys.
    ///
    ///     hashes of keys ─▶ sort slices ─▶ pick repeated ones ─▶ sort by claim ─▶ their observations ─▶ sort by key
    ///
    /// All cores share every step: each takes a worker's part of the claims, or a slice of all hashes.
    ///
    /// Accounts that turned out to be placeholders are left out.
    ///
    /// - Parameter recalled: hashes of keys that only claims of earlier runs have, whose observations are wanted.
    func shuffle(
        _ mapped: MappedClaims, recalling recalled: [UInt64], isStopped: @escaping @Sendable () -> Bool
    ) throws -> ShuffledClaims {
        let (stores, evidence) = (mapped.stores, mapped.index)
        let placeholders = mapped.tally.accounts.placeholders
        let wanted = WantedKeys(
            rules, isForSubscriptions: withFigures, isForEntities: withEntities, hasEvidence: mapped.evidence != nil,
            isKept: history.isKept)
        let share = storage.divided(by: pipeline.workers)
        let shares = Shared(value: stores)
        let hashes = try runs(stores.count, isStopped: isStopped) { try shares.value[$0].finishHashes() }
        let (picked, earlier) = try picked(wanted, hashes, share, evidence, placeholders, isStopped: isStopped)
        var shuffled = earlier
        try recall(recalled, share, evidence, placeholders, isStopped, to: &shuffled)
        shuffled.observations +=
            try sorted(stores.count, budget: share.memory / 4, isStopped: isStopped) { store, sorter in
                var writing = RepeatedObservations(wanted, placeholders, observations: sorter)
                let merge = try RunMerge(picked, slice: PrefixSlice(store & 0xff), budget: share.memory / 8)
                try writing.write(from: shares.value[store], merge, isStopped: isStopped)
            }
        return shuffled
    }

    /// Returns the claims with repeated keys, with these keys, and the observations of claims of earlier runs under
    /// them. Stores new claims and keys for later runs.
    private func picked(
        _ wanted: WantedKeys, _ hashes: [SortedRun], _ share: Storage, _ evidence: EvidenceIndex?,
        _ placeholders: AccountPlaceholders, isStopped: @escaping @Sendable () -> Bool
    ) throws -> (picked: [SortedRun], earlier: ShuffledClaims) {
        let workers = Mutex(Shared<[RepeatedKeys]>(value: []))
        let part = share.divided(by: 8)
        try pipeline.inParallel(
            PrefixSlice.count, isStopped: isStopped,
            makeWorker: {
                let picking = RepeatedKeys(wanted, try earlierObservations(evidence, placeholders, part), part)
                workers.withLock { $0.value.append(picking) }
                return { slice in
                    let keys = try RunMerge(hashes, slice: PrefixSlice(slice), budget: part.memory)
                    try picking.pick(from: keys, isStopped: isStopped)
                }
            }, write: { (_: Void) in })
        let filled = workers.withLock { $0 }
        let finish = { (runs: @escaping @Sendable (RepeatedKeys) throws -> [SortedRun]?) in
            try self.runs(filled.value.count, isStopped: isStopped) { try runs(filled.value[$0]) ?? [] }
        }
        history.add(keys: try finish { try $0.new?.finish() })
        return (
            try finish { try $0.found.finish() },
            ShuffledClaims(
                observations: try finish { try $0.earlier?.said.finish() },
                earlierFacts: try finish { try $0.earlier?.facts?.finish() })
        )
    }

    private func earlierObservations(
        _ evidence: EvidenceIndex?, _ placeholders: AccountPlaceholders, _ storage: Storage
    ) throws -> EarlierObservations? {
        try history.reader().map {
            EarlierObservations(
                $0, rules, EvidenceLookup(evidence), placeholders, withFacts: withLinks, storage)
        }
    }

    /// Adds the observations of all claims of earlier runs under some keys.
    private func recall(
        _ keys: [UInt64], _ share: Storage, _ evidence: EvidenceIndex?, _ placeholders: AccountPlaceholders,
        _ isStopped: () -> Bool, to shuffled: inout ShuffledClaims
    ) throws {
        guard !keys.isEmpty,
            let earlier = try earlierObservations(evidence, placeholders, share.divided(by: 8))
        else { return }
        for hash in keys {
            if isStopped() { throw Interrupted() }
            try earlier.recall(under: hash)
        }
        shuffled.observations += try earlier.said.finish()
        shuffled.earlierFacts += try earlier.facts?.finish() ?? []
    }

    /// Runs pieces of work on all cores, and returns in order what they add to sorters, one for each worker.
    private func sorted(
        _ count: Int, budget: Int, isStopped: @escaping @Sendable () -> Bool,
        _ body: @escaping @Sendable (Int, RecordSorter) throws -> Void
    ) throws -> [SortedRun] {
        let sorters = Mutex(Shared<[RecordSorter]>(value: []))
        let folder = storage.folder
        try pipeline.inParallel(
            count, isStopped: isStopped,
            makeWorker: {
                let sorter = RecordSorter(budget: budget, folder: folder)
                sorters.withLock { $0.value.append(sorter) }
                return { try body($0, sorter) }
            }, write: { (_: Void) in })
        let filled = sorters.withLock { $0 }
        return try runs(filled.value.count, isStopped: isStopped) { try filled.value[$0].finish() }
    }

    private func runs(
        _ count: Int, isStopped: @escaping @Sendable () -> Bool, _ body: @escaping @Sendable (Int) throws -> [SortedRun]
    ) throws -> [SortedRun] {
        var runs: [SortedRun] = []
        try pipeline.inParallel(count, isStopped: isStopped, makeWorker: { body }, write: { runs += $0 })
        return runs
    }
}
