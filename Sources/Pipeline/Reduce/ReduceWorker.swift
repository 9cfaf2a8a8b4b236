import Encodings
import Files
import Rules
import Sorting
import Subscriptions

/// Judges groups of claims, on one thread.
final class ReduceWorker {
    private let rules: RuleSet
    private let store: WorkerStore
    private let folder: String
    /// When subscriptions are looked at; `nil` if nobody asks for them.
    private let asOf: Instant?
    private let isStopped: () -> Bool
    /// By the number of the key's kind: how many sightings a group must have to be looked at.
    private let fewest: [Int]
    private var records = 0

    init(rules: RuleSet, store: WorkerStore, folder: String, asOf: Instant?, isStopped: @escaping () -> Bool) {
        self.rules = rules
        self.store = store
        self.folder = folder
        self.asOf = asOf
        self.isStopped = isStopped
        fewest = KeyKind.allCases.map { rules.fewestSightings($0) ?? .max }
    }

    /// Goes through records in order, and judges those with the same key together.
    func reduce(_ merge: consuming RunMerge) throws {
        var group = RecordGroup(folder: folder)
        var prefix: UInt64 = 0
        while !merge.isAtEnd {
            records += 1
            if records & 0xfff == 0, isStopped() { throw Interrupted() }
            if merge.prefix != prefix || group.count == 0 {
                prefix = merge.prefix
                if !merge.isTelling, merge.isAlone {
                    // Nobody else has anything to say under its key. Most records are like that.
                    try judge(group)
                    group.clear()
                    try merge.advance()
                    continue
                }
            }
            if !merge.withRecord({ group.isKey(of: $0) }) {
                try judge(group)
                merge.withRecord { group.begin($0) }
            }
            let outcome = merge.withRecord { record -> Result<Void, FileError> in
                Result { () throws(FileError) in try group.add(record) }
            }
            try outcome.get()
            try merge.advance()
        }
        try judge(group)
    }

    private func judge(_ group: RecordGroup) throws {
        guard group.count > 1 || group.count == 1 && group.flags.isTelling(under: group.kind) else { return }
        let isForSubscriptions = asOf != nil && group.kind == .originalTransaction && group.flags.contains(.hasPeriods)
        guard isForSubscriptions || group.count >= fewest[Int(group.kind.rawValue)] else { return }
        let gathered = try group.gathered()
        if let asOf, group.kind == .originalTransaction, group.flags.contains(.hasPeriods) {
            if let subscription = try Subscription(gathered, asOf: asOf) { try store.note(subscription) }
        }
        guard group.count >= fewest[Int(group.kind.rawValue)] else { return }
        var mark: Mark?
        var failure: FileError?
        try rules.judge(
            gathered,
            onFinding: { mark = try store.note($0) },
            onMark: { _, sighting in
                guard let mark, failure == nil else { return }
                do throws(FileError) { try store.note(mark, on: sighting.claim) } catch { failure = error }
            })
        if let failure { throw failure }
    }
}
