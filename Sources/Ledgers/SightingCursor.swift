/// Goes through sightings in the order of their keys: from one to the next where keys are close, else by a new search.
final class SightingCursor {
    /// So many rows are passed before a search is made: that is about what a search costs.
    private static let patience = 20

    private let connection: Connection
    private let statement: Statement
    /// The row that it stands at; `nil` before the first and after the last.
    private var row: (key: UInt64, claim: UInt64)?
    private var isAtEnd = false
    /// The last key that was asked for: what it stands at lies beyond that.
    private var asked: UInt64?

    init(_ connection: Connection) throws(LedgerError) {
        self.connection = connection
        statement = try Statement(
            connection, "SELECT key, claim, seal FROM sighting WHERE key>=?1 ORDER BY key, claim")
    }

    func claims(under key: UInt64, _ body: (UInt64) -> Void) throws(LedgerError) {
        do throws(LedgerError) {
            try go(to: key)
            asked = key
            while let row, row.key == key {
                body(row.claim)
                try advance()
            }
        } catch {
            // What comes next starts with a search.
            asked = nil
            throw error
        }
    }

    private func go(to key: UInt64) throws(LedgerError) {
        if let asked, asked < key {
            if isAtEnd { return }
            var passed = 0
            while let row, row.key < key, passed < Self.patience {
                try advance()
                passed += 1
            }
            guard let row, row.key < key else { return }
        }
        statement.reset()
        statement.bind(Unsigned.stored(key), at: 1)
        (row, isAtEnd) = (nil, false)
        try advance()
    }

    private func advance() throws(LedgerError) {
        guard try statement.step() else {
            (row, isAtEnd) = (nil, true)
            return
        }
        let next = (key: Unsigned.read(statement.number(0)), claim: Unsigned.read(statement.number(1)))
        guard statement.number(2) == Seal.ofSighting(next.key, next.claim) else {
            throw .damaged(path: connection.name, reason: "a sighting is not what it was")
        }
        row = next
    }
}
