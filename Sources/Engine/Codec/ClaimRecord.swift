import Checks
import Encodings
import Proofs
import Receipts
import Rules

/// The record of everything that a claim says under any of its keys. Begins with the claim's number and source.
enum ClaimRecord {
    static func write(_ observations: borrowing ClaimObservations, to record: inout RecordWriter) {
        var presented = observations.presented
        presented.purchases = observations.purchases
        record.sortable(&presented.claim)
        record.text(&presented.source)
        if let digest = observations.contentDigest { record.octets(digest.octets) } else { record.octets(Span()) }
        presented.code(&record, in: .claim)
        guard var proven = observations.proven else { return }
        // What evidence says about the purchases, at the end and only if there is any. Records for later runs never have it.
        record.purchases(&proven, underTransaction: "")
    }

    /// Returns the id of a claim's case, and whether it is a token of evidence, without reading the rest.
    static func identity(of record: Span<UInt8>) throws(RecordError) -> (caseID: CaseID, isEvidence: Bool) {
        var fields = RecordReader(record)
        var (claim, source, digest): (ClaimNumber, ExactText, [UInt8]) = (0, "", [])
        var (id, caseID) = (ClaimID.none, CaseID.none)
        try fields.sortable(&claim)
        try fields.text(&source)
        try fields.octets(&digest)
        try fields.identity(&id)
        try fields.identity(&caseID)
        return (caseID, caseID == .none)
    }

    static func observations(of record: Span<UInt8>) throws(RecordError) -> ClaimObservations {
        var fields = RecordReader(record)
        var presented = Observation(claim: 0, source: "")
        var digest: [UInt8] = []
        try fields.sortable(&presented.claim)
        try fields.text(&presented.source)
        try fields.octets(&digest)
        try presented.code(&fields, in: .claim)
        var proven: [Purchase]?
        if !fields.isAtEnd {
            var listed: [Purchase] = []
            try fields.purchases(&listed, underTransaction: "")
            guard listed.count == presented.purchases.count else { throw .malformed }
            proven = listed
        }
        try fields.end()
        if presented.isGenuine, presented.kind == nil { presented.tokenDigest = digest }
        let purchases = presented.purchases
        presented.purchases = []
        return ClaimObservations(
            presented: presented, contentDigest: digest.isEmpty ? nil : Digest(octets: digest), purchases: purchases,
            proven: proven)
    }
}

/// The record of what a claim says under one key. Sorts by the key and then by the claim.
enum ObservationRecord {
    /// Returns the sort prefix of records, so that those of one key are together.
    static func prefix(of kind: KeyKind, _ key: Span<UInt8>) -> UInt64 {
        key.stableHash ^ UInt64(kind.rawValue) &* 0x9e37_79b9_7f4a_7c15
    }

    static func write(
        _ kind: KeyKind, _ key: Span<UInt8>, _ observation: consuming Observation, to record: inout RecordWriter
    ) {
        var kind = kind
        record.code(&kind)
        record.octets(key)
        write(observation, in: ObservationContext(kind, key), to: &record)
    }

    /// Writes a record without its key.
    static func write(
        _ observation: consuming Observation, in context: ObservationContext, to record: inout RecordWriter
    ) {
        var observation = observation
        record.sortable(&observation.claim)
        record.text(&observation.source)
        observation.code(&record, in: context)
    }

    static func key(of record: Span<UInt8>) throws(RecordError) -> (key: GroupKey, length: Int) {
        var fields = RecordReader(record)
        var (kind, octets): (KeyKind, [UInt8]) = (.receipt, [])
        try fields.code(&kind)
        try fields.octets(&octets)
        return (GroupKey(kind, octets: octets), fields.position)
    }

    /// - Parameters:
    ///   - rest: the record after its key.
    ///   - context: the context of the key.
    static func observation(of rest: Span<UInt8>, in context: ObservationContext) throws(RecordError) -> Observation {
        var fields = RecordReader(rest)
        var observation = Observation(claim: 0, source: "")
        try fields.sortable(&observation.claim)
        try fields.text(&observation.source)
        try observation.code(&fields, in: context)
        try fields.end()
        return observation
    }
}
