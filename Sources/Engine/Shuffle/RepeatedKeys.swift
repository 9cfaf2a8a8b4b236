import Files
import Rules
import Sorting

/// Reads the hashes of keys in order, and picks those that several claims have, or that are significant for one. Claims
/// of earlier runs also count.
///
/// Both inputs are sorted by hash and then by identity. A claim that both an earlier run and this one have is one
/// claim.
final class RepeatedKeys {
    private let wanted: WantedKeys
    /// The picked claims of this run with the hashes, to be sorted by claim.
    let found: RecordSorter
    /// The hashes and identities that no earlier run had; `nil` if nothing is stored.
    let new: RecordSorter?
    /// The observations of claims of earlier runs under such keys; `nil` if there are no earlier runs.
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
    /// The number of claims that are compared even if they are all equal: they wait in memory.
    private static let maxWaiting = 1 << 16

    init(_ wanted: WantedKeys, _ earlier: EarlierObservations?, _ storage: Storage) {
        self.wanted = wanted
        self.earlier = earlier
        found = RecordSorter(budget: storage.memory, folder: storage.folder)
        new = wanted.isKept ? RecordSorter(budget: storage.memory, folder: storage.folder) : nil
    }

    /// - Parameter keys: a ``KeyRecord`` for each key of each claim.
    func pick(from keys: consuming RunMerge, isStopped: () -> Bool) throws {
        let reader = earlier?.reader
        var count = 0
        while !keys.isAtEnd {
            let hash = keys.prefix
            try reader?.seek(hash)
            begin()
            /// The claim that both an earlier run and this one have. This run may have it more than once.
            var known: UInt64?
            while !keys.isAtEnd, keys.prefix == hash {
                count += 1
                if count & 0xfff == 0, isStopped() { throw Interrupted() }
                let key: KeyRecord = try keys.value()
                if let claim = known, claim != key.identity {
                    try reader?.next()
                    known = nil
                }
                try takeEarlier(under: hash, before: key.identity, reader)
                if reader?.key == EarlierKey(hash: hash, claim: key.identity) { known = key.identity }
                try take(key, hash, isKnown: known != nil)
                try keys.advance()
            }
            if known != nil { try reader?.next() }
            try takeEarlier(under: hash, before: nil, reader)
        }
    }

    private func begin() {
        waiting.removeAll(keepingCapacity: true)
        waitingEarlier.removeAll(keepingCapacity: true)
        count = 0
        areEnough = false
        minimum = .max
        traits.removeAll()
    }

    private func take(_ key: KeyRecord, _ hash: UInt64, isKnown: Bool) throws {
        if !isKnown { try add(new: hash, key.identity) }
        waiting.append(key.place)
        // Two kinds of keys may have the same hash by accident. Keeping too much does no harm.
        minimum = min(minimum, wanted.minimum(key.key.kind))
        traits.add(key.key.trait, wanted.minTraits(key.key.kind))
        // One claim is enough only if it is significant.
        areEnough = areEnough || key.key.isSignificant
        try countClaim(under: hash)
    }

    /// Takes the claims of earlier runs with identities before one, or all remaining ones.
    private func takeEarlier(under hash: UInt64, before identity: UInt64?, _ reader: (any HistoryReader)?) throws {
        while let key = reader?.key, key.hash == hash, identity.map({ key.claim < $0 }) ?? true {
            waitingEarlier.append(key.claim)
            // Its content is not known before it is read.
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
