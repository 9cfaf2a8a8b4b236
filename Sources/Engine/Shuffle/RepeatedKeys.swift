import Files
import Rules
import Sorting

/// Goes through the hashes of keys in order, and picks those that more claims have than one, or that one has something
/// to tell under. Claims of earlier runs count, too.
///
/// Both sides come in the order of hashes and, under a hash, of identities. A claim that an earlier run had and this one has
/// again is one claim.
final class RepeatedKeys {
    private let wanted: WantedKeys
    /// Claims of this run and hashes, to be brought into the order of claims.
    let found: RecordSorter
    /// Hashes and identities that no earlier run had; `nil` if nothing is kept.
    let new: RecordSorter?
    /// What claims of earlier runs say under such keys; `nil` if there are no earlier runs.
    let earlier: EarlierObservations?
    private var record = RecordWriter()

    // Of the current hash:
    /// Claims of this run and of earlier ones that have it, until there are enough of them.
    private var waiting: [WorkerClaimID] = []
    private var waitingEarlier: [UInt64] = []
    private var count = 0
    private var areEnough = false
    private var minimum = Int.max
    private var traits = DistinctTraits()
    /// As many claims are compared, though they may all say the same: they wait in memory.
    private static let maxWaiting = 1 << 16

    /// - Parameter makeSorter: returns another sorter.
    init(_ wanted: WantedKeys, _ earlier: EarlierObservations?, makeSorter: () -> RecordSorter) {
        self.wanted = wanted
        self.earlier = earlier
        found = makeSorter()
        new = wanted.isKept ? makeSorter() : nil
    }

    func pick(from keys: consuming some SortedKeys, isStopped: () -> Bool) throws {
        let reader = earlier?.reader
        var count = 0
        while !keys.isAtEnd {
            count += 1
            if count & 0xfff == 0, isStopped() { throw Interrupted() }
            let (hash, first) = (keys.hash, keys.key)
            try reader?.seek(hash)
            if !first.isSignificant, keys.isAlone, reader?.key?.hash != hash {
                try add(new: hash, first.identity)
                try keys.advance()
                continue
            }
            begin()
            while !keys.isAtEnd, keys.hash == hash {
                count += 1
                if count & 0xfff == 0, isStopped() { throw Interrupted() }
                let key = keys.key
                try takeEarlier(under: hash, before: key.identity, reader)
                try take(key, hash, isKnown: reader?.key == EarlierKey(hash: hash, claim: key.identity))
                try keys.advance()
                // This run may have it more than once.
                if !keys.isAtEnd, keys.hash == hash, keys.key.identity == key.identity { continue }
                if reader?.key == EarlierKey(hash: hash, claim: key.identity) { try reader?.next() }
            }
            try takeEarlier(under: hash, before: nil, reader)
        }
    }

    private func begin() {
        waiting.removeAll(keepingCapacity: true)
        waitingEarlier.removeAll(keepingCapacity: true)
        (count, areEnough, minimum) = (0, false, .max)
        traits.removeAll()
    }

    private func take(_ key: KeyRecord, _ hash: UInt64, isKnown: Bool) throws {
        if !isKnown { try add(new: hash, key.identity) }
        waiting.append(key.place)
        // Two kinds of keys may have the same hash, if only by accident: what is kept for nothing does no harm.
        minimum = min(minimum, wanted.minimum(key.kind))
        traits.add(key.trait, wanted.minTraits(key.kind))
        // One claim is enough only if it has something to tell.
        areEnough = areEnough || key.isSignificant
        try countClaim(under: hash)
    }

    /// Takes the claims of earlier runs with identities before one, or all that are left.
    private func takeEarlier(under hash: UInt64, before identity: UInt64?, _ reader: (any HistoryReader)?) throws {
        while let key = reader?.key, key.hash == hash, identity.map({ key.claim < $0 }) ?? true {
            waitingEarlier.append(key.claim)
            // What it says is not known before it is read.
            traits.addSignificant()
            try countClaim(under: hash)
            try reader?.next()
        }
    }

    private func countClaim(under hash: UInt64) throws {
        count += 1
        areEnough = areEnough || traits.areEnough && count >= max(2, minimum) || count >= Self.maxWaiting
        guard areEnough else { return }
        for place in waiting { try add(to: found, place.rawValue, hash) }
        waiting.removeAll(keepingCapacity: true)
        for identity in waitingEarlier { try earlier?.recall(identity, under: hash) }
        waitingEarlier.removeAll(keepingCapacity: true)
    }

    private func add(new hash: UInt64, _ identity: UInt64) throws(FileError) {
        if let new { try add(to: new, hash, identity) }
    }

    private func add(to sorter: RecordSorter, _ prefix: UInt64, _ number: UInt64) throws(FileError) {
        record.removeAll()
        record.bytes.append(bigEndian: number)
        try sorter.add(prefix, record)
    }
}
