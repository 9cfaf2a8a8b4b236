import Checks
public import Encodings
import Files
public import Ledgers
public import Rules
import Sorting

/// The end of a run that remembers: what is new is put into the ledger, all or nothing.
extension RunCache {
    /// Notes a finding of this run.
    ///
    /// - Returns: when it was found first, and whether no earlier run told of it.
    public func note(_ finding: FindingRow) throws(LedgerError) -> (firstSeen: Instant, isNew: Bool) {
        let severity = finding.severity.rawValue
        return try withLedger { (ledger) throws(LedgerError) in
            try ledger.note(finding: finding.rule, subject: finding.subject, severity: severity)
        }
    }

    /// Writes down what is new, flushed to disk.
    public func commit(_ tally: Tally, inputs: [String]) throws {
        let runs = takeNewRuns()
        let run = LedgerRun(
            asOf: asOf, inputs: inputs, claims: tally.claims, valid: tally.verdicts[.valid],
            invalid: tally.claims - tally.verdicts[.valid], settings: settings, blocks: blocksHash,
            coversAll: coversAll)
        try withLedger { ledger in
            try forEachRecord(of: runs.claims) { identity, record in
                try ledger.add(claim: identity, record: record)
            }
            try forEachRecord(of: runs.observations) { key, record in
                var fields = RecordReader(record)
                try ledger.add(observation: key, claim: fields.sortable())
            }
            try forEachRecord(of: runs.signatures) { _, record in
                guard record.count > 32 else { return }
                try ledger.add(signature: record.extracting(first: 32), verdict: record.extracting(32...))
            }
            try ledger.commit(run)
        }
    }

    /// Says that the run's reports are in place.
    public func publish() throws(LedgerError) {
        try withLedger { (ledger) throws(LedgerError) in try ledger.publish() }
    }

    private func forEachRecord(of runs: [SortedRun], _ body: (UInt64, Span<UInt8>) throws -> Void) throws {
        var merge = try RunMerge(runs)
        while !merge.isAtEnd {
            let prefix = merge.prefix
            try merge.withRecord { try body(prefix, $0) }
            try merge.advance()
        }
    }
}
