private import Files
import SQLite

/// The state of a ledger: whether each bit is as it was written, and how many rows there are.
public struct LedgerHealth: Sendable {
    /// The rows of one table.
    public struct Table: Sendable, Equatable {
        public let name: String
        public let rows: Int
    }

    /// The tables; empty if it is damaged.
    public private(set) var tables: [Table] = []
    /// What is damaged; `nil` if it is sound.
    public private(set) var fault: String?
    public private(set) var lastRun: LedgerRun?
    /// The size in bytes.
    public let size: Int

    public var isIntact: Bool { fault == nil }

    /// Reads a whole ledger. Another process may be changing it.
    ///
    /// - Throws: ``LedgerError`` if it cannot be read, or is no ledger of this version.
    public init(of path: String) throws(LedgerError) {
        size = FileContents.size(of: path) ?? 0
        let connection: Connection
        do throws(LedgerError) { connection = try LedgerFile.connection(reading: path) } catch .damaged(_, let reason) {
            fault = reason
            return
        }
        lastRun = try RunTable(connection).runs.last
        // Only claims that somebody presents have a case; the others are tokens of evidence.
        for (name, table) in [
            ("runs", "run"), ("claims", "claim WHERE \"case\" IS NOT NULL"), ("tokens", "claim WHERE \"case\" IS NULL"),
            ("observations", "observation"), ("statements", "statement"), ("findings", "finding"),
            ("reviews", "review"),
        ] {
            let rows = try connection.number("SELECT count(*) FROM \(table)") ?? 0
            tables.append(Table(name: name, rows: Int(rows)))
        }
    }

    /// The state of the ledger before the last change, which stays beside it; `nil` if there is none.
    public static func previous(of path: String) throws(LedgerError) -> LedgerHealth? {
        let previous = OutputFile.resolved(path) + LedgerFile.previous
        return FileContents.exists(previous) ? try LedgerHealth(of: previous) : nil
    }
}
