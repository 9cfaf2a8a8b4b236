private import GRDB
private import GRDBSQLite

/// One connection to a ledger: opened by GRDB, spoken to in SQLite's own statements.
///
/// One transaction lasts as long as a run, and rows go in and out by the million: GRDB's closures would be in the way.
/// Whoever has the connection uses it on one thread, which is what SQLite asks for.
@safe final class Connection {
    /// What a connection may do.
    enum Mode {
        case reading
        case writing
    }

    /// The ledger's name in messages.
    let name: String
    private let queue: DatabaseQueue
    let handle: OpaquePointer

    /// - Parameters:
    ///   - path: of the file, which exists.
    ///   - name: what people call it.
    init(_ path: String, name: String, _ mode: Mode) throws(LedgerError) {
        self.name = name
        var configuration = Configuration()
        configuration.readonly = mode == .reading
        configuration.foreignKeysEnabled = false
        configuration.allowsUnsafeTransactions = true
        // For the moments in which somebody else mends the log of a killed run.
        configuration.busyMode = .timeout(mode == .reading ? 5 : 0.2)
        var opened: OpaquePointer?
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            unsafe opened = queue.unsafeReentrantRead { unsafe $0.sqliteConnection }
        } catch let error as DatabaseError {
            throw LedgerError(sqlite: error.resultCode.rawValue, error.message ?? "", path: name)
        } catch {
            throw .storage(path: name, reason: "\(error)")
        }
        guard let pointer = unsafe opened else { throw .storage(path: name, reason: "it cannot be opened") }
        unsafe handle = pointer
        try execute("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON")
    }

    /// Brings the tables up to date.
    func migrate() throws(LedgerError) {
        do {
            try LedgerSchema.migrator.migrate(queue)
        } catch let error as DatabaseError {
            throw LedgerError(sqlite: error.resultCode.rawValue, error.message ?? "", path: name)
        } catch {
            throw .storage(path: name, reason: "\(error)")
        }
    }

    /// Runs some statements that have no results, or none that matter.
    func execute(_ sql: String) throws(LedgerError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// The number that a statement gives; `nil` if it gives none.
    func number(_ sql: String) throws(LedgerError) -> Int64? {
        let statement = try Statement(self, sql)
        return try statement.step() ? statement.number(0) : nil
    }

    /// Goes through all tables once and throws if they do not hang together.
    func check(_ pragma: String = "quick_check(1)") throws(LedgerError) {
        let statement = try Statement(self, "PRAGMA \(pragma)")
        guard try statement.step(), case let finding = statement.text(0), finding != "ok" else { return }
        throw .damaged(path: name, reason: finding)
    }

    /// How many rows the last statement changed.
    var changes: Int { unsafe Int(sqlite3_changes(handle)) }

    var lastID: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// Whether what was written since `BEGIN` can still be committed. SQLite itself may have taken it back.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// Brings the log home, so that it does not stay as large as the run. Somebody who reads may prevent that, and it
    /// is done another time: what was committed is in the log, too.
    func shortenLog() { unsafe _ = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) }

    func failure(_ code: Int32) -> LedgerError {
        let message = unsafe String(cString: sqlite3_errmsg(handle))
        return LedgerError(sqlite: code, message, path: name)
    }
}
