public import Encodings

/// What a ledger knows of its runs and of what they found. Only reads; a run may be going on.
public final class LedgerHistory {
    /// All runs, oldest first.
    public let runs: [LedgerRun]
    /// What the ledger was made with; `nil` if no run was ever committed.
    public let origin: LedgerOrigin?
    private let connection: Connection

    public init(_ path: String) throws(LedgerError) {
        connection = try LedgerVersion.connection(reading: path)
        // All of what follows is of one moment.
        try connection.execute("BEGIN")
        runs = try RunTable(connection).all()
        origin = try LedgerMeta(connection).origin()
    }

    /// What one run found and another did not, in the order of rules and subjects.
    public func changes(from earlier: Int64, to later: Int64) throws(LedgerError) -> LedgerChanges {
        var changes = LedgerChanges()
        let findings = try Statement(
            connection, "SELECT \(FindingRow.columns) FROM finding ORDER BY rule, subject")
        let before = try Statement(
            connection, "SELECT \(EarlierFinding.columns) FROM earlier_finding WHERE rule=?1 AND subject=?2")
        while try findings.step() {
            let row = try FindingRow(findings, of: connection)
            var spans = [(row.sinceRun, row.lastRun)]
            // Most were never interrupted, and then no run but these can have found it.
            if row.sinceRun > min(earlier, later) { spans += try self.spans(before, of: row) }
            let (wasFound, isFound) = (Self.found(earlier, spans), Self.found(later, spans))
            guard wasFound || isFound else { continue }
            let finding = LedgerFinding(
                rule: row.rule, subject: row.subject, severity: UInt8(truncatingIfNeeded: row.severity),
                firstSeen: Instant(milliseconds: row.firstSeen))
            switch (wasFound, isFound) {
            case (true, true): changes.persisting.append(finding)
            case (true, false): changes.resolved.append(finding)
            default: changes.new.append(finding)
            }
        }
        return changes
    }

    private static func found(_ run: Int64, _ spans: [(Int64, Int64)]) -> Bool {
        spans.contains { $0.0 <= run && run <= $0.1 }
    }

    private func spans(_ statement: Statement, of row: FindingRow) throws(LedgerError) -> [(Int64, Int64)] {
        statement.bind(row.rule.text, at: 1)
        statement.bind(row.subject.text, at: 2)
        var spans: [(Int64, Int64)] = []
        while try statement.step() {
            let earlier = try EarlierFinding(statement, of: connection)
            spans.append((earlier.sinceRun, earlier.lastRun))
        }
        return spans
    }
}

/// A finding as a ledger remembers it.
public struct LedgerFinding: Sendable, Equatable {
    public let rule: ExactText
    public let subject: ExactText
    /// As the last run that found it had it.
    public let severity: UInt8
    /// The time that the run was made for which first found it.
    public let firstSeen: Instant
}

/// What changed from one run to another.
public struct LedgerChanges: Sendable, Equatable {
    public internal(set) var new: [LedgerFinding] = []
    public internal(set) var persisting: [LedgerFinding] = []
    public internal(set) var resolved: [LedgerFinding] = []
}
