public import Encodings
import Engine
import Rules
import SQLite

/// The ids that a company gave to accounts anew, one to one.
public struct AccountMigration {
    fileprivate typealias Account = (written: ExactText, old: ExactText, new: ExactText)

    fileprivate private(set) var accounts: [Account] = []
    fileprivate private(set) var renamed = RenamedAccounts()

    public init() {}

    public var count: Int { accounts.count }

    /// Adds an account.
    ///
    /// - Parameters:
    ///   - written: the old id as exports had it: ids of claims are made of it.
    ///   - old: the old id in the form in which accounts are compared, like the new one.
    /// - Returns: false if either is already one of another account.
    public mutating func insert(written: ExactText, _ old: ExactText, _ new: ExactText) -> Bool {
        guard renamed.insert(old, new) else { return false }
        accounts.append((written, old.boundedID, new.boundedID))
        return true
    }
}

/// The numbers of what names the new ids of accounts.
public struct AccountMigrationCounts: Sendable, Equatable {
    /// The accounts that the ledger has.
    public internal(set) var accounts = 0
    public internal(set) var claims = 0
    public internal(set) var findings = 0
    public internal(set) var reviews = 0
}

extension Ledger {
    /// Gives accounts new ids, one to one. Claims of later runs with a new id are then the known claims with the old
    /// one, with the same ids.
    ///
    /// - Parameter path: the path of an existing ledger that nobody has open.
    /// - Returns: the numbers of what was changed; no accounts if the ledger has none of them, and then nothing changed.
    /// - Throws: also if the ledger has claims of a new id that is nobody's old one.
    public static func rename(_ migration: AccountMigration, in path: String) throws(LedgerError)
        -> AccountMigrationCounts
    {
        let change = try LedgerChange(path)
        let connection = change.connection
        let reading = try Statement(connection, "SELECT run, record FROM claim WHERE id=?1")
        let rewriting = try Statement(connection, "UPDATE claim SET record=?2 WHERE id=?1")
        let moving = try Statement(connection, "UPDATE OR REPLACE observation SET key=?2 WHERE key=?1 AND claim=?3")
        var counts = AccountMigrationCounts()
        var found: Set<ExactText> = []
        try connection.forEachRow(of: "SELECT id FROM claim") { (row: Statement) throws(LedgerError) in
            let id = row.number(0)
            reading.bind(id, at: 1)
            defer { reading.reset() }
            _ = try reading.step()
            let record = reading.bytes(1)
            let outcome: RenamedAccounts.Outcome
            do throws(RecordError) { outcome = try migration.renamed.outcome(of: record.span) } catch {
                throw .damaged(path: path, reason: "a claim cannot be read")
            }
            switch outcome {
            case .unchanged: return
            case .taken:
                let run = abs(reading.number(0))
                throw .storage(
                    path: path,
                    reason: "its run \(run) has claims with one of the new ids. If they had changed by then, "
                        + "take it back (audit forget --run \(run)), and try again; nothing was changed")
            case .renamed(let claim):
                counts.claims += 1
                found.insert(claim.old)
                rewriting.bind(id, at: 1)
                rewriting.bind(claim.record.span, at: 2)
                try rewriting.run()
                moving.bind(numbers: Unsigned.stored(claim.keys.old), Unsigned.stored(claim.keys.new))
                moving.bind(id, at: 3)
                try moving.run()
            }
        }
        guard !found.isEmpty else { return counts }
        counts.accounts = found.count
        // Also those that it does not have: not every claim is stored, and findings may be about any.
        try rename(migration.accounts, in: connection, &counts)
        try change.finish()
        try change.publish()
        return counts
    }

    /// Renames accounts in findings and reviews, and keeps their first ids.
    private static func rename(
        _ accounts: [AccountMigration.Account], in connection: Connection, _ counts: inout AccountMigrationCounts
    ) throws(LedgerError) {
        try connection.execute(
            "CREATE TEMP TABLE moving(old TEXT PRIMARY KEY, new TEXT NOT NULL, key INTEGER NOT NULL, written TEXT NOT NULL)"
        )
        try connection.run("INSERT INTO moving VALUES(?1, ?2, ?3, ?4)", for: accounts) {
            $1.bind(texts: $0.old.text, $0.new.text)
            $1.bind(Unsigned.stored(RenamedAccounts.key(of: $0.new)), at: 3)
            $1.bind($0.written.text, at: 4)
        }
        // An id may be somebody's old one and somebody else's new one, so all change at once.
        try connection.execute(
            """
            CREATE TEMP TABLE moved AS
                SELECT 'account:' || new AS subject, rule, last_run, record
                FROM moving JOIN finding ON finding.subject='account:' || old;
            DELETE FROM finding WHERE subject IN (SELECT 'account:' || old FROM moving);
            INSERT OR REPLACE INTO finding SELECT subject, rule, last_run, record, '' FROM moved
            """)
        counts.findings = Int(try connection.number("SELECT count(*) FROM moved") ?? 0)
        counts.reviews = try connection.run(
            """
            UPDATE review SET subject=(SELECT 'account:' || new FROM moving WHERE 'account:' || old=subject)
            WHERE subject IN (SELECT 'account:' || old FROM moving)
            """, for: [()]
        ) { _, _ in }
        // The texts of findings may name the old ids. The next run writes them again.
        try connection.execute(
            """
            UPDATE finding SET evidence='';
            CREATE TEMP TABLE named AS
                SELECT new AS id, moving.key AS key, coalesce(former, written) AS former
                FROM moving LEFT JOIN account ON account.id=old;
            DELETE FROM account WHERE id IN (SELECT old FROM moving);
            INSERT OR REPLACE INTO account SELECT id, key, former FROM named
            """)
    }
}
