import Files
import Rules
import Sorting

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
                hashes.append(
                    picked.withRecord { record in
                        var fields = RecordReader(record)
                        return fields.sortable()
                    })
                try picked.advance()
            }
            try write(ClaimRecord.observations(of: record), under: hashes)
        }
    }

    private mutating func write(_ said: ClaimObservations, under hashes: [UInt64]) throws(FileError) {
        var failure: FileError?
        let encoder = ObservationEncoder(said.presented)
        said.forEach(wanted.kinds, withPeriods: wanted.isForSubscriptions) { kind, key, purchases in
            let hash = ObservationRecord.prefix(of: kind, key)
            guard hashes.containsSorted(hash) else { return }
            record.removeAll()
            encoder.write(kind, key, purchases, to: &record)
            let bytes = record.bytes
            do throws(FileError) {
                try observations.add(hash, bytes.span)
            } catch {
                failure = failure ?? error
            }
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
