import Proofs
import Rules

/// All that a claim has to say under any of its keys, as a record.
enum ClaimRecord {
    static func write(_ observations: ClaimObservations, to record: inout RecordWriter) {
        record.observations(observations)
    }

    static func observations(of record: Span<UInt8>) -> ClaimObservations {
        var presented = ObservationRecord.observation(of: record)
        let purchases = presented.purchases
        presented.purchases = []
        let digest = ObservationRecord.key(of: record).octets
        return ClaimObservations(
            presented: presented, contentDigest: digest.isEmpty ? nil : Digest(octets: digest), purchases: purchases)
    }

    /// Puts another number in the place of the claim's.
    static func renumber(_ record: inout [UInt8], _ number: UInt64) {
        let start = ObservationRecord.keyLength(of: record.span)
        guard start + 8 <= record.count else { return }
        for index in 0..<8 { record[start + index] = UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * index)) }
    }
}
