private import Files

/// Which tables a ledger has, and whether they are what this program makes.
enum LedgerVersion {
    /// Refuses a ledger that is newer or not comparable, changing nothing; brings an older one up to date.
    static func bringUpToDate(_ connection: Connection, _ origin: LedgerOrigin?) throws(LedgerError) {
        try refuseNewer(connection)
        let applied = try applied(connection)
        let isCurrent = applied == Set(LedgerSchema.versions)
        if isCurrent, let origin { try refuseOther(connection, origin) }
        if !isCurrent {
            try connection.check()
            try LedgerSchema.migrate(connection, from: applied)
        }
        try compare(connection)
    }

    static func refuseNewer(_ connection: Connection) throws(LedgerError) {
        let (applied, known) = (try applied(connection), Set(LedgerSchema.versions))
        guard !applied.isSubset(of: known) else { return }
        // A newer version has all of today's changes too.
        throw applied.isSuperset(of: known)
            ? .newer(path: connection.name)
            : .damaged(path: connection.name, reason: "its list of versions is not what it was")
    }

    static func refuseOther(_ connection: Connection, _ origin: LedgerOrigin) throws(LedgerError) {
        guard let difference = try LedgerMeta(connection).origin()?.difference(to: origin) else { return }
        throw .otherOrigin(path: connection.name, difference)
    }

    private static func applied(_ connection: Connection) throws(LedgerError) -> Set<String> {
        let table = "SELECT count(*) FROM sqlite_master WHERE name='grdb_migrations'"
        guard try connection.number(table) == 1 else { return [] }
        let statement = try Statement(connection, "SELECT identifier FROM grdb_migrations")
        var names: Set<String> = []
        while try statement.step() { names.insert(statement.text(0)) }
        return names
    }

    /// Compares the tables with those of a ledger that was made just now: a statement means what it says on no others.
    private static func compare(_ connection: Connection) throws(LedgerError) {
        let model = try Connection(":memory:", name: connection.name, .writing)
        try LedgerSchema.make(in: model)
        guard try definitions(connection) != definitions(model) else { return }
        throw .damaged(path: connection.name, reason: "its tables are not what they were")
    }

    private static func definitions(_ connection: Connection) throws(LedgerError) -> [[String]] {
        // What SQLite keeps for itself, and the list of changes, have no bearing.
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
}

extension LedgerVersion {
    /// Opens a ledger that this program knows, for reading only. Somebody may be writing it.
    static func connection(reading path: String) throws(LedgerError) -> Connection {
        let head: [UInt8]
        do throws(FileError) { head = try FileContents.bytes(of: path, limit: LedgerHeader.size - 1) } catch {
            throw LedgerError(error)
        }
        switch LedgerHeader.judge(head) {
        case .ours: break
        case .empty: throw .storage(path: path, reason: "no run has written to it")
        case .damaged: throw .damaged(path: path, reason: "its first bytes are not what they were")
        case .foreign: throw .foreign(path: path)
        }
        let connection = try Connection(path, name: path, .reading)
        try refuseNewer(connection)
        try compare(connection)
        return connection
    }
}
