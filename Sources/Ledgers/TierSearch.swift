/// The key of a row in a tier, ordered as SQLite orders it.
protocol TierKey: Comparable {
    static var table: TieredTable { get }
    /// The columns that are read, and the condition for this key and later ones, whose values are bound from `?2` on.
    static var columns: String { get }
    static var condition: String { get }

    /// Reads a row; `nil` if its checksum does not match.
    init?(_ row: Statement)

    func bind(to statement: Statement)
}

/// A key and a claim that was observed under it.
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

/// The hash of what a statement is about.
struct StatementKey: TierKey {
    var key: UInt64

    static var table: TieredTable { .statement }
    static var columns: String { "key" }
    static var condition: String { "key>=?2" }

    init?(_ row: Statement) { key = Unsigned.read(row.number(0)) }

    func bind(to statement: Statement) { statement.bind(Unsigned.stored(key), at: 2) }

    static func < (left: Self, right: Self) -> Bool { left.key < right.key }
}

/// Searches several tiers at once, each with a cursor that is made when it is first needed.
final class TierSearch<Key: TierKey> {
    private let connection: Connection
    private let tiers: [Int64]
    private var cursors: [TierCursor<Key>] = []

    init(_ connection: Connection, _ tiers: TierList) {
        self.connection = connection
        self.tiers = tiers.numbers(Key.table)
    }

    /// Returns the tiers that have a row with this key.
    func tiers(with key: Key) throws(LedgerError) -> [Int64] {
        var found: [Int64] = []
        try seek(key) { cursor in if cursor.key == key { found.append(cursor.tier) } }
        return found
    }

    /// Calls a body with each tier's cursor, placed at a key or at the next one.
    fileprivate func seek(_ key: Key, _ body: (TierCursor<Key>) throws(LedgerError) -> Void) throws(LedgerError) {
        while cursors.count < tiers.count { cursors.append(try TierCursor(connection, tier: tiers[cursors.count])) }
        for cursor in cursors {
            try cursor.seek(key)
            try body(cursor)
        }
    }
}

extension TierSearch<ObservationKey> {
    /// Calls a body with the claims under a key, in ascending order, each once.
    func claims(under key: UInt64, _ body: (UInt64) -> Void) throws(LedgerError) {
        var claims: [UInt64] = []
        var tiers = 0
        try seek(ObservationKey(key, 0)) { (cursor) throws(LedgerError) in
            if cursor.key?.key == key { tiers += 1 }
            while let current = cursor.key, current.key == key {
                claims.append(current.claim)
                try cursor.advance()
            }
        }
        if tiers > 1 { claims.sort() }
        var last: UInt64?
        for claim in claims where claim != last {
            body(claim)
            last = claim
        }
    }
}

/// A position in a tier. It steps to keys that are near, and makes a new query for others.
private final class TierCursor<Key: TierKey> {
    /// The number of steps that cost as much as a query.
    private static var maxSteps: Int { 20 }

    let tier: Int64
    private let connection: Connection
    private let statement: Statement
    /// The key of the current row; `nil` before the first and after the last.
    private(set) var key: Key?
    private var isAtEnd = false
    /// The last key that was sought: later ones are not behind the cursor.
    private var passed: Key?

    init(_ connection: Connection, tier: Int64) throws(LedgerError) {
        self.connection = connection
        self.tier = tier
        statement = try Statement(
            connection,
            """
            SELECT \(Key.columns) FROM \(Key.table.rawValue) WHERE tier=?1 AND \(Key.condition)
            ORDER BY \(Key.table.key)
            """)
        statement.bind(tier, at: 1)
    }

    /// Goes to a key, or to the next one if there is no such row.
    func seek(_ wanted: Key) throws(LedgerError) {
        if let passed, passed < wanted {
            if isAtEnd { return }
            var steps = 0
            while let key, key < wanted, steps < Self.maxSteps {
                try advance()
                steps += 1
            }
        }
        // A step set `passed` anew.
        if let passed, passed < wanted, isAtEnd || key.map({ $0 >= wanted }) ?? false {
            self.passed = wanted
            return
        }
        statement.reset()
        wanted.bind(to: statement)
        (key, isAtEnd) = (nil, false)
        try advance()
        passed = wanted
    }

    /// Goes to the next row. After an error, the next seek makes a new query.
    func advance() throws(LedgerError) {
        (passed, key) = (key, nil)
        let isRow: Bool
        do throws(LedgerError) { isRow = try statement.step() } catch {
            passed = nil
            throw error
        }
        guard isRow else {
            isAtEnd = true
            return
        }
        key = Key(statement)
        guard key == nil else { return }
        passed = nil
        throw .damaged(path: connection.name, reason: "checksum mismatch in a \(Key.table.rawValue)")
    }
}
