import Checks
import Files
import Rules
import Sorting
import Subscriptions

/// What the first two stages have found.
struct FoundFindings {
    var findings: [SortedRun]
    var marks: [SortedRun]
    var tally: FindingTally
    var breakdown: Breakdown
    var subscriptions: [SortedRun]
    var figures: SubscriptionFigures
    /// What each finding is about that may be part of a ring.
    var joining: [JoiningID: Involved]
}

extension AuditRun {
    /// Judges claims together that have a key in common, on all cores: each worker takes slices of all keys.
    func reduce(
        _ judged: MappedClaims, isStopped: @escaping @Sendable () -> Bool, onProgress: (Progress) -> Void
    ) throws -> FoundFindings {
        let runs = try observations(of: judged.stores, isStopped: isStopped)
        let stores = StoreList(
            rules, asOf: expectations.asOf, withFigures: withFigures, nil, storage.divided(by: 4 * pipeline.workers),
            firstNumber: judged.stores.count)
        let wanted = WantedKeys(rules, isForSubscriptions: withFigures)
        let buffers = storage.divided(by: 4 * pipeline.workers).memory
        var done = 0
        try inParallel(
            PrefixSlice.count, isStopped: isStopped,
            makeWorker: {
                let store = try stores.add()
                let worker = ReduceWorker(
                    rules: rules, wanted, store: store, folder: storage.folder, asOf: expectations.asOf,
                    isStopped: isStopped)
                return { try worker.reduce(RunMerge(runs, slice: PrefixSlice($0), budget: buffers)) }
            },
            write: { (_: Void) in
                done += 1
                let fraction = Double(done) / Double(PrefixSlice.count)
                onProgress(Progress(stage: .groups, fraction: fraction, tally: judged.tally))
            })
        return try gather(judged.stores + stores.all)
    }

    private func gather(_ stores: [WorkerStore]) throws(FileError) -> FoundFindings {
        var found = FoundFindings(
            findings: [], marks: [], tally: FindingTally(), breakdown: Breakdown(), subscriptions: [],
            figures: SubscriptionFigures(asOf: expectations.asOf, policy: rules.policy), joining: [:])
        for (worker, store) in stores.enumerated() {
            found.findings += try store.finishFindings()
            found.marks += try store.finishMarks()
            found.tally += store.tally
            found.breakdown += store.breakdown
            found.subscriptions += try store.finishSubscriptions()
            found.figures += store.figures
            for (index, involved) in store.joining.enumerated() {
                found.joining[JoiningID(worker: worker, index: index)] = involved
            }
        }
        return found
    }
}
