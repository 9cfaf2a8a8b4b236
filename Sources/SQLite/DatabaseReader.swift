package import Files

/// Reads a SQLite database written by a run, and no others.
package final class DatabaseReader {
    /// A cell of a row.
    package enum Value: Equatable {
        case null
        case number(Int64)
        case real(Double)
        case text(String)

        package var text: String? { if case .text(let text) = self { text } else { nil } }
        package var number: Int64? { if case .number(let number) = self { number } else { nil } }
    }

    /// A row: the names of columns, with their cells.
    package typealias Row = [(column: String, value: Value)]

    private let connection: SQLiteConnection<FileError>

    /// - Parameter application: the required application ID of the file.
    /// - Throws: `FileError` if the file is not such a database.
    package init(_ path: String, application: Int32) throws(FileError) {
        do throws(FileError) {
            connection = try SQLiteConnection(path, name: path, .reading)
            guard try connection.number("PRAGMA application_id") == Int64(application) else {
                throw .storage(path: path, reason: "it is not a SQLite report of audit")
            }
            try connection.beginReading()
        } catch {
            let remedy = "name one that `audit run --report FILE.sqlite` wrote"
            throw .storage(path: path, reason: "\(error.reason): \(remedy)")
        }
    }

    /// Reads what a run has just written, over the connection that wrote it.
    package init(_ file: DatabaseFile) { connection = file.connection }

    /// Returns the rows of a query of ours.
    ///
    /// - Parameter texts: the values of its parameters.
    package func rows(_ sql: String, _ texts: [String] = []) throws(FileError) -> [Row] {
        let statement = try bound(sql, texts)
        var rows: [Row] = []
        while try statement.step() {
            rows.append((0..<statement.columnCount).map { (statement.name($0), Self.value(statement, $0)) })
        }
        return rows
    }

    /// Calls a body with the cells of each row of a query of ours.
    ///
    /// - Parameter texts: the values of its parameters.
    package func forEachRow(_ sql: String, _ texts: [String] = [], _ body: (Cells) throws -> Void) throws {
        let statement = try bound(sql, texts)
        let cells = Cells(statement)
        while try statement.step() { try body(cells) }
    }

    private func bound(_ sql: String, _ texts: [String]) throws(FileError) -> SQLiteStatement<FileError> {
        let statement = try SQLiteStatement(connection, sql)
        for (index, text) in texts.enumerated() { statement.bind(text, at: Int32(index + 1)) }
        return statement
    }

    fileprivate static func value(_ statement: SQLiteStatement<FileError>, _ column: Int32) -> Value {
        switch statement.kind(column) {
        case .null: .null
        case .number: .number(statement.number(column))
        case .real: .real(statement.real(column))
        case .text: .text(statement.text(column))
        }
    }

    /// The cells of the row that a query stands at, by the names of its columns.
    package struct Cells {
        private let statement: SQLiteStatement<FileError>
        private let columns: [String: Int32]

        fileprivate init(_ statement: SQLiteStatement<FileError>) {
            self.statement = statement
            columns = Dictionary(
                (0..<statement.columnCount).map { (statement.name($0), $0) }, uniquingKeysWith: { first, _ in first })
        }

        /// Returns a cell; NULL if the query has no such column.
        package subscript(column: String) -> Value {
            columns[column].map { DatabaseReader.value(statement, $0) } ?? .null
        }

        /// Returns a text; empty if the cell has none.
        package func text(_ column: String) -> String { columns[column].map { statement.text($0) } ?? "" }

        /// Returns a whole number; 0 if the cell has none.
        package func number(_ column: String) -> Int {
            columns[column].map { Int(clamping: statement.number($0)) } ?? 0
        }

        package func isNull(_ column: String) -> Bool { self[column] == .null }
    }
}
