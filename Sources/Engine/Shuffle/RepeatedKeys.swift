import Files
import Rules
import Sorting

/// Goes through the hashes of keys in order, and picks those that more claims have than one, or that one has something
/// to tell under.
struct RepeatedKeys: KeyPicker {
    private let wanted: WantedKeys
    /// Claims and hashes, to be brought into the order of claims.
    private let found: RecordSorter
    private var record: [UInt8] = []
    /// Claims that have the hash, until there are enough of them.
    private var waiting: [WorkerClaimID] = []
    private var areEnough = false
    private var minimum = Int.max

    init(_ wanted: WantedKeys, found: RecordSorter) {
        self.wanted = wanted
        self.found = found
    }

    mutating func pick(from keys: consuming some SortedKeys, isStopped: () -> Bool) throws {
        var hash: UInt64 = 0
        var isFirst = true
        var count = 0
        while !keys.isAtEnd {
            count += 1
            if count & 0xffff == 0, isStopped() { throw Interrupted() }
            let key = keys.key
            if isFirst || keys.hash != hash {
                (hash, isFirst) = (keys.hash, false)
                begin()
                if !key.isSignificant, keys.isAlone {
                    try keys.advance()
                    continue
                }
            }
            try take(key, hash: hash)
            try keys.advance()
        }
    }

    private mutating func begin() {
        waiting.removeAll(keepingCapacity: true)
        areEnough = false
        minimum = .max
    }

    private mutating func take(_ key: KeyRecord, hash: UInt64) throws(FileError) {
        waiting.append(key.place)
        // Two kinds of keys may have the same hash, if only by accident: what is kept for nothing does no harm.
        minimum = min(minimum, wanted.minimum(key.kind))
        // One claim is enough only if it has something to tell.
        areEnough = areEnough || key.isSignificant || waiting.count >= max(2, minimum)
        guard areEnough else { return }
        for place in waiting {
            record.removeAll(keepingCapacity: true)
            record.append(bigEndian: hash)
            try found.add(place.rawValue, record.span)
        }
        waiting.removeAll(keepingCapacity: true)
    }
}

/// Writes what claims have to say under the keys that were picked.
struct RepeatedObservations {
    private let wanted: WantedKeys
    /// The observations, to be brought into the order of keys.
    private let observations: RecordSorter
    private var record = RecordWriter()

    init(_ wanted: WantedKeys, observations: RecordSorter) {
        self.wanted = wanted
        self.observations = observations
    }

    /// - Parameters:
    ///   - store: has what the claims of one worker have to say.
    ///   - picked: the claims and hashes that were picked, in the order of claims.
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
            try ClaimRecord.observations(of: record).add(
                to: observations, wanted.rules, wanted.kinds, withPeriods: wanted.isForSubscriptions, by: &self.record
            ) { hashes.containsSorted($0) }
        }
    }
}

extension ClaimObservations {
    /// Adds records of what the claim says under some of its keys to a sorter.
    ///
    /// - Parameters:
    ///   - record: a buffer.
    ///   - isWanted: whether a record is wanted under a key with this hash.
    func add(
        to sorter: RecordSorter, _ rules: RuleSet, _ kinds: KeyKinds = .all, withPeriods: Bool = true,
        by record: inout RecordWriter, where isWanted: (UInt64) -> Bool
    ) throws(FileError) {
        var failure: FileError?
        var observation = rules.presented(self)
        forEach(kinds, withPeriods: withPeriods) { kind, key, purchases in
            let hash = ObservationRecord.prefix(of: kind, key)
            guard isWanted(hash) else { return }
            record.removeAll()
            observation.purchases = Array(purchases)
            ObservationRecord.write(kind, key, observation, to: &record)
            do throws(FileError) { try sorter.add(hash, record) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }
}

extension [UInt64] {
    /// Whether an element is among these, which are in order.
    fileprivate func containsSorted(_ element: UInt64) -> Bool {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < element { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low] == element
    }
}
