import Files
import Rules
import Sorting

/// Judges groups of claims, on one thread.
final class ReduceWorker {
    private let rules: RuleSet
    private let store: WorkerStore
    private let folder: String
    private let isStopped: () -> Bool
    /// By the number of the key's kind: how many sightings a group must have to be looked at.
    private let fewest: [Int]
    private var records = 0

    init(rules: RuleSet, store: WorkerStore, folder: String, isStopped: @escaping () -> Bool) {
        self.rules = rules
        self.store = store
        self.folder = folder
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
                if merge.isAlone, !merge.withRecord({ isTelling($0) }) {
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

    /// Whether a rule may find something in a record by itself.
    private func isTelling(_ record: Span<UInt8>) -> Bool {
        guard let kind = KeyKind(rawValue: record[0]), fewest[Int(kind.rawValue)] == 1 else { return false }
        return SightingRecord.hasPurchases(record)
    }

    private func judge(_ group: RecordGroup) throws {
        guard group.count > 0, group.count >= fewest[Int(group.kind.rawValue)] else { return }
        // What rules find in one claim alone are its purchases.
        guard group.count > 1 || group.hasPurchases else { return }
        var mark: Mark?
        var failure: FileError?
        try rules.judge(
            group.gathered(),
            onFinding: { mark = try store.note($0) },
            onMark: { _, sighting in
                guard let mark, failure == nil else { return }
                do throws(FileError) { try store.note(mark, on: sighting.claim) } catch { failure = error }
            })
        if let failure { throw failure }
    }
}
