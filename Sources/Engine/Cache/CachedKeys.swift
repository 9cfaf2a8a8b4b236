import Checks
import Encodings
import Files
import Ledgers
import Proofs
import Rules
import Sorting

/// Does what ``RepeatedKeys`` does for a run with a ledger: claims of earlier runs count, too.
///
/// Both sides come in the order of keys and, under a key, of identities. A claim that an earlier run had and this one has
/// again is one claim.
final class CachedKeys: KeyPicker {
    private let wanted: WantedKeys
    private let cache: RunCache
    /// In which the purchases of earlier runs' claims are looked up; `nil` without evidence.
    private let evidence: EvidenceLookup?
    /// Claims of this run and hashes, to be brought into the order of claims.
    let found: RecordSorter
    /// What claims of earlier runs say, under hashes.
    let earlier: RecordSorter
    /// Hashes and identities that no earlier run had.
    let new: RecordSorter
    /// What links show of claims of earlier runs; `nil` if nobody asks.
    let facts: RecordSorter?
    /// How many observations of earlier runs this one has, too.
    private(set) var known = 0
    private var reader: LedgerReader?
    private var record = RecordWriter()
    /// What stands for the ledger; `nil` if that is searched.
    private var missing: MissingKeys.Cursor?

    init(
        _ wanted: WantedKeys, _ cache: RunCache, _ missing: MissingKeys?, _ evidence: EvidenceLookup?, budget: Int,
        folder: String, withFacts: Bool
    ) {
        self.evidence = evidence
        self.missing = missing.map { MissingKeys.Cursor($0) }
        self.wanted = wanted
        self.cache = cache
        found = RecordSorter(budget: budget, folder: folder)
        earlier = RecordSorter(budget: budget, folder: folder)
        new = RecordSorter(budget: budget, folder: folder)
        facts = withFacts ? RecordSorter(budget: budget, folder: folder) : nil
    }

    func pick(from keys: consuming some SortedKeys, isStopped: () -> Bool) throws {
        if reader == nil, cache.hasHistory { reader = try cache.reader() }
        // Asked once: it takes a lock.
        let isUnchanged = cache.isUnchanged
        let hasHistory = reader != nil
        var count = 0
        missing?.reset()
        while !keys.isAtEnd {
            let hash = keys.hash
            if !keys.key.isSignificant, keys.isAlone, isUnchanged || !hasHistory || missing?.has(hash) == false {
                if !isUnchanged {
                    let key = keys.key
                    if hasHistory, key.isKnown { known += 1 } else { try add(new, hash, key.identity) }
                }
                count += 1
                if count & 0xfff == 0, isStopped() { throw Interrupted() }
                try keys.advance()
                continue
            }
            var group = KeyGroup(try identities(under: hash))
            while !keys.isAtEnd, keys.hash == hash {
                count += 1
                if count & 0xfff == 0, isStopped() { throw Interrupted() }
                let key = keys.key
                let isKnown = missing != nil && key.isKnown
                if !group.meet(key, isKnown: isKnown, minimum: wanted.minimum(key.kind)), !isUnchanged {
                    try add(new, hash, key.identity)
                }
                if group.areEnough { try pick(&group, hash) }
                try keys.advance()
            }
            known += group.metAgain
            if group.areEnoughWithEarlier {
                try pick(&group, hash)
                for identity in group.earlier { try recall(identity, under: hash) }
            }
        }
    }

    /// Returns the identities that earlier runs have under a key, in order.
    ///
    /// Those that known blocks of this run have, too, may be missing: their keys are marked.
    private func identities(under hash: UInt64) throws(LedgerError) -> [UInt64] {
        if let found = missing?.identities(under: hash) { return found }
        guard let reader else { return [] }
        var known: [UInt64] = []
        try reader.claims(under: hash) { known.append($0) }
        return known
    }

    private func pick(_ group: inout KeyGroup, _ hash: UInt64) throws(FileError) {
        for place in group.takeWaiting() { try add(found, place.rawValue, hash) }
    }

