public import Encodings
internal import Files

/// A block of claims that an earlier run audited, with its results as bytes that only their writer understands.
public struct LedgerBlock: Sendable {
    public let id: Int64
    public let output: [UInt8]
}

/// Reads what earlier runs wrote to a ledger. For one thread.
///
/// A damaged block or signature counts as missing, and is audited again. A damaged claim or observation is an error, as
/// it cannot be restored.
public final class LedgerReader {
    private let connection: Connection
    private let blockByKey: Statement
    private let blockByStatus: Statement
    private let blockByID: Statement
    private let signature: Statement
    private let claim: Statement
    private let observations: TierSearch<ObservationKey>
    private let signatureTiers: [Int64]
    private let claimTiers: [Int64]
    /// The reference time of each run.
    private let times: [Int64: Instant]

    /// Opens a ledger, which need not be open for writing.
    public convenience init(_ path: String) throws(LedgerError) {
        try self.init(try LedgerSchema.connection(reading: path))
    }

    /// - Parameters:
    ///   - name: the path that the user gave.
    ///   - lock: the writer's lock, which is held until all readers are closed.
    convenience init(_ path: String, name: String, keeping lock: LockedFile?) throws(LedgerError) {
        try self.init(try Connection(path, name: name, .reading, keeping: lock))
    }

    private init(_ connection: Connection) throws(LedgerError) {
        self.connection = connection
        try connection.beginReading()
        times = Dictionary(
            try LedgerRun.all(in: connection).map { ($0.id, $0.asOf) }, uniquingKeysWith: { first, _ in first })
        let block = """
            SELECT block.id, block_output.seal, block.key, block.status_key, block_output.output
            FROM block JOIN block_output ON block_output.id=block.id
            """
        blockByKey = try Statement(connection, block + " WHERE key=?1")
        blockByStatus = try Statement(connection, block + " WHERE status_key=?1 ORDER BY last_run DESC, block.id DESC")
        blockByID = try Statement(connection, block + " WHERE block.id=?1")
        signature = try Statement(connection, "SELECT run, seal, verdict FROM signature WHERE tier=?1 AND digest=?2")
        claim = try Statement(connection, "SELECT run, seal, record FROM claim WHERE tier=?1 AND id=?2")
        let tiers = try TierList(LedgerMeta(connection))
        (signatureTiers, claimTiers) = (tiers.numbers(.signature), tiers.numbers(.claim))
        observations = TierSearch(connection, tiers)
    }

    /// Finds the block with a key.
    public func block(key: Span<UInt8>) throws(LedgerError) -> LedgerBlock? { try block(blockByKey, key, 2) }

    /// Returns the numbers of the blocks that a run was the last to use.
    public func blocks(lastUsedIn run: LedgerRun) throws(LedgerError) -> [Int64] {
        let statement = try Statement(connection, "SELECT id FROM block WHERE last_run=?1")
        statement.bind(run.id, at: 1)
        var blocks: [Int64] = []
        while try statement.step() { blocks.append(statement.number(0)) }
        return blocks
    }

    /// Reads a block that was found before. If it is damaged now, that is an error.
    public func block(id: Int64) throws(LedgerError) -> LedgerBlock {
        blockByID.bind(id, at: 1)
        guard let block = try block(blockByID) else {
            throw .damaged(path: connection.name, reason: "checksum mismatch in a block")
        }
        return block
    }

    /// Finds the block that was last used under a status key.
    public func block(statusKey: Span<UInt8>) throws(LedgerError) -> LedgerBlock? {
        try block(blockByStatus, statusKey, 3)
    }

    /// Finds the verdict on a signature, by a digest of it and of all that the verdict depends on.
    public func verdict(ofSignature digest: Span<UInt8>) throws(LedgerError) -> [UInt8]? {
        signature.bind(digest, at: 2)
        guard try find(signature, in: signatureTiers) else { return nil }
        defer { signature.reset() }
        let verdict = signature.bytes(2)
        return signature.number(1) == Checksum.ofSignature(digest, signature.number(0), verdict.span) ? verdict : nil
    }

    /// Finds the record of a claim, and the reference time of the run that added it.
    public func record(ofClaim id: UInt64) throws(LedgerError) -> (record: [UInt8], seenAt: Instant)? {
        claim.bind(Unsigned.stored(id), at: 2)
        guard try find(claim, in: claimTiers) else { return nil }
        defer { claim.reset() }
        let (run, record) = (claim.number(0), claim.bytes(2))
        guard claim.number(1) == Checksum.ofClaim(id, run, record.span), let time = times[run] else {
            throw .damaged(path: connection.name, reason: "checksum mismatch in a claim")
        }
        return (record, time)
    }

    /// Calls a body with the number and the record of each claim.
    public func forEachClaim(_ body: (UInt64, Span<UInt8>) throws -> Void) throws {
        let rows = try Statement(connection, "SELECT id, run, seal, record FROM claim")
        while try rows.step() {
            let (id, record) = (Unsigned.read(rows.number(0)), rows.bytes(3))
            guard rows.number(2) == Checksum.ofClaim(id, rows.number(1), record.span) else {
                throw LedgerError.damaged(path: connection.name, reason: "checksum mismatch in a claim")
            }
            try body(id, record.span)
        }
    }

    /// Calls a body with what each token of evidence said, in no order.
    public func forEachStatement(_ body: (Span<UInt8>) throws -> Void) throws {
        let rows = try Statement(connection, "SELECT \(TieredTable.statement.columns) FROM statement")
        while try rows.step() {
            guard Self.isIntact(statement: rows) else {
                throw LedgerError.damaged(path: connection.name, reason: "checksum mismatch in a statement of evidence")
            }
            try body(rows.bytes(1).span)
        }
    }

    /// Whether the checksum of a row of the table `statement` matches.
    static func isIntact(statement row: Statement) -> Bool {
        let (key, claim) = (Unsigned.read(row.number(0)), Unsigned.read(row.number(2)))
        return row.number(4) == Checksum.ofStatement(key, row.bytes(1).span, claim, row.number(3))
    }

    /// Calls a body with the claims under a key, in ascending order, each once.
    ///
    /// It is fast if keys come in ascending order, whether all or few of them.
    public func claims(under key: UInt64, _ body: (UInt64) -> Void) throws(LedgerError) {
        try observations.claims(under: key, body)
    }

    /// Steps to the row in the first tier that has one.
    private func find(_ statement: Statement, in tiers: [Int64]) throws(LedgerError) -> Bool {
        for tier in tiers {
            statement.bind(tier, at: 1)
            if try statement.step() { return true }
        }
        return false
    }

    private func block(_ statement: Statement, _ key: Span<UInt8>, _ column: Int32) throws(LedgerError) -> LedgerBlock?
    {
        statement.bind(key, at: 1)
        // A damaged index may lead to another block.
        return try block(statement) { key.isSame(as: statement.bytes(column)) }
    }

    private func block(_ statement: Statement, isWanted: () -> Bool = { true }) throws(LedgerError) -> LedgerBlock? {
        guard try statement.step() else { return nil }
        defer { statement.reset() }
        let (id, output) = (statement.number(0), statement.bytes(4))
        guard isWanted(), statement.number(1) == Checksum.ofBlock(id, statement.bytes(2).span, output.span)
        else { return nil }
        return LedgerBlock(id: id, output: output)
    }
}
