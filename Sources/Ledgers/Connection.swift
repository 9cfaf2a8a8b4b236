internal import Files
private import GRDBSQLite

/// One connection to a ledger.
///
/// It uses SQLite's own statements: one transaction lasts as long as a run, rows go in and out by the million, and what a
/// damaged file gives back must never be more than an error. Whoever has a connection uses it on one thread, which is what
/// SQLite asks for.
@safe final class Connection {
    /// What a connection may do.
    enum Mode {
        case reading
        case writing
    }

    /// For the moments in which somebody else mends the log of a killed run, in milliseconds. Who writes has a lock of his
    /// own, by which he learns at once that he must wait.
    private static let patience: Int32 = 5000

    /// Where the file is.
    let path: String
    /// What people call it.
    let name: String
    let handle: OpaquePointer
    /// Goes after the connection: to close a file that SQLite has open would take SQLite's own locks away.
    let lock: LockedFile?

    /// - Parameters:
    ///   - path: of the file, which exists; or `:memory:`.
    ///   - name: what people call it.
    init(_ path: String, name: String, _ mode: Mode, keeping lock: LockedFile? = nil) throws(LedgerError) {
        (self.path, self.name, self.lock) = (path, name, lock)
        // An older one takes statements for mistakes, and a mistake for damage.
        guard sqlite3_libversion_number() >= 3_035_000 else {
            throw .storage(path: name, reason: "SQLite 3.35 or newer is needed")
        }
        var opened: OpaquePointer?
        // Who only reads may write the file all the same, if the system lets him: so the files beside it can go with him.
        let code = unsafe sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard let pointer = unsafe opened else { throw .storage(path: name, reason: "there is no memory for it") }
        unsafe handle = pointer
        guard code == SQLITE_OK else { throw failure(code) }
        unsafe sqlite3_extended_result_codes(handle, 1)
        unsafe sqlite3_busy_timeout(handle, Self.patience)
        try execute(
            "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA query_only=\(mode == .reading ? "ON" : "OFF")"
        )
    }

    /// Takes back what was not committed.
    deinit { unsafe sqlite3_close_v2(handle) }

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

    /// Whether what was written since `BEGIN` can still be committed. SQLite itself may have taken it back.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// Brings the log home, so that it does not stay as large as the run. Somebody who reads may prevent that, and it
    /// is done another time: what was committed is in the log, too.
    ///
    /// - Returns: whether it is done.
    @discardableResult
    func shortenLog() -> Bool {
        // Nobody is waited for: whoever closes the ledger last does it, too.
        unsafe sqlite3_busy_timeout(handle, 0)
        defer { unsafe sqlite3_busy_timeout(handle, Self.patience) }
        return unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK
    }

    func failure(_ code: Int32) -> LedgerError {
        let message = unsafe String(cString: sqlite3_errmsg(handle))
        return LedgerError(sqlite: code, message, path: name)
    }
}
