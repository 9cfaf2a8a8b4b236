/// What the rows of a tier are sorted by, in the same order as SQLite has it.
protocol TierKey: Comparable {
    static var table: TieredTable { get }
    /// What is read of a row, and the condition on keys, with values from the second on: these and later ones.
    static var columns: String { get }
    static var condition: String { get }

    /// Reads a row; `nil` if it is not what was written.
    init?(_ row: Statement)

    func bind(to statement: Statement)
}

/// A key and a claim that was seen under it.
struct ObservationKey: TierKey {
    var key: UInt64
    var claim: UInt64

    static var table: TieredTable { .observation }
    static var columns: String { "key, claim, seal" }
    static var condition: String { "(key, claim)>=(?2, ?3)" }

    init(_ key: UInt64, _ claim: UInt64) { (self.key, self.claim) = (key, claim) }

    init?(_ row: Statement) {
        self.init(Unsigned.read(row.number(0)), Unsigned.read(row.number(1)))
        guard row.number(2) == Checksum.ofObservation(key, claim) else { return nil }
    }

    func bind(to statement: Statement) {
        statement.bind(Unsigned.stored(key), at: 2)
        statement.bind(Unsigned.stored(claim), at: 3)
    }

    static func < (left: Self, right: Self) -> Bool { (left.key, left.claim) < (right.key, right.claim) }
}

/// A claim's number.
struct ClaimKey: TierKey {
    var id: UInt64

    static var table: TieredTable { .claim }
    static var columns: String { "id" }
    static var condition: String { "id>=?2" }

    init(_ id: UInt64) { self.id = id }
    init?(_ row: Statement) { id = Unsigned.read(row.number(0)) }

    func bind(to statement: Statement) { statement.bind(Unsigned.stored(id), at: 2) }

    static func < (left: Self, right: Self) -> Bool { left.id < right.id }
}

/// A signature's digest.
struct SignatureKey: TierKey {
    var digest: [UInt8]

    static var table: TieredTable { .signature }
    static var columns: String { "digest" }
    static var condition: String { "digest>=?2" }

    init(_ digest: Span<UInt8>) { self.digest = digest.indices.map { digest[$0] } }
    init?(_ row: Statement) { digest = row.bytes(0) }

    func bind(to statement: Statement) { statement.bind(digest.span, at: 2) }

    static func < (left: Self, right: Self) -> Bool { left.digest.lexicographicallyPrecedes(right.digest) }
}