    private func add(_ sorter: RecordSorter, _ prefix: UInt64, _ number: UInt64) throws(FileError) {
        record.removeAll()
        record.bytes.append(bigEndian: number)
        try sorter.add(prefix, record)
    }

    /// Brings in what a claim of an earlier run says under a key.
    private func recall(_ identity: UInt64, under hash: UInt64) throws {
        guard let found = try reader?.record(ofClaim: identity) else { return }
        var said = try ClaimRecord.observations(of: found.record.span)
        said = said.renumbered(EarlierClaims.number(seenAt: found.seenAt, identity), seenAt: found.seenAt)
        if let amended = evidence?.amended(said) { said = amended }
        if let failure = evidence?.failure { throw failure }
        try said.add(to: earlier, wanted.rules, by: &record) { $0 == hash }
        guard let facts else { return }
        var link = LinkFacts(said)
        record.removeAll()
        record.identity(&link.claim)
        link.code(&record)
        try facts.add(link.claim.high, record)
    }
}

/// The claims under one key, in the order of identities.
private struct KeyGroup {
    /// Those of earlier runs that this one does not have, as far as it is known.
    private(set) var earlier: [UInt64] = []
    private var known: ArraySlice<UInt64>
    private var waiting: [WorkerClaimID] = []
    private var count = 0
    /// How many of earlier runs' claims this one has again.
    private(set) var metAgain = 0
    private var minimum = Int.max
    private var isSignificant = false
    /// The last identity that both have: this run may have it more than once.
    private var last: UInt64?

    init(_ known: [UInt64]) { self.known = known[...] }

    /// Takes a claim of this run; says whether an earlier one had it.
    ///
    /// - Parameter isKnown: whether an earlier one had it, even if it is not among the identities.
    mutating func meet(_ key: KeyRecord, isKnown: Bool, minimum: Int) -> Bool {
        while let next = known.first, next < key.identity { earlier.append(known.removeFirst()) }
        count += 1
        waiting.append(key.place)
        // Two kinds of keys may have the same hash, if only by accident: what is kept for nothing does no harm.
        self.minimum = min(self.minimum, minimum)
        isSignificant = isSignificant || key.isSignificant
        if known.first == key.identity {
            last = known.removeFirst()
            metAgain += 1
        } else if isKnown, last != key.identity {
            last = key.identity
            metAgain += 1
        }
        return last == key.identity
    }

    /// One claim is enough only if it has something to tell.
    var areEnough: Bool { isSignificant || count >= max(2, minimum) }

    /// The same after all claims of this run.
    var areEnoughWithEarlier: Bool {
        mutating get {
            earlier += known
            known = []
            return areEnough || count + earlier.count >= max(2, minimum)
        }
    }

    mutating func takeWaiting() -> [WorkerClaimID] {
        defer { waiting.removeAll(keepingCapacity: true) }
        return waiting
    }
}

/// Claims of earlier runs among those of this one: they are counted and compared, but have no row.
enum EarlierClaims {
    private static let mark: UInt64 = 1 << 63

    /// Returns a number behind those of all claims of this run: by when the claim was seen first, then by what it says.
    static func number(seenAt: Instant, _ identity: UInt64) -> UInt64 {
        let seconds = UInt64(min(max(seenAt.seconds, 0), Int64(UInt32.max)))
        return mark | seconds << 31 | identity >> 33
    }

    static func isEarlier(_ claim: UInt64) -> Bool { claim & mark != 0 }
}

extension ClaimObservations {
    /// Returns the same as a claim of an earlier run, whose source tells the day of that run.
    func renumbered(_ number: UInt64, seenAt: Instant) -> ClaimObservations {
        var presented = presented
        presented.claim = number
        presented.source = "\(presented.source) (\(seenAt.description.prefix(10)))"
        return ClaimObservations(presented: presented, contentDigest: contentDigest, purchases: purchases)
    }
}
