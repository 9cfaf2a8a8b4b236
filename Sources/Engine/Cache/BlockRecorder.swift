import Checks
import Encodings
import Rules

/// Writes down what comes of a block of claims, so that it need not be judged again.
///
/// What is written is all that the map stage hands on: counts, rows, findings, and what the claims say under their keys.
/// ``BlockReplay`` reads it.
struct BlockRecorder {
    private let key: BlockKey
    private let asOf: Instant
    private var window = AsOfWindow()
    private var breakdown = Breakdown()
    private var findings = RecordWriter()
    private var findingCount = 0
    private var observations = RecordWriter()
    private var observationCount = 0

    init(_ key: BlockKey, asOf: Instant) {
        self.key = key
        self.asOf = asOf
    }

    /// - Parameter policy: the run's, if figures are wanted.
    mutating func note(_ facts: Facts, figuresBy policy: Policy?) {
        window.narrow(to: facts, asOf: asOf)
        if let policy { breakdown.count(facts, policy) }
    }

    mutating func note(_ finding: Finding, ofClaim index: Int) {
        findingCount += 1
        findings.number(UInt64(index))
        ClaimFinding(finding).write(to: &findings)
    }

    mutating func note(_ noted: NotedClaim, ofClaim index: Int) {
        observationCount += 1
        observations.number(UInt64(index))
        observations.sortable(noted.identity)
        observations.octets(noted.record)
        observations.number(UInt64(noted.keys.count))
        for key in noted.keys {
            observations.sortable(key.hash)
            observations.byte(key.kind.rawValue | (key.isSignificant ? 0x80 : 0))
        }
    }

    /// All of it; `nil` if it is not even true for the instant for which it was made.
    func bytes(_ tally: Tally, rows: [EncodedRows], unknownKeys: [String]) -> [UInt8]? {
        guard window.contains(asOf) else { return nil }
        var record = RecordWriter()
        record.octets(key.octets)
        record.instant(window.first)
        record.instant(window.last)
        tally.write(to: &record)
        breakdown.write(to: &record)
        record.number(UInt64(unknownKeys.count))
        for key in unknownKeys { record.text(ExactText(key)) }
        record.number(UInt64(rows.count))
        for rows in rows {
            rows.writePlaces(to: &record)
            record.octets(rows.bytes)
        }
        record.number(UInt64(findingCount))
        record.octets(findings.bytes)
        record.number(UInt64(observationCount))
        record.octets(observations.bytes)
        return record.bytes
    }
}

/// What a claim has to say under its keys, as it is noted and sorted.
struct NotedClaim {
    /// The same for claims that say the same; 0 if nobody asks.
    var identity: UInt64 = 0
    var keys: [NotedKey] = []
    /// A ``ClaimRecord``.
    var record: [UInt8] = []
}

/// A key of a claim's, of which only a hash is noted.
struct NotedKey {
    var hash: UInt64
    var kind: KeyKind
    /// Whether the claim has enough to say under it, even if no other claim has it.
    var isSignificant: Bool
}
