/// Goes through several tiers at once, each by a cursor that is made when it is first needed.
final class TierSearch<Key: TierKey> {
    private let connection: Connection
    private let tiers: [Int64]
    private var cursors: [TierCursor<Key>] = []

    init(_ connection: Connection, _ tiers: TierList) {
        self.connection = connection
        self.tiers = tiers.numbers(Key.table)
    }

    /// Calls a body with each tier's cursor, which stands at a key or at the next one.
    func go(to key: Key, _ body: (TierCursor<Key>) throws(LedgerError) -> Void) throws(LedgerError) {
        while cursors.count < tiers.count { cursors.append(try TierCursor(connection, tier: tiers[cursors.count])) }
        for cursor in cursors {
            try cursor.go(to: key)
            try body(cursor)
        }
    }

    /// The tiers that have a row with this key.
    func tiers(with key: Key) throws(LedgerError) -> [Int64] {
        var found: [Int64] = []
        try go(to: key) { cursor in if cursor.key == key { found.append(cursor.tier) } }
        return found
    }
}

extension TierSearch<ObservationKey> {
    /// Calls a body with the claims under a key, in ascending order, each once.
    func claims(under key: UInt64, _ body: (UInt64) -> Void) throws(LedgerError) {
        var claims: [UInt64] = []
        var tiers = 0
        try go(to: ObservationKey(key, 0)) { (cursor) throws(LedgerError) in
            if cursor.key?.key == key { tiers += 1 }
            while let here = cursor.key, here.key == key {
                claims.append(here.claim)
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
