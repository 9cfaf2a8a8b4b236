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
    /// As many claims are compared, though they may all say the same: they wait in memory.
    private static let maxWaiting = 1 << 16
    /// Claims that have the hash, until there are enough of them.
    private var waiting: [WorkerClaimID] = []
    private var areEnough = false
    private var minimum = Int.max
    private var traits = DistinctTraits()

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
        traits.removeAll()
    }

    private mutating func take(_ key: KeyRecord, hash: UInt64) throws(FileError) {
        waiting.append(key.place)
        // Two kinds of keys may have the same hash, if only by accident: what is kept for nothing does no harm.
        minimum = min(minimum, wanted.minimum(key.kind))
        traits.add(key.trait, wanted.minTraits(key.kind))
        // One claim is enough only if it has something to tell.
        areEnough = areEnough || key.isSignificant || traits.areEnough && waiting.count >= max(2, minimum)
        areEnough = areEnough || waiting.count == Self.maxWaiting
        guard areEnough else { return }
        for place in waiting {
            record.removeAll(keepingCapacity: true)
            record.append(bigEndian: hash)
            try found.add(place.rawValue, record.span)
        }
        waiting.removeAll(keepingCapacity: true)
    }
}
