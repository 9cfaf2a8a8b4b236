public import Encodings
public import Engine
internal import Files

/// Reads the data of earlier runs in a ledger. For one thread.
///
/// A damaged row counts as missing, and is counted.
public final class LedgerReader: HistoryReader {
    private let connection: Connection
    private let losses: Losses
    private let claim: Statement
    private let keys: Statement
    /// The reference times of the runs, oldest first.
    private let times: [(run: Int64, asOf: Instant)]

    /// Opens a ledger, which need not be open for writing.
    public convenience init(_ path: String) throws(LedgerError) {
        let connection = try LedgerSchema.connection(reading: path)
        try self.init(connection, Losses(), try RunTable(connection).runs)
    }

    /// - Parameters:
    ///   - name: the user's path.
    ///   - lock: the writer's lock, which is held until all readers are closed.
    ///   - runs: the runs in the ledger, oldest first.
    convenience init(
        _ path: String, name: String, keeping lock: LockedFile?, _ losses: Losses, after runs: [LedgerRun]
    ) throws(LedgerError) {
        try self.init(try Connection(path, name: name, .reading, keeping: lock), losses, runs)
    }

    private init(
        _ connection: Connection, _ losses: Losses, _ runs: [LedgerRun]
    ) throws(LedgerError) {
        (self.connection, self.losses) = (connection, losses)
        try connection.beginReading()
        times = runs.map { ($0.id, $0.asOf) }
        claim = try Statement(connection, "SELECT run, record FROM claim WHERE id=?1")
        keys = try Statement(
            connection, "SELECT key, claim, checksum FROM observation WHERE key>=?1 ORDER BY key, claim")
    }

    public func record(ofClaim id: UInt64) throws(LedgerError) -> (record: [UInt8], seenAt: Instant)? {
        claim.bind(Unsigned.stored(id), at: 1)
        guard try claim.step() else { return nil }
        defer { claim.reset() }
        let run = claim.number(0)
        guard let record = Self.record(Unsigned.stored(id), run, claim.bytes(1)) else {
            losses.add(.claims, Unsigned.stored(id))
            return nil
        }
        // A run with a lost row took place between its neighbours.
        let time = times.first { $0.run >= run } ?? times.last
        return (record, time?.asOf ?? Instant(milliseconds: 0))
    }

    /// Returns the record of a claim; `nil` if it is damaged.
    static func record(_ id: Int64, _ run: Int64, _ stored: [UInt8]) -> [UInt8]? {
        Checksum(id, run).record(of: stored)
    }

    public func forEachClaim(_ body: (UInt64, Span<UInt8>) throws -> Void) throws {
        let rows = try Statement(connection, "SELECT id, run, record FROM claim")
        while try rows.step() {
            guard let record = Self.record(rows.number(0), rows.number(1), rows.bytes(2)) else {
                losses.add(.claims, rows.number(0))
                continue
            }
            try body(Unsigned.read(rows.number(0)), record.span)
        }
    }

    public func forEachStatement(_ body: (Span<UInt8>) throws -> Void) throws {
        let rows = try Statement(connection, "SELECT id, claim, run, record FROM statement ORDER BY id")
        while try rows.step() {
            guard let record = Self.statement(rows) else {
                losses.add(.statements, rows.number(0))
                continue
            }
            try body(record.span)
        }
    }

    /// Returns the record of a statement; `nil` if it is damaged.
    static func statement(_ row: Statement) -> [UInt8]? {
        Checksum(row.number(0), row.number(1), row.number(2)).record(of: row.bytes(3))
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
        key = nil
        while try keys.step() {
            key = Self.key(keys)
            if key != nil { return }
            losses.add(observation: keys.number(0), keys.number(1))
        }
    }

    /// Returns the key of a row; `nil` if it is damaged.
    static func key(_ row: Statement) -> EarlierKey? {
        guard row.number(2) == Checksum(row.number(0), row.number(1)).short else { return nil }
        return EarlierKey(hash: Unsigned.read(row.number(0)), claim: Unsigned.read(row.number(1)))
    }
}
