import Encodings
import Rules

/// Reads what ``BlockRecorder`` wrote.
struct BlockReplay {
    let key: BlockKey
    private let window: AsOfWindow
    let tally: Tally
    let breakdown: Breakdown
    let unknownKeys: [String]
    let rows: [EncodedRows]
    private let findings: [UInt8]
    private let findingCount: Int
    private let observations: [UInt8]
    private let observationCount: Int

    /// - Parameter withClaims: whether what the claims have to say is going to be asked for.
    /// - Returns: `nil` if it is not true for this instant, or not in these formats.
    init?(_ bytes: Span<UInt8>, asOf: Instant, formats: Int, withClaims: Bool = true) {
        var fields = RecordReader(bytes)
        key = BlockKey(fields.octets())
        window = AsOfWindow(first: fields.instant(), last: fields.instant())
        guard window.contains(asOf) else { return nil }
        tally = Tally(&fields)
        breakdown = Breakdown(&fields)
        unknownKeys = fields.texts().map(\.text)
        guard fields.int() == formats else { return nil }
        var rows: [EncodedRows] = []
        for index in 0..<formats {
            rows.append(EncodedRows(places: &fields))
            rows[index].bytes = fields.octets()
        }
        self.rows = rows
        let tally = tally
        guard rows.allSatisfy({ [0, tally.claims].contains($0.ends.count) && $0.hangsTogether }) else { return nil }
        findingCount = fields.count()
        findings = fields.octets()
        observationCount = withClaims ? fields.count() : 0
        observations = withClaims ? fields.octets() : []
    }

    /// The rows that are wanted of a block before which there are so many claims; `nil` if it had none of them then.
    func rows(for encoders: [RowEncoder], after claims: Int) -> [EncodedRows]? {
        var wanted: [EncodedRows] = []
        for (rows, encoder) in zip(rows, encoders) {
            let isWanted = encoder.wantsRows(after: claims)
            guard !isWanted || rows.ends.count == tally.claims else { return nil }
            wanted.append(isWanted ? rows : EncodedRows())
        }
        return wanted
    }

    /// Whether what was written is true for this instant.
    static func isTrue(_ bytes: Span<UInt8>, asOf: Instant) -> Bool {
        var fields = RecordReader(bytes)
        fields.skip(fields.count())
        return AsOfWindow(first: fields.instant(), last: fields.instant()).contains(asOf)
    }

    /// Whether all but the rows is the same as in another block's record.
    func saysTheSame(as other: BlockReplay) -> Bool {
        var (tallies, others) = (RecordWriter(), RecordWriter())
        tally.write(to: &tallies)
        other.tally.write(to: &others)
        return key.octets == other.key.octets && window == other.window && tallies.bytes == others.bytes
            && breakdown == other.breakdown
            && unknownKeys.map { Array($0.utf8) } == other.unknownKeys.map { Array($0.utf8) }
            && findingCount == other.findingCount && findings == other.findings
            && observationCount == other.observationCount && observations == other.observations
    }

    /// Calls a body for each finding, with the place of its claim in the block.
    func forEachFinding(_ body: (Int, ClaimFinding) throws -> Void) rethrows {
        let findings = findings
        var fields = RecordReader(findings.span)
        for _ in 0..<findingCount {
            let index = fields.int()
            let finding = ClaimFinding(&fields)
            if (0..<max(0, tally.claims)).contains(index) { try body(index, finding) }
        }
    }

    /// Calls a body for each claim with keys, with its place in the block.
    func forEachClaim(_ body: (Int, NotedClaim) throws -> Void) rethrows {
        let observations = observations
        var fields = RecordReader(observations.span)
        var noted = NotedClaim()
        for _ in 0..<observationCount {
            let index = fields.int()
            noted.identity = fields.sortable()
            noted.record = fields.octets()
            noted.keys.removeAll(keepingCapacity: true)
            for _ in 0..<fields.count() {
                let (hash, kind) = (fields.sortable(), fields.byte())
                noted.keys.append(
                    NotedKey(
                        hash: hash, kind: KeyKind(rawValue: kind & 0x7f) ?? .receipt, isSignificant: kind & 0x80 != 0))
            }
            if (0..<max(0, tally.claims)).contains(index) { try body(index, noted) }
        }
    }
}
