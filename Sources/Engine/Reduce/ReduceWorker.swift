import Encodings
import Files
import Rules
import Sorting
import Subscriptions

/// Judges groups of claims, on one thread.
final class ReduceWorker {
    private let rules: RuleSet
    private let wanted: WantedKeys
    private var findings: StoredFindings
    private let folder: String
    private let asOf: Instant
    private let isStopped: () -> Bool
    private var records = 0

    init(
        rules: RuleSet, _ wanted: WantedKeys, store: WorkerStore, folder: String, asOf: Instant,
        isStopped: @escaping () -> Bool
    ) {
        self.rules = rules
        self.wanted = wanted
        findings = StoredFindings(store: store)
        self.folder = folder
        self.asOf = asOf
        self.isStopped = isStopped
    }

    /// Goes through records in order, and judges those with the same key together.
    func reduce(_ merge: consuming RunMerge) throws {
        var group = RecordGroup(folder: folder)
        while !merge.isAtEnd {
            records += 1
            if records & 0xfff == 0, isStopped() { throw Interrupted() }
            if !merge.withRecord({ group.isKey(of: $0) }) {
                try group.judge(wanted, rules, asOf: asOf, &findings)
                merge.withRecord { group.begin($0) }
            }
            let outcome = merge.withRecord { record -> Result<Void, FileError> in
                Result { () throws(FileError) in try group.add(record) }
            }
            try outcome.get()
            try merge.advance()
        }
        try group.judge(wanted, rules, asOf: asOf, &findings)
    }
}

/// Puts what is found into a worker's store.
private struct StoredFindings: GroupFindings {
    let store: WorkerStore
    /// For the claims that the last finding is about.
    private var mark: Mark?

    init(store: WorkerStore) { self.store = store }

    mutating func take(_ finding: Finding) throws -> Bool {
        mark = try store.note(finding)
        return mark != nil
    }

    func mark(_ observation: Observation) throws {
        guard !EarlierClaims.isEarlier(observation.claim) else { return }
        if let mark { try store.note(mark, on: observation.claim) }
    }

    func take(_ subscription: Subscription) throws { try store.note(subscription) }
}
