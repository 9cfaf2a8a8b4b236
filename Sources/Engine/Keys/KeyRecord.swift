import Rules

/// Under the hash of a key: which claim has it.
struct KeyRecord {
    var place: WorkerClaimID
    var kind: KeyKind
    /// Whether the claim has enough to say under it, even if no other claim has it.
    var isSignificant = false
    /// What the claim says, as ``ClaimIdentity`` has it; 0 if nobody asks.
    var identity: UInt64 = 0
}

extension KeyRecord {
    /// All but the identity, in one word: the worker, the claim's number in 48 bits, the kind, the mark.
    var word: UInt64 {
        let (worker, number) = (place.rawValue >> 56, place.rawValue & (1 << 48 - 1))
        return worker << 56 | number << 8 | UInt64(kind.rawValue) << 1 | (isSignificant ? 1 : 0)
    }

    init(word: UInt64, identity: UInt64 = 0) {
        let place = WorkerClaimID(word >> 8 & (1 << 48 - 1), worker: Int(word >> 56))
        let kind = KeyKind(rawValue: UInt8(truncatingIfNeeded: word >> 1) & 0x7f) ?? .receipt
        self.init(place: place, kind: kind, isSignificant: word & 1 != 0, identity: identity)
    }
}
