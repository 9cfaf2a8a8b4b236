import Files

/// Writes rows of any table as lines of NDJSON, each with its `table` and, optionally, the same row as CSV in `csv`.
package struct TableLineWriter {
    private let withCSV: Bool
    private var names: [ObjectIdentifier: [String]] = [:]

    package init(withCSV: Bool) { self.withCSV = withCSV }

    /// Appends the lines of all rows of a table.
    package mutating func write<Table: ReportTable>(
        _ table: Table.Type, of run: ReportedRun, to bytes: inout [UInt8]
    ) throws {
        try table.forEachRow(of: run) { write($0, of: table, to: &bytes) }
    }

    /// Appends the line of a row.
    package mutating func write<Table: ReportTable>(_ row: Table.Row, of table: Table.Type, to bytes: inout [UInt8]) {
        let id = ObjectIdentifier(table)
        let names = self.names[id] ?? ["table"] + table.columnNames + (withCSV ? ["csv"] : [])
        self.names[id] = names
        let cells = table.cells(of: row)
        var json = JSONRow(names, appendingTo: bytes.take())
        json.code(table.name)
        json.write(cells)
        if withCSV {
            var csv = CSVRow()
            csv.write(cells)
            json.text(String(decoding: csv.bytes, as: UTF8.self))
        }
        json.endRow()
        bytes = json.takeBytes()
        bytes.append(0x0a)
    }
}
