import Checks
import Encodings
public import Ledgers
public import Rules
import Sorting

/// The end of a run with a ledger: what is new is put into it, all or nothing.
extension RunCache {
    /// Records a finding of this run.
    ///
    /// - Returns: what earlier runs know of it.
    public func record(_ finding: FindingRow) throws(LedgerError) -> FindingHistoryEntry {
        var named = NamedFinding(
            rule: finding.rule, subject: finding.subject, severity: finding.severity.rawValue,
            confidence: finding.confidence.rawValue, events: Int64(finding.events), evidence: finding.evidence)
        named.isAboutMore = finding.isAboutMore
        let recorded = named
        return try withLedger { (ledger) throws(LedgerError) in try ledger.record(recorded) }
    }

    /// Whether a finding was reviewed, and a claim of it was first met after that.
    func isAboutMore(_ finding: Finding) throws(LedgerError) -> Bool {
        guard lastReview > 0 else { return false }
        let claims = finding.involved.claimIDs
        return try withLedger { (ledger) throws(LedgerError) in
            try ledger.isAboutMore(rule: finding.ruleID, subject: finding.subject) { claims.sorted.map(\.high) }
        }
    }

    /// The findings that the last published run for an earlier day made and this run has not made, as far as they are
    /// recorded: worst first, then by rule and subject.
    ///
    /// A run reads them twice: at its start, when it has recorded none, for their subjects, and at its end for those that
    /// it has not made. Held meanwhile, a million of them would take some 200 MB beyond the run's budget.
    public func findingsOfLastRun() throws -> [LedgerFinding] {
        try withLedger { ledger in
            var findings: [LedgerFinding] = []
            try ledger.forEachFindingOfLastRun {
                if findings.count < ReportedSubjects.limit { findings.append($0) }
            }
            return findings
        }
    }

    /// Counts by severity the findings that are new on the day of the run and that only other runs of that day made.
    public func newFindingsOfOtherRuns() throws(LedgerError) -> [Severity: Int] {
        let counts = try withLedger { (ledger) throws(LedgerError) in try ledger.countNewFindingsOfOtherRuns() }
        return Dictionary(
            counts.compactMap { code, count in Severity(rawValue: code).map { ($0, count) } }, uniquingKeysWith: +)
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
                try ledger.add(observation: key, claim: record.bigEndian(at: 0))
            }
            try forEachRecord(of: runs.signatures) { _, record in
                guard record.count > 32 else { return }
                try ledger.add(signature: record.extracting(first: 32), verdict: record.extracting(32...))
            }
            try forEachRecord(of: runs.statements) { key, record in
                guard let statement = EvidenceStatement(stored: record) else { throw RecordError.malformed }
                try ledger.add(statement: key, record: record, by: statement.witness.high)
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
