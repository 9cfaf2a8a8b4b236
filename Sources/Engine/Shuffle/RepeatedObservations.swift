import Encodings
import Files
import Inputs
import Rules
import Sorting

/// Writes the observations of claims under the keys that were picked.
struct RepeatedObservations {
    private let wanted: WantedKeys
    private let placeholders: AccountPlaceholders
    /// The observations, to be sorted by key.
    private let observations: RecordSorter
    private var record = RecordWriter()

    init(_ wanted: WantedKeys, _ placeholders: AccountPlaceholders, observations: RecordSorter) {
        self.wanted = wanted
        self.placeholders = placeholders
        self.observations = observations
    }

    /// - Parameters:
    ///   - store: has the observations of one worker's claims.
    ///   - picked: the picked claims and hashes, in the order of claims.
    mutating func write(from store: WorkerStore, _ picked: consuming RunMerge, isStopped: () -> Bool) throws {
        var picked = picked
        var hashes: [UInt64] = []
        try store.drainClaims { place, record in
            while !picked.isAtEnd, picked.prefix < place.rawValue { try picked.advance() }
            guard !picked.isAtEnd, picked.prefix == place.rawValue else { return }
            if isStopped() { throw Interrupted() }
            hashes.removeAll(keepingCapacity: true)
            while !picked.isAtEnd, picked.prefix == place.rawValue {
                hashes.append(picked.withRecord { $0.bigEndian(at: 0) })
                try picked.advance()
            }
            var said = try ClaimRecord.observations(of: record)
            said.remove(placeholders)
            try said.add(
                to: observations, wanted.rules, wanted.kinds, withPeriods: wanted.isForSubscriptions, by: &self.record
            ) { hashes.containsSorted($0) }
        }
    }
}

extension ClaimObservations {
    /// Adds records of the claim's observations under some of its keys to a sorter.
    ///
    /// - Parameters:
    ///   - record: a buffer.
    ///   - isWanted: whether a record is wanted under a key with this hash.
    func add(
        to sorter: RecordSorter, _ rules: RuleSet, _ kinds: KeyKinds = .all, withPeriods: Bool = true,
        by record: inout RecordWriter, where isWanted: (UInt64) -> Bool
    ) throws(FileError) {
        var failure: FileError?
        var observation = presented
        forEach(kinds, withPeriods: withPeriods, where: { isWanted(ObservationRecord.prefix(of: $0, $1)) }) {
            kind, key, purchases in
            record.removeAll()
            observation.purchases = purchases
            observation.isBurst = kind == .account && rules.isBurst(self)
            ObservationRecord.write(kind, key, observation, to: &record)
            do throws(FileError) {
                try sorter.add(ObservationRecord.prefix(of: kind, key), record)
            } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }
}
