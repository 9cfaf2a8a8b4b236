import Ledgers
import Sorting

/// What comes of all claims' keys together: the same as in the run before if all claims are.
extension RunCache {
    /// More is not kept: a night over so much takes its time with or without it.
    private static let maxObservations = 32 << 20

    /// What claims have to say under keys that come again, if that is known from the run before.
    func knownObservations(_ storage: Storage) throws -> [SortedRun]? {
        guard mayKnowObservations, isUnchanged else { return nil }
        let key = try observationsKey()
        guard let found = try reader().block(key: key.span) else { return nil }
        try withLedger { (ledger) throws(LedgerError) in try ledger.use(block: found.id, statusKey: nil) }
        return try ObservationList.runs(found.output, storage)
    }

    /// Keeps what claims have to say under keys that come again, if these are all claims there are.
    func keep(known observations: [SortedRun], _ storage: Storage) throws {
        guard coversAll,
            let list = try ObservationList.bytes(observations, atMost: min(Self.maxObservations, storage.memory / 4))
        else { return }
        let key = try observationsKey()
        try withLedger { (ledger) throws(LedgerError) in
            try ledger.add(block: key.span, statusKey: nil, output: list.span)
        }
    }
}
