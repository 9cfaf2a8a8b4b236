package import Files

/// A new SQLite database that is written once, from its first table to its last index, in little memory.
///
/// It has neither a journal nor a lock: nobody else sees the file until it is complete, and if that fails it is
/// removed.
package final class DatabaseFile {
    let connection: SQLiteConnection<FileError>

    /// The memory for pages, and for a sort, in KiB; SQLite spills the rest to temporary files.
    private static let cacheKiB = 32 << 10

    /// - Parameters:
    ///   - path: an existing empty file.
    ///   - name: the user's path.
    ///   - application: the application ID in the header of the file.
    package init(_ path: String, name: String, application: Int32) throws(FileError) {
        connection = try SQLiteConnection(path, name: name, .writing)
        try execute(
            """
            PRAGMA temp_store=FILE; PRAGMA cache_size=-\(Self.cacheKiB); PRAGMA application_id=\(application); PRAGMA user_version=1; BEGIN
            """)
    }

    /// Runs statements of ours.
    package func execute(_ sql: String) throws(FileError) { try connection.execute(sql) }

    /// Ends writing.
    package func finish() throws(FileError) { try execute("PRAGMA optimize; COMMIT") }

    /// Appends rows to a table.
    package final class Rows {
        private let statement: SQLiteStatement<FileError>
        private var column: Int32 = 0

        /// - Parameter columns: the number of cells per row.
        package init(_ table: String, columns: Int, in file: DatabaseFile) throws(FileError) {
            let places = Array(repeating: "?", count: columns).joined(separator: ",")
            statement = try SQLiteStatement(file.connection, "INSERT INTO \(table) VALUES(\(places))")
        }

        /// Sets the next cell.
        package func text(_ text: Span<UInt8>) { statement.bind(text: text, at: next()) }
        package func text(_ text: String) { statement.bind(text, at: next()) }
        package func number(_ number: Int64) { statement.bind(number, at: next()) }
        package func real(_ number: Double) { statement.bind(number, at: next()) }
        package func null() { statement.bindNull(at: next()) }

        /// Inserts the row after all of its cells were set.
        package func insert() throws(FileError) {
            column = 0
            try statement.run()
        }

        private func next() -> Int32 {
            column += 1
            return column
        }
    }
}
