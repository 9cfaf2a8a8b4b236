import Encodings
import Proofs
import Rules

/// Tells claims apart by what they say: the same for the same claim on every night, wherever it stands in the export.
///
/// A cryptographic hash, cut to 64 bits: nobody can make a claim that passes for another one which is remembered.
final class ClaimIdentity {
    private let hasher: ContentHasher
    private var record = RecordWriter()

    init() throws(OpenSSLError) { hasher = try ContentHasher() }

    /// Why a hash could not be computed.
    var failure: OpenSSLError? { hasher.failure }

    func of(_ observations: ClaimObservations) -> UInt64 {
        var presented = observations.presented
        presented.claim = 0
        presented.source = ""
        record.removeAll()
        ClaimRecord.write(
            ClaimObservations(
                presented: presented, contentDigest: observations.contentDigest, purchases: observations.purchases),
            to: &record)
        let bytes = record.bytes
        return hasher.digest(of: bytes.span).prefix
    }
}
