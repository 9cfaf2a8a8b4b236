public import Encodings
internal import Files

/// Reads what earlier runs left in a ledger. For one thread.
///
/// What is damaged is told apart: a block or a signature is as if it were not there, and is judged again; a claim or a
/// observation cannot be had again, and is an error.
public final class LedgerReader {
    private let connection: Connection
    private let blockByKey: Statement
    private let blockByStatus: Statement
    private let blockByID: Statement
    private let blockCount: Statement
    private let signature: Statement
    private let claim: Statement
    private let observations: TierSearch<ObservationKey>
    private let signatureTiers: [Int64]
    private let claimTiers: [Int64]
    /// When each run was made for.
    private let times: [Int64: Instant]

    /// Reads a ledger that need not be open for writing.
    public convenience init(_ path: String) throws(LedgerError) {
        try self.init(try LedgerVersion.connection(reading: path))
    }

    /// - Parameters:
    ///   - name: what people call the file.
    ///   - lock: the writer's, which is held for as long as somebody reads.
    convenience init(_ path: String, name: String, keeping lock: LockedFile?) throws(LedgerError) {
        try self.init(try Connection(path, name: name, .reading, keeping: lock))
    }

    private init(_ connection: Connection) throws(LedgerError) {
        self.connection = connection
        try connection.execute("PRAGMA cache_size=-8192; BEGIN")
        times = Dictionary(
            try RunTable(connection).all().map { ($0.id, $0.asOf) }, uniquingKeysWith: { first, _ in first })
        let block = """
            SELECT block.id, block_output.seal, block.key, block.status_key, block_output.output
            FROM block JOIN block_output ON block_output.id=block.id
            """
        blockByKey = try Statement(connection, block + " WHERE key=?1")
        blockByStatus = try Statement(connection, block + " WHERE status_key=?1 ORDER BY last_run DESC, block.id DESC")
        blockByID = try Statement(connection, block + " WHERE block.id=?1")
        blockCount = try Statement(connection, "SELECT count(*) FROM block WHERE key=?1")
        signature = try Statement(connection, "SELECT run, seal, verdict FROM signature WHERE tier=?1 AND digest=?2")
        claim = try Statement(connection, "SELECT run, seal, record FROM claim WHERE tier=?1 AND id=?2")
        let tiers = try TierList(LedgerMeta(connection))
        (signatureTiers, claimTiers) = (tiers.numbers(.signature), tiers.numbers(.claim))
        observations = TierSearch(connection, tiers)
    }

    /// The block with this key, if an earlier run judged it.
    public func block(key: Span<UInt8>) throws(LedgerError) -> LedgerBlock? { try block(blockByKey, key, 2) }

    /// Whether there is a block with this key, as far as that is seen without reading it.
    public func hasBlock(key: Span<UInt8>) throws(LedgerError) -> Bool {
        blockCount.bind(key, at: 1)
        defer { blockCount.reset() }
        return try blockCount.step() && blockCount.number(0) > 0
    }

    /// The block with this number, which was found before.
    public func block(id: Int64) throws(LedgerError) -> LedgerBlock {
        blockByID.bind(id, at: 1)
        guard let block = try block(blockByID) else {
            throw .damaged(path: connection.name, reason: "a block is not what it was")
        }
        return block
    }

    /// The block that was last met under this status key.
    public func block(statusKey: Span<UInt8>) throws(LedgerError) -> LedgerBlock? {
        try block(blockByStatus, statusKey, 3)
    }

    /// What is known of a signature, by a digest of it and of all that it depends on.
    public func verdict(ofSignature digest: Span<UInt8>) throws(LedgerError) -> [UInt8]? {
        signature.bind(digest, at: 2)
        guard try find(signature, in: signatureTiers) else { return nil }
        defer { signature.reset() }
        let verdict = signature.bytes(2)
        return signature.number(1) == Checksum.ofSignature(digest, signature.number(0), verdict.span) ? verdict : nil
    }

    /// What is known of a claim, and when the run was made for that first recorded it.
    public func record(ofClaim id: UInt64) throws(LedgerError) -> (record: [UInt8], seenAt: Instant)? {
        claim.bind(Unsigned.stored(id), at: 2)
        guard try find(claim, in: claimTiers) else { return nil }
        defer { claim.reset() }
        let (run, record) = (claim.number(0), claim.bytes(2))
        guard claim.number(1) == Checksum.ofClaim(id, run, record.span), let time = times[run] else {
            throw .damaged(path: connection.name, reason: "a claim is not what it was")
        }
        return (record, time)
    }

    /// Goes through the claims under a key, in ascending order.
    ///
    /// It is fast if keys are asked for in ascending order, whether all or few of them.
    public func claims(under key: UInt64, _ body: (UInt64) -> Void) throws(LedgerError) {
        try observations.claims(under: key, body)
    }

    /// Goes to the row that one of the tiers has, if one has it.
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
        // An index that is damaged may lead to another block.
        return try block(statement) { key.isSame(as: statement.bytes(column)) }
    }

    private func block(_ statement: Statement, isMeant: () -> Bool = { true }) throws(LedgerError) -> LedgerBlock? {
        guard try statement.step() else { return nil }
        defer { statement.reset() }
        let (id, output) = (statement.number(0), statement.bytes(4))
        guard isMeant(), statement.number(1) == Checksum.ofBlock(id, statement.bytes(2).span, output.span)
        else { return nil }
        return LedgerBlock(id: id, output: output)
    }
}
