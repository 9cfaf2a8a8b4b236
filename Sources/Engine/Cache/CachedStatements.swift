import Ledgers
import Rules

/// What evidence said of purchases, kept for later runs: it counts for claims that come after it, too.
///
/// A ledger has of each purchase what counted in each run, as far as no earlier run had it. So a run for an earlier day
/// finds what had been said by then.
extension RunCache {
    /// Adds what evidence of earlier runs said until this run's reference time.
    ///
    /// - Returns: how many statements that are.
    func addStatements(to collector: StatementCollector, isStopped: () -> Bool) throws -> Int {
        guard hasBlocks else { return 0 }
        var (count, read) = (0, 0)
        try reader().forEachStatement { record in
            guard let statement = EvidenceStatement(stored: record) else { throw RecordError.malformed }
            read += 1
            if read & 0xfff == 0, isStopped() { throw Interrupted() }
            guard statement.signedAt <= asOf else { return }
            try collector.add(statement, isKept: true)
            count += 1
        }
        return count
    }
}
