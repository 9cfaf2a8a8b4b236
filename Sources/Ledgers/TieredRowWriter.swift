/// Writes the signatures, claims, observations and statements of a run, each to a new tier.
final class TieredRowWriter {
    /// The number of claims of a run that are held in memory, so that their observations need no search of earlier
    /// tiers.
    private static let maxNewClaims = 1 << 20

    private let run: Int64
    /// Sees what was there before the run; `nil` if there was nothing, and in the end.
    private var reader: Connection?
    private var signatures: TierWriter<SignatureKey>?
    private var claims: TierWriter<ClaimKey>?
    private var observations: TierWriter<ObservationKey>?
    private var statements: TierWriter<StatementKey>?
    private var newClaims: Set<UInt64> = []
    /// Reads a signature that may be damaged.
    private let oldSignature: Statement
    /// The number of observations that were added, once ``finish()`` was called.
    private(set) var addedObservations: Int64 = 0

    init(_ connection: Connection, run: Int64, after tiers: TierList) throws(LedgerError) {
        self.run = run
        oldSignature = try Statement(
            connection, "SELECT run, seal, verdict FROM signature WHERE tier=?1 AND digest=?2")
        if tiers != TierList() {
            reader = try Connection(connection.path, name: connection.name, .reading, keeping: connection.lock)
        }
        try reader?.beginReading()
        signatures = try TierWriter(connection, tiers, reader)
        claims = try TierWriter(connection, tiers, reader)
        observations = try TierWriter(connection, tiers, reader)
        statements = try TierWriter(connection, tiers, reader)
    }

    func add(signature digest: Span<UInt8>, _ verdict: Span<UInt8>) throws(LedgerError) {
        guard let signatures else { return }
        let earlier = signatures.hasEarlier ? try signatures.earlierTiers(with: SignatureKey(digest)) : []
        guard let tier = earlier.first else {
            try signatures.add { bind(digest, verdict, to: $0, $1) }
            return
        }
        // A damaged row is replaced: whoever could not read it has verified the signature again.
        if try isDamaged(digest, in: tier) { try signatures.replace(in: tier) { bind(digest, verdict, to: $0, $1) } }
    }

    private func bind(_ digest: Span<UInt8>, _ verdict: Span<UInt8>, to statement: Statement, _ first: Int32) {
        statement.bind(digest, at: first)
        statement.bind(run, at: first + 1)
        statement.bind(Checksum.ofSignature(digest, run, verdict), at: first + 2)
        statement.bind(verdict, at: first + 3)
    }

    private func isDamaged(_ digest: Span<UInt8>, in tier: Int64) throws(LedgerError) -> Bool {
        oldSignature.bind(tier, at: 1)
        oldSignature.bind(digest, at: 2)
        guard try oldSignature.step() else { return true }
        defer { oldSignature.reset() }
        let checksum = Checksum.ofSignature(digest, oldSignature.number(0), oldSignature.bytes(2).span)
        return oldSignature.number(1) != checksum
    }

    func add(claim id: UInt64, _ record: Span<UInt8>) throws(LedgerError) {
        guard let claims, try claims.earlierTiers(with: ClaimKey(id)).isEmpty else { return }
        try claims.add { statement, first in
            statement.bind(Unsigned.stored(id), at: first)
            statement.bind(run, at: first + 1)
            statement.bind(Checksum.ofClaim(id, run, record), at: first + 2)
            statement.bind(record, at: first + 3)
        }
        if observations?.hasEarlier == true, newClaims.count < Self.maxNewClaims { newClaims.insert(id) }
    }

    func add(observation key: UInt64, _ claim: UInt64) throws(LedgerError) {
        guard let observations else { return }
        // A claim comes before its observations: a new one has none in earlier tiers.
        if !newClaims.contains(claim) {
            guard try observations.earlierTiers(with: ObservationKey(key, claim)).isEmpty else { return }
        }
        try observations.add { statement, first in
            statement.bind(Unsigned.stored(key), at: first)
            statement.bind(Unsigned.stored(claim), at: first + 1)
            statement.bind(Checksum.ofObservation(key, claim), at: first + 2)
        }
    }

    func add(statement key: UInt64, _ record: Span<UInt8>, by claim: UInt64) throws(LedgerError) {
        try statements?.add { statement, first in
            statement.bind(Unsigned.stored(key), at: first)
            statement.bind(record, at: first + 1)
            statement.bind(Unsigned.stored(claim), at: first + 2)
            statement.bind(run, at: first + 3)
            statement.bind(Checksum.ofStatement(key, record, claim, run), at: first + 4)
        }
    }

    /// Merges tiers. After that nothing more is written.
    ///
    /// - Returns: the resulting tiers.
    func finish() throws(LedgerError) -> TierList {
        var tiers = TierList()
        tiers[.signature] = try signatures?.finish(reader) ?? []
        tiers[.claim] = try claims?.finish(reader) ?? []
        tiers[.observation] = try observations?.finish(reader) ?? []
        tiers[.statement] = try statements?.finish(reader) ?? []
        addedObservations = observations?.added ?? 0
        // An open reader would keep the log from being truncated.
        (signatures, claims, observations, statements, reader) = (nil, nil, nil, nil, nil)
        return tiers
    }
}

/// Writes the blocks of a run with their outputs.
struct BlockWriter {
    /// The number of runs after which an unused block is deleted.
    private static let maxUnusedRuns: Int64 = 14

    private let connection: Connection
    private let run: Int64
    private let insertion: Statement
    private let outputInsertion: Statement
    private let update: Statement

    init(_ connection: Connection, run: Int64) throws(LedgerError) {
        self.connection = connection
        self.run = run
        insertion = try Statement(
            connection,
            """
            INSERT INTO block(key, status_key, last_run) VALUES(?1, ?2, ?3)
            ON CONFLICT(key) DO UPDATE SET status_key=coalesce(?2, status_key), last_run=?3 RETURNING id
            """)
        outputInsertion = try Statement(
            connection, "INSERT OR REPLACE INTO block_output(id, seal, output) VALUES(?1, ?2, ?3)")
        update = try Statement(
            connection, "UPDATE block SET status_key=coalesce(?2, status_key), last_run=?3 WHERE id=?1")
    }

    func add(_ key: Span<UInt8>, _ statusKey: Span<UInt8>?, _ output: Span<UInt8>) throws(LedgerError) {
        insertion.bind(key, at: 1)
        bind(statusKey, to: insertion)
        guard try insertion.step() else { return }
        let id = insertion.number(0)
        try insertion.run()
        outputInsertion.bind(id, at: 1)
        outputInsertion.bind(Checksum.ofBlock(id, key, output), at: 2)
        outputInsertion.bind(output, at: 3)
        try outputInsertion.run()
    }

    func use(_ id: Int64, _ statusKey: Span<UInt8>?) throws(LedgerError) {
        update.bind(id, at: 1)
        bind(statusKey, to: update)
        try update.run()
    }

    func deleteUnused() throws(LedgerError) {
        let last = run - Self.maxUnusedRuns
        try connection.execute(
            """
            DELETE FROM block_output WHERE id IN (SELECT id FROM block WHERE last_run <= \(last));
            DELETE FROM block WHERE last_run <= \(last)
            """)
    }

    private func bind(_ statusKey: Span<UInt8>?, to statement: Statement) {
        if let statusKey { statement.bind(statusKey, at: 2) } else { statement.bindNull(at: 2) }
        statement.bind(run, at: 3)
    }
}
