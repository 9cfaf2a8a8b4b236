import SQLite

/// The tables of a ledger.
enum LedgerSchema {
    /// Creates all tables in a new file.
    static func create(in connection: Connection) throws(LedgerError) {
        try connection.execute(
            """
            PRAGMA page_size=8192; BEGIN; PRAGMA application_id=\(LedgerHeader.application);
            PRAGMA user_version=\(LedgerHeader.version);
            CREATE TABLE run(id INTEGER PRIMARY KEY AUTOINCREMENT, record BLOB NOT NULL);
            CREATE TABLE claim(id INTEGER PRIMARY KEY, run INTEGER NOT NULL, "case" INTEGER, record BLOB NOT NULL);
            CREATE TABLE meeting(claim INTEGER PRIMARY KEY, runs BLOB NOT NULL);
            CREATE TABLE observation(
                key INTEGER NOT NULL, claim INTEGER NOT NULL, PRIMARY KEY(key, claim)) WITHOUT ROWID;
            CREATE TABLE statement(
                id INTEGER PRIMARY KEY, claim INTEGER NOT NULL, run INTEGER NOT NULL, record BLOB NOT NULL);
            CREATE TABLE finding(
                subject TEXT NOT NULL, rule TEXT NOT NULL, last_run INTEGER NOT NULL, record BLOB NOT NULL,
                evidence TEXT NOT NULL, PRIMARY KEY(subject, rule)) WITHOUT ROWID;
            CREATE TABLE review(
                id INTEGER PRIMARY KEY AUTOINCREMENT, subject TEXT NOT NULL, rule TEXT NOT NULL, record BLOB NOT NULL);
            CREATE TABLE account(
                id TEXT PRIMARY KEY, key INTEGER NOT NULL, former TEXT NOT NULL) WITHOUT ROWID;
            CREATE INDEX claim_by_case ON claim("case");
            CREATE INDEX review_by_finding ON review(subject, rule);
            COMMIT
            """)
    }
}
