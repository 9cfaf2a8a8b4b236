private import CSQLite
private import Encodings

/// A prepared statement. Columns are read before the next step.
@safe package final class SQLiteStatement<Failure: DatabaseFailure> {
    private let connection: SQLiteConnection<Failure>
    private let handle: OpaquePointer
    /// The first error of a binding, which the next step throws.
    private var failure: Int32 = SQLITE_OK

    package init(_ connection: SQLiteConnection<Failure>, _ sql: String) throws(Failure) {
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
    package func step() throws(Failure) -> Bool {
        let code = failure == SQLITE_OK ? unsafe sqlite3_step(handle) : failure
        if code == SQLITE_ROW { return true }
        // SQLite's message is about the last failed call, so it is read before the reset.
        let error = code == SQLITE_DONE ? nil : connection.failure(code)
        reset()
        if let error { throw error }
        return false
    }

    /// Steps to the end.
    package func run() throws(Failure) { while try step() {} }

    /// Resets the statement; its bindings stay.
    package func reset() {
        unsafe sqlite3_reset(handle)
        failure = SQLITE_OK
    }

    package func bind(_ value: Int64, at index: Int32) { check(unsafe sqlite3_bind_int64(handle, index, value)) }

    /// Binds the first two parameters. Not any number of them: an array for each row of a ledger takes time.
    package func bind(numbers first: Int64, _ second: Int64) {
        bind(first, at: 1)
        bind(second, at: 2)
    }

    /// Binds the first two parameters.
    package func bind(texts first: String, _ second: String) {
        bind(first, at: 1)
        bind(second, at: 2)
    }

    package func bind(_ value: Double, at index: Int32) { check(unsafe sqlite3_bind_double(handle, index, value)) }

    /// Binds bytes of UTF-8 as a text, which SQLite copies.
    package func bind(text bytes: Span<UInt8>, at index: Int32) {
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

    package func bindNull(at index: Int32) { check(unsafe sqlite3_bind_null(handle, index)) }

    /// Binds bytes, which SQLite copies.
    package func bind(_ bytes: Span<UInt8>, at index: Int32) {
        let code = unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress, buffer.count > 0 else {
                return unsafe sqlite3_bind_zeroblob(handle, index, 0)
            }
            return unsafe sqlite3_bind_blob64(handle, index, start, UInt64(buffer.count), Self.copying)
        }
        check(code)
    }

    package func bind(_ text: String, at index: Int32) {
        let bytes = text.utf8.span
        bind(text: bytes, at: index)
    }

    private func check(_ code: Int32) {
        if code != SQLITE_OK { failure = code }
    }

    /// SQLITE_TRANSIENT, which Swift cannot import.
    private static var copying: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    package func number(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    /// Returns the bytes of a blob or of a text.
    package func bytes(_ column: Int32) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    package func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

    package var columnCount: Int32 { unsafe sqlite3_column_count(handle) }

    /// Returns the name of a column, as the statement has it.
    package func name(_ column: Int32) -> String {
        guard let name = unsafe sqlite3_column_name(handle, column) else { return "" }
        return unsafe String(cString: name)
    }

    package enum Kind { case null, number, real, text }

    package func kind(_ column: Int32) -> Kind {
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .number
        case SQLITE_FLOAT: .real
        default: .text
        }
    }

    package func text(_ column: Int32) -> String { text(column, known: "") }

    /// Returns the text in a column. If it equals a known one, returns that without a copy.
    package func text(_ column: Int32, known: String) -> String {
        guard let start = unsafe sqlite3_column_blob(handle, column) else { return "" }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
        if unsafe known.utf8.span.isSame(as: Span(_unsafeBytes: bytes)) { return known }
        return unsafe String(decoding: bytes, as: UTF8.self)
    }
}
