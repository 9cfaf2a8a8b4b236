/// The tables of a ledger, and how those of older versions become today's.
enum LedgerSchema {
    /// Marks a file as a ledger of ours: `ARLg`.
    static let application: Int32 = 0x4152_4c67

    /// All changes that were ever made, oldest first. What was released is never edited.
    private static let changes = [("v1", first)]

    static var versions: [String] { changes.map(\.0) }

    /// Makes the changes that a ledger does not have yet, all or none, and notes them in the table `grdb_migrations`.
    ///
    /// Without GRDB's migrator, which works on a Dispatch queue: for want of a descriptor or of `/proc`, Dispatch's monitor of
    /// such queues ends the process with a trap.
    static func migrate(_ connection: Connection, from applied: Set<String>) throws(LedgerError) {
        try connection.execute("BEGIN IMMEDIATE")
        do throws(LedgerError) {
            try connection.execute(
                "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
            for (version, sql) in changes where !applied.contains(version) {
                try connection.execute(sql)
                try connection.execute("INSERT INTO grdb_migrations VALUES ('\(version)')")
            }
            try connection.execute("COMMIT")
        } catch {
            // SQLite itself may have taken it back.
            if connection.isInTransaction { try connection.execute("ROLLBACK") }
            throw error
        }
    }

    /// Makes today's tables where there are none.
    static func make(in connection: Connection) throws(LedgerError) {
        for (_, sql) in changes { try connection.execute(sql) }
    }

    /// Large outputs stand in a table of their own, so that to note that a block was used does not write them anew.
    /// Where keys are hashes, each run writes a tier of its own (``Tier``).
    private static let first = """
        CREATE TABLE meta(name TEXT PRIMARY KEY NOT NULL, value BLOB NOT NULL, seal INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE run(
            id INTEGER PRIMARY KEY, as_of INTEGER NOT NULL, is_published INTEGER NOT NULL, claims INTEGER NOT NULL,
            valid INTEGER NOT NULL, invalid INTEGER NOT NULL, covers_all INTEGER NOT NULL, inputs BLOB NOT NULL,
            settings BLOB NOT NULL, blocks BLOB NOT NULL, findings BLOB NOT NULL, seal INTEGER NOT NULL);
        CREATE TABLE block(
            id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, status_key BLOB, last_run INTEGER NOT NULL);
        CREATE INDEX block_by_status ON block(status_key) WHERE status_key IS NOT NULL;
        CREATE TABLE block_output(id INTEGER PRIMARY KEY, seal INTEGER NOT NULL, output BLOB NOT NULL);
        CREATE TABLE signature(
            tier INTEGER NOT NULL, digest BLOB NOT NULL, run INTEGER NOT NULL, seal INTEGER NOT NULL,
            verdict BLOB NOT NULL, PRIMARY KEY(tier, digest)
        ) WITHOUT ROWID;
        CREATE TABLE claim(
            tier INTEGER NOT NULL, id INTEGER NOT NULL, run INTEGER NOT NULL, seal INTEGER NOT NULL,
            record BLOB NOT NULL, PRIMARY KEY(tier, id)
        ) WITHOUT ROWID;
        CREATE TABLE observation(
            tier INTEGER NOT NULL, key INTEGER NOT NULL, claim INTEGER NOT NULL, seal INTEGER NOT NULL,
            PRIMARY KEY(tier, key, claim)
        ) WITHOUT ROWID;
        CREATE TABLE finding(
            rule TEXT NOT NULL, subject TEXT NOT NULL, severity INTEGER NOT NULL, first_seen INTEGER NOT NULL,
            since_run INTEGER NOT NULL, last_run INTEGER NOT NULL, seal INTEGER NOT NULL, PRIMARY KEY(rule, subject)
        ) WITHOUT ROWID;
        CREATE TABLE earlier_finding(
            rule TEXT NOT NULL, subject TEXT NOT NULL, last_run INTEGER NOT NULL, since_run INTEGER NOT NULL,
            seal INTEGER NOT NULL, PRIMARY KEY(rule, subject, last_run)
        ) WITHOUT ROWID;
        """
}
