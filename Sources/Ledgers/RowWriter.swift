/// Writes signatures, claims and observations, each in a tier of this run's.
final class RowWriter {
    /// So many claims of a run are held in memory, so that nobody looks for observations of theirs in earlier tiers.
    private static let maxNew = 1 << 20

    private let run: Int64
    /// Sees what was there before the run; `nil` if there was nothing, and in the end.
    private var reader: Connection?
    private var signatures: TierWriter<SignatureKey>?
    private var claims: TierWriter<ClaimKey>?
    private var observations: TierWriter<ObservationKey>?
    private var newClaims: Set<UInt64> = []
    /// Looks up a signature that may be damaged.
    private let oldSignature: Statement
    /// How many observations were added, when it is finished.
    private(set) var addedObservations: Int64 = 0

    init(_ connection: Connection, run: Int64, after tiers: TierList) throws(LedgerError) {
        self.run = run
        oldSignature = try Statement(
            connection, "SELECT run, seal, verdict FROM signature WHERE tier=?1 AND digest=?2")
        let isNew = tiers == TierList()
        reader =
            isNew ? nil : try Connection(connection.path, name: connection.name, .reading, keeping: connection.lock)
        try reader?.execute("PRAGMA cache_size=-8192; BEGIN")
        signatures = try TierWriter(connection, tiers, reader)
        claims = try TierWriter(connection, tiers, reader)
        observations = try TierWriter(connection, tiers, reader)
    }

    func add(signature digest: Span<UInt8>, _ verdict: Span<UInt8>) throws(LedgerError) {
        guard let signatures else { return }
        let earlier = signatures.hasEarlier ? try signatures.earlierTiers(with: SignatureKey(digest)) : []
        guard let tier = earlier.first else {
            try signatures.add { bind(digest, verdict, to: $0, $1) }
            return
        }
        // What is there may be damaged: whoever could not read it has judged it again.
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
        let seal = Checksum.ofSignature(digest, oldSignature.number(0), oldSignature.bytes(2).span)
        return oldSignature.number(1) != seal
    }

    func add(claim id: UInt64, _ record: Span<UInt8>) throws(LedgerError) {
        guard let claims, try claims.earlierTiers(with: ClaimKey(id)).isEmpty else { return }
        try claims.add { statement, first in
            statement.bind(Unsigned.stored(id), at: first)
            statement.bind(run, at: first + 1)
            statement.bind(Checksum.ofClaim(id, run, record), at: first + 2)
            statement.bind(record, at: first + 3)
        }
        if observations?.hasEarlier == true, newClaims.count < Self.maxNew { newClaims.insert(id) }
    }

    func add(observation key: UInt64, _ claim: UInt64) throws(LedgerError) {
        guard let observations, try isNew(key, claim) else { return }
        try observations.add { statement, first in
            statement.bind(Unsigned.stored(key), at: first)
            statement.bind(Unsigned.stored(claim), at: first + 1)
            statement.bind(Checksum.ofObservation(key, claim), at: first + 2)
        }
    }

    /// Whether no earlier run noted a observation.
    private func isNew(_ key: UInt64, _ claim: UInt64) throws(LedgerError) -> Bool {
        // A claim is added before its observations, and with it are all of them.
        if newClaims.contains(claim) { return true }
        return try observations?.earlierTiers(with: ObservationKey(key, claim)).isEmpty ?? true
    }

    /// Merges tiers. After that nothing more is written.
    ///
    /// - Returns: the tiers that there are from now on.
    func finish() throws(LedgerError) -> TierList {
        var tiers = TierList()
        tiers[.signature] = try signatures?.finish(reader) ?? []
        tiers[.claim] = try claims?.finish(reader) ?? []
        tiers[.observation] = try observations?.finish(reader) ?? []
        addedObservations = observations?.added ?? 0
        // The log cannot be brought home while somebody sees what was before it.
        (signatures, claims, observations, reader) = (nil, nil, nil, nil)
        return tiers
    }
}
