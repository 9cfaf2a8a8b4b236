import Rules
import Signatures

/// All that a claim has to say under any of its keys, as a record.
enum ClaimRecord {
    static func write(_ sightings: ClaimSightings, to record: inout RecordWriter) {
        record.sightings(sightings)
    }

    static func sightings(of record: Span<UInt8>) -> ClaimSightings {
        var presented = SightingRecord.sighting(of: record)
        let purchases = presented.purchases
        presented.purchases = []
        let digest = SightingRecord.key(of: record).octets
        return ClaimSightings(
            presented: presented, contentDigest: digest.isEmpty ? nil : Digest(octets: digest), purchases: purchases)
    }

    /// Puts another number in the place of the claim's.
    static func renumber(_ record: inout [UInt8], _ number: UInt64) {
        let start = SightingRecord.keyLength(of: record.span)
        guard start + 8 <= record.count else { return }
        for index in 0..<8 { record[start + index] = UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * index)) }
    }
}
