public import Encodings

/// The runs in a ledger and what changed between them. Read-only; another process may be writing the ledger.
public final class LedgerHistory {
    /// All runs, oldest first.
    public let runs: [LedgerRun]
    /// The last runs that failed, oldest first.
    public let failures: [FailedRun]
    /// What the ledger was made with; `nil` if no run was ever committed.
    public let origin: LedgerOrigin?
    let connection: Connection

    public init(_ path: String) throws(LedgerError) {
        connection = try LedgerSchema.connection(reading: path)
        // One transaction, so that all reads see the same state.
        try connection.execute("BEGIN")
        runs = try LedgerRun.all(in: connection)
        failures = try FailedRun.all(in: connection)
        origin = try LedgerMeta(connection).origin()
    }

    /// Compares the findings of two runs, in the order of rules and subjects.
    public func changes(from earlier: Int64, to later: Int64) throws(LedgerError) -> LedgerChanges {
        var changes = LedgerChanges()
        let rows = try Statement(
            connection, "SELECT \(FindingTable.latest.columns) FROM finding ORDER BY rule, subject")
        let earlierSpans = try EarlierSpans(connection)
        while try rows.step() {
            let row = try StoredFinding(rows, from: .latest, of: connection)
            func wasFound(by run: Int64) throws(LedgerError) -> Bool {
                run >= row.sinceRun
                    ? run <= row.lastRun : try earlierSpans.contains(of: row) { $0 <= run && run <= $1 }
            }
            let (wasFound, isFound) = (try wasFound(by: earlier), try wasFound(by: later))
            guard wasFound || isFound else { continue }
            let finding = LedgerFinding(
                rule: row.rule, subject: row.subject, severity: UInt8(truncatingIfNeeded: row.severity),
                confidence: UInt8(truncatingIfNeeded: row.confidence), evidence: row.evidence,
                firstSeen: Instant(milliseconds: row.firstSeen))
            switch (wasFound, isFound) {
            case (true, true): changes.persisting.append(finding)
            case (true, false): changes.resolved.append(finding)
            default: changes.new.append(finding)
            }
        }
        return changes
    }
}

/// A finding in a ledger.
public struct LedgerFinding: Sendable, Equatable {
    public let rule: ExactText
    public let subject: ExactText
    /// The severity in the last run that found it.
    public let severity: UInt8
    /// The confidence in that run.
    public let confidence: UInt8
    /// The evidence in that run. Empty once something was forgotten, and for a run that looks for resolved findings:
    /// a million of them would need too much memory.
    public let evidence: String
    /// The reference time of the first run that found it.
    public let firstSeen: Instant
}

/// The findings of two runs, compared.
public struct LedgerChanges: Sendable, Equatable {
    public internal(set) var new: [LedgerFinding] = []
    public internal(set) var persisting: [LedgerFinding] = []
    public internal(set) var resolved: [LedgerFinding] = []
}
