/// The name of a table and the headings of its columns.
package struct TableSchema: Sendable {
    package let name: String
    package let columns: [ColumnHeading]

    package var columnNames: [String] { columns.map(\.name) }

    /// Returns the schema under the name of its sheet.
    func titled(_ name: String) -> TableSchema { TableSchema(name: name, columns: columns) }

    /// Returns the index of a column; -1 if there is none.
    func index(of column: String) -> Int { columns.firstIndex { $0.name == column } ?? -1 }
}
