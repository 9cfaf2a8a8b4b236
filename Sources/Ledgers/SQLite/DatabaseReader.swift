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

    private let connection: Connection

    /// - Parameter application: the required application ID of the file.
    /// - Throws: ``LedgerError`` if the file is not such a database.
    package init(_ path: String, application: Int32) throws(LedgerError) {
        do throws(LedgerError) {
            connection = try Connection(path, name: path, .reading)
            guard try connection.number("PRAGMA application_id") == Int64(application) else {
                throw .storage(path: path, reason: "it is not a SQLite report of audit")
            }
            try connection.beginReading()
        } catch {
            // SQLite reports a foreign file in the same way as a damaged one.
            guard case .damaged(_, let reason) = error else { throw error }
            throw .storage(path: path, reason: reason)
        }
    }

    /// Returns the rows of a query of ours.
    ///
    /// - Parameter texts: the values of its parameters.
    package func rows(_ sql: String, _ texts: [String] = []) throws(LedgerError) -> [Row] {
        let statement = try Statement(connection, sql)
        for (index, text) in texts.enumerated() { statement.bind(text, at: Int32(index + 1)) }
        var rows: [Row] = []
        while try statement.step() {
            rows.append(
                (0..<statement.columnCount).map { column in
                    let value: Value =
                        switch statement.kind(column) {
                        case .null: .null
                        case .number: .number(statement.number(column))
                        case .real: .real(statement.real(column))
                        case .text: .text(statement.text(column))
                        }
                    return (statement.name(column), value)
                })
        }
        return rows
    }
}
