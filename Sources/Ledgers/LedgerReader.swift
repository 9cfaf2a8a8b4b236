public import Encodings
public import Engine
import Rules
import SQLite

/// Reads the data of earlier runs in a ledger. For one thread.
public final class LedgerReader: HistoryReader {
    private let connection: Connection
    private let claim: Statement
    private let keys: Statement
    /// The first ids of accounts that were renamed; `nil` if none was.
    private let accounts: Statement?
    /// The reference times of the runs, oldest first.
    private let times: [(run: Int64, asOf: Instant)]

    /// Reads a whole ledger and checks it.
    public convenience init(_ path: String) throws(LedgerError) {
        let connection = try LedgerFile.connection(reading: path)
        try self.init(connection, try RunTable(connection).runs)
    }

    /// - Parameters:
    ///   - connection: a connection to a ledger that was checked.
    ///   - runs: the runs in it, oldest first.
    init(_ connection: Connection, _ runs: [LedgerRun]) throws(LedgerError) {
        self.connection = connection
        try connection.beginReading()
        times = runs.map { ($0.id, $0.asOf) }
        claim = try Statement(connection, "SELECT run, record FROM claim WHERE id=?1")
        keys = try Statement(
            connection, "SELECT key, claim FROM observation WHERE key>=?1 ORDER BY key, claim")
        accounts =
            try connection.number("SELECT 1 FROM account LIMIT 1") == nil
            ? nil : try Statement(connection, "SELECT former FROM account WHERE id=?1")
    }

    public func record(ofClaim id: UInt64) throws(LedgerError) -> (record: [UInt8], seenAt: Instant)? {
        claim.bind(Unsigned.stored(id), at: 1)
        guard try claim.step() else { return nil }
        defer { claim.reset() }
        let run = claim.number(0)
        // Only runs met it that were doubtful about it.
        guard run > 0 else { return nil }
        // A run may have been deleted, and its claims kept.
        let time = times.first { $0.run >= run } ?? times.last
        return (claim.bytes(1), time?.asOf ?? Instant(milliseconds: 0))
    }

    public var hasRenamedAccounts: Bool { accounts != nil }

    public func formerID(ofAccount id: ExactText) throws(LedgerError) -> ExactText? {
        guard let accounts else { return nil }
        accounts.bind(id.boundedID.text, at: 1)
        defer { accounts.reset() }
        return try accounts.step() ? ExactText(accounts.text(0)) : nil
    }

    /// Whether any claim has an account.
    public func hasAccount(_ id: ExactText) throws(LedgerError) -> Bool {
        let hash = RenamedAccounts.key(of: id)
        try seek(hash)
        return key?.hash == hash
    }

    public func forEachClaim(_ body: (UInt64, Span<UInt8>) throws -> Void) throws {
        let rows = try Statement(connection, "SELECT id, record FROM claim")
        while try rows.step() {
            let record = rows.bytes(1)
            try body(Unsigned.read(rows.number(0)), record.span)
        }
    }

    public func forEachStatement(_ body: (Span<UInt8>) throws -> Void) throws {
        let rows = try Statement(connection, "SELECT record FROM statement ORDER BY id")
        while try rows.step() {
            let record = rows.bytes(0)
            try body(record.span)
        }
    }

    // MARK: Keys in order

    /// The number of steps that cost as much as a query.
    private static let maxSteps = 20

    public private(set) var key: EarlierKey?
    /// The last sought key: later ones are not before the current key.
    private var sought: UInt64?

    /// Steps to keys that are near, and makes a new query for others. This is fast both for runs with most of the keys
    /// and for runs with few.
    public func seek(_ hash: UInt64) throws(LedgerError) {
        if let sought, sought < hash {
            var steps = 0
            while let key, key.hash < hash, steps < Self.maxSteps {
                try next()
                steps += 1
            }
            if key.map({ $0.hash >= hash }) ?? true { return self.sought = hash }
        }
        keys.reset()
        keys.bind(Unsigned.stored(hash), at: 1)
        sought = hash
        try next()
    }

    public func next() throws(LedgerError) {
        key =
            try keys.step()
            ? EarlierKey(hash: Unsigned.read(keys.number(0)), claim: Unsigned.read(keys.number(1))) : nil
    }
}
