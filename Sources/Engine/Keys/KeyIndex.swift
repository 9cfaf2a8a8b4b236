import Encodings
import Files
import Rules
import Sorting

/// Which keys the claims of one worker have, and what the claims have to say under them.
///
/// Most keys are one claim's alone, and then nothing needs to be compared. So of every key only a hash is noted, with
/// the claim that has it, and what a claim has to say is written once and not once a key. When all claims are judged, the
/// hashes are sorted, and only what stands under a hash that comes more than once is brought together (``AuditRun``).
struct KeyIndex {
    private var hashes: KeyLog
    /// A ``ClaimRecord`` for each claim that was noted.
    private var claims: RecordLog
    private var record = RecordWriter()
    private var claim = NotedClaim()
    private let wanted: WantedKeys
    private let worker: Int
    /// How many claims were noted. Where files have to be waited for, a worker gets them in another order than theirs.
    private var noted: UInt64 = 0

    init(_ wanted: WantedKeys, worker: Int, storage: Storage) {
        self.wanted = wanted
        self.worker = worker
        hashes = KeyLog(withIdentities: wanted.remembers, budget: storage.memory / 4, folder: storage.folder)
        claims = RecordLog(budget: storage.memory / 4, folder: storage.folder)
    }

    /// Notes a claim's keys, and what it has to say.
    ///
    /// - Parameter identity: tells claims apart that say something else, where it is asked for.
    /// - Returns: what was noted; without keys nothing.
    mutating func note(_ observations: ClaimObservations, identity: ClaimIdentity? = nil) throws(FileError)
        -> NotedClaim?
    {
        claim.keys.removeAll(keepingCapacity: true)
        observations.forEachKey(wanted.kinds, withPeriods: wanted.isForSubscriptions) {
            kind, key, significantPurchases in
            let hash = ObservationRecord.prefix(of: kind, key)
            let isSignificant = wanted.areEnough(significantPurchases, under: kind)
            // A receipt has few keys. Of very many some may be noted twice, which costs time and changes nothing.
            if !isSignificant, claim.keys.suffix(32).contains(where: { $0.hash == hash }) { return }
            claim.keys.append(NotedKey(hash: hash, kind: kind, isSignificant: isSignificant))
        }
        guard !claim.keys.isEmpty else { return nil }
        record.removeAll()
        ClaimRecord.write(observations, to: &record)
        swap(&claim.record, &record.bytes)
        if let identity { claim.identity = identity.of(observations) }
        try add(claim)
        return claim
    }

    /// Notes a claim as it was noted before, under its number in this run.
    mutating func note(_ claim: NotedClaim, number: UInt64) throws(FileError) {
        var claim = claim
        ClaimRecord.renumber(&claim.record, number)
        try add(claim)
    }

    private mutating func add(_ claim: NotedClaim) throws(FileError) {
        let place = WorkerClaimID(noted, worker: worker)
        noted += 1
        for key in claim.keys {
            try hashes.append(
                key.hash,
                KeyRecord(place: place, kind: key.kind, isSignificant: key.isSignificant, identity: claim.identity))
        }
        try claims.append(claim.record.span)
    }

    /// The hashes of keys, each with a claim and the key's kind.
    mutating func finishHashes() throws(FileError) -> KeyPieces { try hashes.finish() }

    /// Calls a body with what each claim has to say (``ClaimRecord``), in the order in which they were noted, and forgets it.
    mutating func drain(_ body: (WorkerClaimID, Span<UInt8>) throws -> Void) throws {
        var number: UInt64 = 0
        while let piece = try claims.nextPiece() {
            try piece.forEach { record in
                try body(WorkerClaimID(number, worker: worker), record)
                number += 1
            }
        }
    }
}
