import Encodings
import Rules

/// Claims of earlier runs among those of this one: they are counted and compared, but have no row.
enum EarlierClaims {
    private static let mark: UInt64 = 1 << 63

    /// A number behind those of all claims of this run: by when the claim was met first, then by what it says.
    static func number(seenAt: Instant, _ identity: UInt64) -> UInt64 {
        let seconds = UInt64(min(max(seenAt.seconds, 0), Int64(UInt32.max)))
        return mark | seconds << 31 | identity >> 33
    }

    static func isEarlier(_ claim: UInt64) -> Bool { claim & mark != 0 }
}

extension ClaimObservations {
    /// The same as a claim of an earlier run, whose source tells the day of that run.
    func renumbered(_ number: UInt64, seenAt: Instant) -> ClaimObservations {
        var presented = presented
        presented.claim = number
        presented.source = "\(presented.source) (\(seenAt.description.prefix(10)))"
        return ClaimObservations(presented: presented, contentDigest: contentDigest, purchases: purchases)
    }
}
