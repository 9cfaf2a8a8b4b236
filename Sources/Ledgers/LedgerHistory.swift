public import Engine
import SQLite

/// The runs in a ledger and what changed between them. Read-only; another process may be changing the ledger.
public final class LedgerHistory {
    /// All committed runs, oldest first.
    public let runs: [LedgerRun]
    /// The last failed runs, oldest first.
    public let failures: [FailedRun]
    let connection: Connection

    public init(_ path: String) throws(LedgerError) {
        connection = try LedgerFile.connection(reading: path)
        let table = try RunTable(connection)
        runs = table.runs
        failures = table.failures.map(\.run)
    }

    /// The origin of the ledger; `nil` if no run was ever committed.
    public var origin: LedgerOrigin? { runs.last?.origin }

    /// Compares the findings of two runs, the worst first.
    public func changes(from earlier: Int64, to later: Int64) throws(LedgerError) -> LedgerChanges {
        var changes = LedgerChanges()
        let rows = try StoredFinding.Rows(connection, "ORDER BY subject, rule")
        while let row = try rows.next() {
            switch (row.runs.contains(earlier), row.runs.contains(later)) {
            case (true, true): changes.persisting.append(EarlierFinding(row))
            case (true, false): changes.resolved.append(EarlierFinding(row))
            case (false, true): changes.new.append(EarlierFinding(row))
            case (false, false): break
            }
        }
        for list in [\LedgerChanges.new, \.persisting, \.resolved] {
            changes[keyPath: list].sort(by: EarlierFinding.isWorse)
        }
        return changes
    }
}

/// The comparison of two runs' findings.
public struct LedgerChanges: Sendable, Equatable {
    public internal(set) var new: [EarlierFinding] = []
    public internal(set) var persisting: [EarlierFinding] = []
    public internal(set) var resolved: [EarlierFinding] = []
}
