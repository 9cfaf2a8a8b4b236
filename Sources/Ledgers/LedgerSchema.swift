private import Files

/// The tables of a ledger, and the migrations that bring an older ledger up to date.
enum LedgerSchema {
    /// The application ID in the header of the file: `ARLg`.
    static let application: Int32 = 0x4152_4c67

    /// All migrations, oldest first. Once released, a migration is never edited.
    private static let migrations = [("v1", first)]

    /// Opens an existing ledger of a known version for reading. Another process may be writing it.
    static func connection(reading path: String) throws(LedgerError) -> Connection {
        let head: [UInt8]
        do throws(FileError) { head = try FileContents.bytes(of: path, limit: LedgerHeader.size - 1) } catch {
            throw LedgerError(error)
        }
        guard try !LedgerHeader.check(head, path: path) else {
            throw .storage(path: path, reason: "no run has written to it")
        }
        let connection = try Connection(path, name: path, .reading)
        _ = try appliedMigrations(connection)
        try compareTables(connection)
        return connection
    }

    /// Migrates a ledger to the current version. A newer ledger, or one of another origin, is an error and left as it
    /// is.
    static func update(_ connection: Connection, _ origin: LedgerOrigin?) throws(LedgerError) {
        let applied = try appliedMigrations(connection)
        if applied != Set(migrations.map(\.0)) {
            try connection.check()
            try migrate(connection, from: applied)
        } else if let origin, let difference = try LedgerMeta(connection).origin()?.difference(to: origin) {
            throw .otherOrigin(path: connection.name, difference)
        }
        try compareTables(connection)
    }

    /// Returns the names of the migrations that were applied. A ledger with others than the known ones is an error.
    private static func appliedMigrations(_ connection: Connection) throws(LedgerError) -> Set<String> {
        let table = "SELECT count(*) FROM sqlite_master WHERE name='grdb_migrations'"
        guard try connection.number(table) == 1 else { return [] }
        let statement = try Statement(connection, "SELECT identifier FROM grdb_migrations")
        var applied: Set<String> = []
        while try statement.step() { applied.insert(statement.text(0)) }
        let known = Set(migrations.map(\.0))
        if applied.isSubset(of: known) { return applied }
        // A newer version applied all known migrations, too.
        throw applied.isSuperset(of: known)
            ? .newer(path: connection.name)
            : .damaged(path: connection.name, reason: "its list of versions was changed")
    }

    /// Applies the missing migrations, all or none, and lists them in `grdb_migrations`.
    ///
    /// The first version used GRDB's migrator, hence the table's name. The migrator needs a Dispatch queue: if file
    /// descriptors or `/proc` are missing, Dispatch traps.
    private static func migrate(_ connection: Connection, from applied: Set<String>) throws(LedgerError) {
        try connection.execute("BEGIN IMMEDIATE")
        do throws(LedgerError) {
            try connection.execute(
                "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
            for (version, sql) in migrations where !applied.contains(version) {
                try connection.execute(sql)
                try connection.execute("INSERT INTO grdb_migrations VALUES ('\(version)')")
            }
            try connection.execute("COMMIT")
        } catch {
            // SQLite may have rolled back by itself.
            if connection.isInTransaction { try connection.execute("ROLLBACK") }
            throw error
        }
    }

    /// Compares the tables with those of a new ledger: on any others, a statement may mean something else.
    private static func compareTables(_ connection: Connection) throws(LedgerError) {
        let model = try Connection(":memory:", name: connection.name, .writing)
        for (_, sql) in migrations { try model.execute(sql) }
        guard try definitions(connection) != definitions(model) else { return }
        throw .damaged(path: connection.name, reason: "its tables were changed")
    }

    /// Returns all definitions but SQLite's own tables and the list of migrations.
    private static func definitions(_ connection: Connection) throws(LedgerError) -> [[String]] {
        let statement = try Statement(
            connection,
            """
            SELECT type, name, tbl_name, sql FROM sqlite_master
            WHERE tbl_name NOT LIKE 'sqlite_stat%' AND tbl_name<>'grdb_migrations' ORDER BY name, type
            """)
        var rows: [[String]] = []
        while try statement.step() { rows.append((0..<4).map { statement.text($0) }) }
        return rows
    }

    /// Outputs have a table of their own: recording that a block was used must not rewrite its output.
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
        CREATE TABLE statement(
            tier INTEGER NOT NULL, key INTEGER NOT NULL, record BLOB NOT NULL, claim INTEGER NOT NULL,
            run INTEGER NOT NULL, seal INTEGER NOT NULL, PRIMARY KEY(tier, key, record)
        ) WITHOUT ROWID;
        CREATE TABLE finding(
            rule TEXT NOT NULL, subject TEXT NOT NULL, evidence TEXT NOT NULL, severity INTEGER NOT NULL,
            confidence INTEGER NOT NULL, first_seen INTEGER NOT NULL, events INTEGER NOT NULL,
            events_day INTEGER NOT NULL, events_before INTEGER NOT NULL, events_last INTEGER NOT NULL,
            is_about_more INTEGER NOT NULL, since_run INTEGER NOT NULL, last_run INTEGER NOT NULL, seal INTEGER NOT NULL, PRIMARY KEY(rule, subject)
        ) WITHOUT ROWID;
        CREATE TABLE earlier_finding(
            rule TEXT NOT NULL, subject TEXT NOT NULL, last_run INTEGER NOT NULL, since_run INTEGER NOT NULL,
            seal INTEGER NOT NULL, PRIMARY KEY(rule, subject, last_run)
        ) WITHOUT ROWID;
        CREATE TABLE review(
            id INTEGER PRIMARY KEY, rule TEXT NOT NULL, subject TEXT NOT NULL, severity INTEGER NOT NULL,
            events INTEGER NOT NULL, run INTEGER NOT NULL, disposition INTEGER NOT NULL, at INTEGER NOT NULL,
            until INTEGER NOT NULL, reviewer TEXT NOT NULL, note TEXT NOT NULL, seal INTEGER NOT NULL);
        CREATE INDEX review_by_finding ON review(rule, subject, id);
        CREATE TABLE failure(
            id INTEGER PRIMARY KEY, at INTEGER NOT NULL, as_of INTEGER NOT NULL, reason TEXT NOT NULL,
            seal INTEGER NOT NULL);
        """
}
