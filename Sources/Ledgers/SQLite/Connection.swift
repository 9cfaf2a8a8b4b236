private import CSQLite
private import Encodings
internal import Files

/// A connection to a ledger. For one thread, as SQLite requires.
@safe final class Connection {
    /// The permissions of a connection.
    enum Mode {
        /// Reading a file that nobody changes in place. It takes no lock, and ignores journals beside it.
        case reading
        /// Writing a file that nobody else uses, and that is thrown away if anything fails: without a journal.
        case writing
    }

    /// Stops SQLite from counting memory, once per process, before its first use. If that fails, SQLite is only slower.
    private static let setUp: Void = { _ = audit_sqlite_count_no_memory() }()

    /// The path of the file.
    let path: String
    /// The user's path.
    let name: String
    fileprivate let handle: OpaquePointer

    /// - Parameters:
    ///   - path: the path of an existing file.
    ///   - name: the user's path.
    init(_ path: String, name: String, _ mode: Mode) throws(LedgerError) {
        Self.setUp
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
    func execute(_ sql: String) throws(LedgerError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Runs a statement of ours once for each value.
    ///
    /// - Returns: the number of changed rows.
    @discardableResult
    func run<Value>(
        _ sql: String, for values: some Sequence<Value>, _ bind: (Value, Statement) -> Void
    ) throws(LedgerError) -> Int {
        let statement = try Statement(self, sql)
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
    func beginReading() throws(LedgerError) {
        try execute("PRAGMA cache_size=-8192; BEGIN; SELECT count(*) FROM sqlite_master")
    }

    /// Returns the first column of the first row; `nil` if there is no row.
    func number(_ sql: String) throws(LedgerError) -> Int64? {
        let statement = try Statement(self, sql)
        return try statement.step() ? statement.number(0) : nil
    }

    /// The number of rows that the last statement changed.
    var changes: Int { unsafe Int(sqlite3_changes(handle)) }

    /// Whether a transaction is open.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    fileprivate func failure(_ code: Int32) -> LedgerError {
        let message = unsafe String(cString: sqlite3_errmsg(handle))
        // SQLite may report missing space for its own files as a disk error.
        let isFull = unsafe code & 0xff == SQLITE_IOERR && sqlite3_system_errno(handle) == SystemError.diskFull
        if isFull { return LedgerError(sqlite: SQLITE_FULL, message, path: name) }
        return LedgerError(sqlite: code, message, path: name)
    }
}

/// A prepared statement. Columns are read before the next step.
@safe final class Statement {
    private let connection: Connection
    private let handle: OpaquePointer
    /// The first error of a binding, which the next step throws.
    private var failure: Int32 = SQLITE_OK

    init(_ connection: Connection, _ sql: String) throws(LedgerError) {
        self.connection = connection
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard let pointer = unsafe prepared, code == SQLITE_OK else { throw connection.failure(code) }
        unsafe handle = pointer
    }

    deinit { unsafe sqlite3_finalize(handle) }

    /// Moves to the next row.
    ///
    /// - Returns: whether there is one. If not, the statement is reset.
    func step() throws(LedgerError) -> Bool {
        let code = failure == SQLITE_OK ? unsafe sqlite3_step(handle) : failure
        if code == SQLITE_ROW { return true }
        // SQLite's message is about the last failed call, so it is read before the reset.
        let error = code == SQLITE_DONE ? nil : connection.failure(code)
        reset()
        if let error { throw error }
        return false
    }

    /// Steps to the end.
    func run() throws(LedgerError) { while try step() {} }

    /// Resets the statement; its bindings stay.
    func reset() {
        unsafe sqlite3_reset(handle)
        failure = SQLITE_OK
    }

    func bind(_ value: Int64, at index: Int32) { check(unsafe sqlite3_bind_int64(handle, index, value)) }

    /// Binds numbers from the first parameter on.
    func bind(numbers: Int64...) {
        for (index, number) in numbers.enumerated() { bind(number, at: Int32(index + 1)) }
    }

    /// Binds texts from the first parameter on.
    func bind(texts: String...) {
        for (index, text) in texts.enumerated() { bind(text, at: Int32(index + 1)) }
    }

    func bind(_ value: Double, at index: Int32) { check(unsafe sqlite3_bind_double(handle, index, value)) }

    /// Binds bytes of UTF-8 as a text, which SQLite copies.
    func bind(text bytes: Span<UInt8>, at index: Int32) {
        let code = unsafe bytes.withUnsafeBytes { buffer in
            // An empty text also needs an address, or it would be NULL.
            guard let start = buffer.baseAddress, buffer.count > 0 else {
                return unsafe sqlite3_bind_text(handle, index, "", 0, Self.copying)
            }
            return unsafe sqlite3_bind_text64(
                handle, index, start.assumingMemoryBound(to: CChar.self), UInt64(buffer.count), Self.copying,
                UInt8(SQLITE_UTF8))
        }
        check(code)
    }

    func bindNull(at index: Int32) { check(unsafe sqlite3_bind_null(handle, index)) }

    /// Binds bytes, which SQLite copies.
    func bind(_ bytes: Span<UInt8>, at index: Int32) {
        let code = unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress, buffer.count > 0 else {
                return unsafe sqlite3_bind_zeroblob(handle, index, 0)
            }
            return unsafe sqlite3_bind_blob64(handle, index, start, UInt64(buffer.count), Self.copying)
        }
        check(code)
    }

    func bind(_ text: String, at index: Int32) {
        let bytes = text.utf8.span
        bind(text: bytes, at: index)
    }

    private func check(_ code: Int32) {
        if code != SQLITE_OK { failure = code }
    }

    /// SQLITE_TRANSIENT, which Swift cannot import.
    private static var copying: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    func number(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    /// Returns the bytes of a blob or of a text.
    func bytes(_ column: Int32) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

    var columnCount: Int32 { unsafe sqlite3_column_count(handle) }

    /// Returns the name of a column, as the statement has it.
    func name(_ column: Int32) -> String {
        guard let name = unsafe sqlite3_column_name(handle, column) else { return "" }
        return unsafe String(cString: name)
    }

    enum Kind { case null, number, real, text }

    func kind(_ column: Int32) -> Kind {
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .number
        case SQLITE_FLOAT: .real
        default: .text
        }
    }

    func text(_ column: Int32) -> String { text(column, known: "") }

    /// Returns the text in a column. If it equals a known one, returns that without a copy.
    func text(_ column: Int32, known: String) -> String {
        guard let start = unsafe sqlite3_column_blob(handle, column) else { return "" }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
        if unsafe known.utf8.span.isSame(as: Span(_unsafeBytes: bytes)) { return known }
        return unsafe String(decoding: bytes, as: UTF8.self)
    }
}

/// The versions of SQLite.
public enum LedgerLibrary {
    /// The version of the headers at build time.
    public static var builtWith: String { SQLITE_VERSION }

    /// The version of the library that is loaded.
    public static var inUse: String {
        let number = sqlite3_libversion_number()
        return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
    }
}
