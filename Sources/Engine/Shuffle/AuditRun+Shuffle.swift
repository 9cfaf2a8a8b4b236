import Checks
import Rules
import Sorting
import Synchronization

/// The result of the shuffle.
struct ShuffledClaims {
    /// What claims have to say under their keys, in the order of keys.
    var observations: [SortedRun]
    /// What links show of the claims of earlier runs among them, by their ids (``LinkFacts``).
    var earlierFacts: [SortedRun] = []
}

extension AuditRun {
    /// What claims have to say under keys that others have too, or that tell something by themselves, in the order of
    /// keys.
    ///
    ///     hashes of keys ─▶ sort slices ─▶ pick those that come again ─▶ sort by claim ─▶ what these claims say ─▶ sort by key
    ///
    /// Every step is done by all cores: each takes a worker's share of the claims, or a slice of all hashes.
    ///
    /// - Parameter evidence: in which claims of earlier runs are looked up; `nil` without evidence.
    func shuffle(
        _ stores: [WorkerStore], _ evidence: EvidenceIndex?, isStopped: @escaping @Sendable () -> Bool
    ) throws -> ShuffledClaims {
        let wanted = WantedKeys(rules, isForSubscriptions: withFigures, isKept: history.isKept)
        let share = storage.divided(by: pipeline.workers)
        let shares = Shared(list: stores)
        let (picked, earlier) = try picked(
            wanted, hashes(of: shares, isStopped), share, evidence, isStopped: isStopped)
        var shuffled = earlier
        shuffled.observations +=
            try sorted(stores.count, budget: share.memory / 4, isStopped: isStopped) { store, sorter in
                var writing = RepeatedObservations(wanted, observations: sorter)
                let merge = try RunMerge(picked, slice: PrefixSlice(store & 0xff), budget: share.memory / 8)
                try writing.write(from: shares.list[store], merge, isStopped: isStopped)
            }
        return shuffled
    }

    /// Returns the hashes that each worker logged.
    private func hashes(
        of shares: Shared<WorkerStore>, _ isStopped: @escaping @Sendable () -> Bool
    ) throws -> [KeyPieces] {
        var hashes: [KeyPieces] = []
        try pipeline.inParallel(
            shares.list.count, isStopped: isStopped,
            makeWorker: { { try shares.list[$0].finishHashes() } }, write: { hashes.append($0) })
        return hashes
    }

    /// The claims that have keys which come again, with these; and what claims of earlier runs say under such keys. What
    /// is new is left to later runs.
    private func picked(
        _ wanted: WantedKeys, _ hashes: [KeyPieces], _ share: Storage, _ evidence: EvidenceIndex?,
        isStopped: @escaping @Sendable () -> Bool
    ) throws -> (picked: [SortedRun], earlier: ShuffledClaims) {
        let workers = Mutex(Shared<RepeatedKeys>(list: []))
        let makeSorter = { @Sendable in RecordSorter(budget: share.memory / 8, folder: share.folder) }
        try pipeline.inParallel(
            PrefixSlice.count, isStopped: isStopped,
            makeWorker: {
                let earlier = try history.reader().map {
                    EarlierObservations(
                        $0, rules, EvidenceLookup(evidence), withFacts: withLinks, makeSorter: makeSorter)
                }
                let picking = RepeatedKeys(wanted, earlier, makeSorter: makeSorter)
                workers.withLock { $0.list.append(picking) }
                return { try hashes.pick(slice: $0, share.divided(by: 8), with: picking, isStopped: isStopped) }
            }, write: { (_: Void) in })
        let filled = workers.withLock { $0 }
        let finish = { (sorter: @escaping @Sendable (RepeatedKeys) -> RecordSorter?) in
            try runs(filled.list.count, isStopped: isStopped) { try sorter(filled.list[$0])?.finish() ?? [] }
        }
        history.add(keys: try finish { $0.new })
        return (
            try finish { $0.found },
            ShuffledClaims(
                observations: try finish { $0.earlier?.said }, earlierFacts: try finish { $0.earlier?.facts })
        )
    }

    /// Does pieces of work on all cores, and returns in order what they add to sorters, one for each worker.
    private func sorted(
        _ count: Int, budget: Int, isStopped: @escaping @Sendable () -> Bool,
        _ body: @escaping @Sendable (Int, RecordSorter) throws -> Void
    ) throws -> [SortedRun] {
        let sorters = Mutex(Shared<RecordSorter>(list: []))
        let folder = storage.folder
        try pipeline.inParallel(
            count, isStopped: isStopped,
            makeWorker: {
                let sorter = RecordSorter(budget: budget, folder: folder)
                sorters.withLock { $0.list.append(sorter) }
                return { try body($0, sorter) }
            }, write: { (_: Void) in })
        let filled = sorters.withLock { $0 }
        return try runs(filled.list.count, isStopped: isStopped) { try filled.list[$0].finish() }
    }

    private func runs(
        _ count: Int, isStopped: @escaping @Sendable () -> Bool, _ body: @escaping @Sendable (Int) throws -> [SortedRun]
    ) throws -> [SortedRun] {
        var runs: [SortedRun] = []
        try pipeline.inParallel(count, isStopped: isStopped, makeWorker: { body }, write: { runs += $0 })
        return runs
    }
}
