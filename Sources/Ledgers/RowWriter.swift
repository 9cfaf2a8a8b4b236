/// Writes signatures, claims and sightings.
final class RowWriter {
    private let connection: Connection
    private let run: Int64
    private let signature: Statement
    private let newSignature: Statement
    private let oldSignature: Statement
    private let claim: Statement
    private let sighting: Statement
    private(set) var addedSightings: Int64 = 0

    init(_ connection: Connection, run: Int64) throws(LedgerError) {
        self.connection = connection
        self.run = run
        let columns = "INTO signature(digest, run, seal, verdict) VALUES(?1, ?2, ?3, ?4)"
        signature = try Statement(connection, "INSERT OR IGNORE \(columns)")
        newSignature = try Statement(connection, "INSERT OR REPLACE \(columns)")
        oldSignature = try Statement(connection, "SELECT run, seal, verdict FROM signature WHERE digest=?1")
        claim = try Statement(connection, "INSERT OR IGNORE INTO claim(id, run, seal, record) VALUES(?1, ?2, ?3, ?4)")
        sighting = try Statement(connection, "INSERT OR IGNORE INTO sighting(key, claim, seal) VALUES(?1, ?2, ?3)")
    }

    func add(signature digest: Span<UInt8>, _ verdict: Span<UInt8>) throws(LedgerError) {
        try put(signature, digest, verdict)
        // What is there may be damaged: whoever could not read it has judged it again.
        if connection.changes == 0, try isDamaged(digest) { try put(newSignature, digest, verdict) }
    }

    private func put(_ statement: Statement, _ digest: Span<UInt8>, _ verdict: Span<UInt8>) throws(LedgerError) {
        statement.bind(digest, at: 1)
        statement.bind(run, at: 2)
        statement.bind(Seal.ofSignature(digest, run, verdict), at: 3)
        statement.bind(verdict, at: 4)
        try statement.run()
    }

    private func isDamaged(_ digest: Span<UInt8>) throws(LedgerError) -> Bool {
        oldSignature.bind(digest, at: 1)
        guard try oldSignature.step() else { return true }
        defer { oldSignature.reset() }
        let seal = Seal.ofSignature(digest, oldSignature.number(0), oldSignature.bytes(2).span)
        return oldSignature.number(1) != seal
    }

    func add(claim id: UInt64, _ record: Span<UInt8>) throws(LedgerError) {
        claim.bind(Unsigned.stored(id), at: 1)
        claim.bind(run, at: 2)
        claim.bind(Seal.ofClaim(id, run, record), at: 3)
        claim.bind(record, at: 4)
        try claim.run()
    }

    func add(sighting key: UInt64, _ claim: UInt64) throws(LedgerError) {
        sighting.bind(Unsigned.stored(key), at: 1)
        sighting.bind(Unsigned.stored(claim), at: 2)
        sighting.bind(Seal.ofSighting(key, claim), at: 3)
        try sighting.run()
        addedSightings += Int64(connection.changes)
    }
}
