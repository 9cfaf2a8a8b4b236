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
}
