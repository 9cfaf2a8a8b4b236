private import Engine
private import Files

/// The tables of a ledger.
enum LedgerSchema {
    /// The application ID in the header of the file: `ARLg`.
    static let application: Int32 = 0x4152_4c67
    /// The version of tables and records, which is also in the header: the same in each of its four bytes, so that a
    /// wrong bit is damage and not another version.
    private static let version = UInt32(RunHistory.format) * 0x0101_0101

    /// Opens an existing ledger for reading. Another process may be writing it.
    static func connection(reading path: String) throws(LedgerError) -> Connection {
        let head: [UInt8]
        do throws(FileError) { head = try FileContents.bytes(of: path, limit: LedgerHeader.size - 1) } catch {
            throw LedgerError(error)
        }
        guard try !LedgerHeader.check(head, path: path) else {
            throw .storage(path: path, reason: "no run has written to it")
        }
        let connection = try Connection(path, name: path, .reading)
        try check(connection)
        return connection
    }

    static let pageSize = 8192

    /// Settings for a new file, before anything is written.
    static var settings: String { "PRAGMA page_size=\(pageSize)" }

    /// Creates all tables in a new file.
    static func create(in connection: Connection) throws(LedgerError) {
        try connection.execute(
            """
            BEGIN; PRAGMA application_id=\(application); PRAGMA user_version=\(version); \(tables); COMMIT
            """)
    }

    /// Whether it has no tables at all, because the run that created it was killed before.
    static func isBlank(_ connection: Connection) throws(LedgerError) -> Bool {
        try connection.number("SELECT count(*) FROM sqlite_master") == 0
    }

    /// Throws unless a ledger has the tables of a new one. On other tables a statement may mean something else.
    static func check(_ connection: Connection) throws(LedgerError) {
        let version = UInt32(truncatingIfNeeded: try connection.number("PRAGMA user_version") ?? 0)
        if version != Self.version, version != 0, version == (version & 0xff) &* 0x0101_0101 {
            throw version > Self.version ? .newer(path: connection.name) : .older(path: connection.name)
        }
        guard version == Self.version else {
            throw .damaged(path: connection.name, reason: "its version was changed")
        }
        let model = try Connection(":memory:", name: connection.name, .writing)
        try create(in: model)
        guard try definitions(connection) != definitions(model) else { return }
        throw .damaged(path: connection.name, reason: "its tables were changed")
    }

    /// Returns all definitions except SQLite's own tables.
    private static func definitions(_ connection: Connection) throws(LedgerError) -> [[String]] {
        let statement = try Statement(
            connection,
            "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE tbl_name NOT LIKE 'sqlite_%' ORDER BY name, type"
        )
        var rows: [[String]] = []
        while try statement.step() { rows.append((0..<4).map { statement.text($0) }) }
        return rows
    }

    /// A `record` ends with a checksum over it and the preceding columns (``Checksum``). Data that no export can restore
    /// has a copy in an index with all of its columns, so it survives damage to a page of either.
    private static let tables = """
        CREATE TABLE run(id INTEGER PRIMARY KEY AUTOINCREMENT, record BLOB NOT NULL);
        CREATE TABLE claim(id INTEGER PRIMARY KEY, run INTEGER NOT NULL, record BLOB NOT NULL);
        CREATE TABLE observation(
            key INTEGER NOT NULL, claim INTEGER NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY(key, claim)
        ) WITHOUT ROWID;
        CREATE TABLE statement(
            id INTEGER PRIMARY KEY, claim INTEGER NOT NULL, run INTEGER NOT NULL, record BLOB NOT NULL);
        CREATE TABLE finding(
            subject TEXT NOT NULL, rule TEXT NOT NULL, last_run INTEGER NOT NULL, record BLOB NOT NULL,
            evidence TEXT NOT NULL, PRIMARY KEY(subject, rule)) WITHOUT ROWID;
        CREATE TABLE review(
            id INTEGER PRIMARY KEY AUTOINCREMENT, subject TEXT NOT NULL, rule TEXT NOT NULL, record BLOB NOT NULL);
        CREATE INDEX run_copy ON run(id, record);
        CREATE INDEX finding_copy ON finding(subject, rule, last_run, record);
        CREATE INDEX review_copy ON review(subject, rule, id, record)
        """
}
