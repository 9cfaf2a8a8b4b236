private import GRDBSQLite

/// A prepared statement, owned. A column is read before the next step.
@safe final class Statement {
    private let connection: Connection
    private let handle: OpaquePointer
    /// What went wrong with a value, to be told by the next step.
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

    /// Whether there is a row. At the end the statement is as new.
    func step() throws(LedgerError) -> Bool {
        let code = failure == SQLITE_OK ? unsafe sqlite3_step(handle) : failure
        if code == SQLITE_ROW { return true }
        // The message is of the last call that failed.
        let error = code == SQLITE_DONE ? nil : connection.failure(code)
        reset()
        if let error { throw error }
        return false
    }

    /// Runs it to its end.
    func run() throws(LedgerError) { while try step() {} }

    /// Makes it as new; what was bound stays bound.
    func reset() {
        unsafe sqlite3_reset(handle)
        failure = SQLITE_OK
    }
}

extension Statement {
    func bind(_ value: Int64, at index: Int32) { note(unsafe sqlite3_bind_int64(handle, index, value)) }

    /// Binds bytes, of which SQLite makes a copy.
    func bind(_ bytes: Span<UInt8>, at index: Int32) {
        let code = unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress, buffer.count > 0 else {
                return unsafe sqlite3_bind_zeroblob(handle, index, 0)
            }
            return unsafe sqlite3_bind_blob64(handle, index, start, UInt64(buffer.count), Self.copying)
        }
        note(code)
    }

    /// Binds all columns of another statement's row, of whatever kind they are.
    ///
    /// - Parameter index: where the first one goes.
    func bind(row other: Statement, from index: Int32) {
        for column in 0..<(unsafe sqlite3_column_count(other.handle)) {
            note(unsafe sqlite3_bind_value(handle, index + column, sqlite3_column_value(other.handle, column)))
        }
    }

    func bindNothing(at index: Int32) { note(unsafe sqlite3_bind_null(handle, index)) }

    func bind(_ text: String, at index: Int32) {
        let bytes = text.utf8.span
        let code = unsafe bytes.withUnsafeBytes { buffer in
            // An empty text needs an address too, or it would be NULL.
            guard let start = buffer.baseAddress, buffer.count > 0 else {
                return unsafe sqlite3_bind_text(handle, index, "", 0, Self.copying)
            }
            return unsafe sqlite3_bind_text64(
                handle, index, start.assumingMemoryBound(to: CChar.self), UInt64(buffer.count), Self.copying,
                UInt8(SQLITE_UTF8))
        }
        note(code)
    }

    private func note(_ code: Int32) {
        if code != SQLITE_OK { failure = code }
    }

    /// SQLITE_TRANSIENT, which Swift cannot import.
    private static var copying: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

extension Statement {
    func number(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    func isNothing(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// The bytes of a blob or of a text.
    func bytes(_ column: Int32) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
}
