/// Goes through a tier in the order of its keys: from one to the next where those asked for are close, else by a new search.
final class TierCursor<Key: TierKey> {
    /// So many rows are passed before a search is made: that is about what a search costs.
    private static var patience: Int { 20 }

    let tier: Int64
    private let connection: Connection
    private let statement: Statement
    /// The key of the row that it stands at; `nil` before the first and after the last.
    private(set) var key: Key?
    private var isAtEnd = false
    /// Whatever is not beyond this key may lie behind.
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

    /// Goes to a key, or if it is not there, to the next one.
    func go(to wanted: Key) throws(LedgerError) {
        if let passed, passed < wanted {
            if isAtEnd { return }
            var steps = 0
            while let key, key < wanted, steps < Self.patience {
                try advance()
                steps += 1
            }
        }
        // It may stand where it should.
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

    /// Goes to the next row. If there is none that can be read, what comes next starts with a search.
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
        throw .damaged(path: connection.name, reason: "a \(Key.table.rawValue) is not what it was")
    }
}
