import Ledgers
import Sorting

/// What comes of all claims' keys together: the same as in the run before if all claims are.
extension RunMemory {
    /// More is not kept: a night over so much takes its time with or without it.
    private static let mostSightings = 32 << 20

    /// What claims have to say under keys that come again, if that is known from the run before.
    func knownSightings(_ storage: Storage) throws -> [SortedRun]? {
        guard mayKnowSightings, isUnchanged else { return nil }
        let key = try sightingsKey()
        guard let found = try reader().block(key: key.span) else { return nil }
        try withLedger { (ledger) throws(LedgerError) in try ledger.use(block: found.id, statusKey: nil) }
        return try SightingsList.runs(found.output, storage)
    }

    /// Keeps what claims have to say under keys that come again, if these are all claims there are.
    func keep(known sightings: [SortedRun], _ storage: Storage) throws {
        guard coversAll,
            let list = try SightingsList.bytes(sightings, atMost: min(Self.mostSightings, storage.memory / 4))
        else { return }
        let key = try sightingsKey()
        try withLedger { (ledger) throws(LedgerError) in
            try ledger.add(block: key.span, statusKey: nil, output: list.span)
        }
    }
}
