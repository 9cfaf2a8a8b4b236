private import CSQLite
private import Encodings
private import Files

/// Stops SQLite from counting memory, once per process, before its first use. If that fails, SQLite is only slower.
private let setUp: Void = { _ = audit_sqlite_count_no_memory() }()

/// A connection to a database. For one thread, as SQLite requires.
///
/// It throws the errors of the part of the program that uses it.
@safe package final class SQLiteConnection<Failure: DatabaseFailure> {
    /// The permissions of a connection.
    package enum Mode {
        /// Reading a file that nobody changes in place. It takes no lock, and ignores journals beside it.
        case reading
        /// Writing a file that nobody else uses, and that is thrown away if anything fails: without a journal.
        case writing
    }

    /// The path of the file.
    package let path: String
    /// The user's path.
    package let name: String
    let handle: OpaquePointer

    /// - Parameters:
    ///   - path: the path of an existing file.
    ///   - name: the user's path.
    package init(_ path: String, name: String, _ mode: Mode) throws(Failure) {
        setUp
        self.path = path
        self.name = name
        // An older version would report our statements as errors, which would be taken for damage.
        guard sqlite3_libversion_number() >= 3_035_000 else {
            throw .storage(path: name, reason: "SQLite 3.35 or newer is needed")
        }
        var opened: OpaquePointer?
        let code =
            mode == .reading
            ? unsafe sqlite3_open_v2(
                Self.uri(path), &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
            : unsafe sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard let pointer = unsafe opened else { throw .storage(path: name, reason: "out of memory") }
        unsafe handle = pointer
        guard code == SQLITE_OK else { throw failure(code) }
        unsafe sqlite3_extended_result_codes(handle, 1)
        try execute("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON")
        if mode == .writing {
            try execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE")
        }
    }

    /// Returns the URI of a file, in which SQLite takes no character for anything but a part of the name.
    private static func uri(_ path: String) -> String {
        var uri = Array("file:".utf8)
        for byte in path.utf8 {
            uri.append(UInt8(ascii: "%"))
            uri += Hex.string([byte].span).utf8
        }
        return String(decoding: uri, as: UTF8.self) + "?immutable=1"
    }

    /// Rolls back what was not committed.
    deinit { unsafe sqlite3_close_v2(handle) }

    /// Runs statements whose results, if any, are ignored.
    package func execute(_ sql: String) throws(Failure) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Runs a statement of ours once for each value.
    ///
    /// - Returns: the number of changed rows.
    @discardableResult
    package func run<Value>(
        _ sql: String, for values: some Sequence<Value>, _ bind: (Value, SQLiteStatement<Failure>) -> Void
    ) throws(Failure) -> Int {
        let statement = try SQLiteStatement(self, sql)
        var count = 0
        for value in values {
            bind(value, statement)
            try statement.run()
            count += changes
        }
        return count
    }

    /// Begins a transaction for random reads, with a cache of 8 MiB. It sees the current state, which SQLite fixes at
    /// the first read.
    package func beginReading() throws(Failure) {
        try execute("PRAGMA cache_size=-8192; BEGIN; SELECT count(*) FROM sqlite_master")
    }

    /// Returns the first column of the first row; `nil` if there is no row.
    package func number(_ sql: String) throws(Failure) -> Int64? {
        let statement = try SQLiteStatement(self, sql)
        return try statement.step() ? statement.number(0) : nil
    }

    /// The number of rows that the last statement changed.
    package var changes: Int { unsafe Int(sqlite3_changes(handle)) }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    func failure(_ code: Int32) -> Failure {
        let message = unsafe String(cString: sqlite3_errmsg(handle))
        return switch code & 0xff {
        case SQLITE_FULL: .full(path: name)
        // SQLite may report missing space for its own files as a disk error.
        case SQLITE_IOERR where unsafe sqlite3_system_errno(handle) == SystemError.diskFull: .full(path: name)
        // All statements are constants that fit the tables: if SQLite rejects one or a value, the tables are damaged.
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_CONSTRAINT, SQLITE_MISMATCH:
            .damaged(path: name, reason: message)
        default: .storage(path: name, reason: message)
        }
    }
}

/// The versions of SQLite.
package enum SQLiteVersion {
    /// The version of the headers at build time.
    package static var builtWith: String { SQLITE_VERSION }

    /// The version of the library that is loaded.
    package static var inUse: String {
        let number = sqlite3_libversion_number()
        return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
    }
}
