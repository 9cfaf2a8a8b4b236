import Encodings
package import Engine
package import Inputs
import Reports
import Rules
import Subscriptions

/// Makes a report in CSV of rows that were written with the key `csv`.
///
/// Findings and entities are brought into the order of their tables, which no engine knows; other rows come as they are.
package struct RowsToCSV {
    private let table: String
    private let columns: [String]
    private let storage: Storage
    private static let pieceSize = 64 << 10

    /// - Parameter storage: where findings and entities are sorted.
    /// - Returns: `nil` if there is no such table.
    package init?(_ table: String, _ storage: Storage) {
        guard let found = ReportRequest.Table(rawValue: table), ReportFormat.csv.holds(found) else { return nil }
        self.table = table
        self.storage = storage
        columns = found.schema.columnNames
    }

    /// Writes the header, and the rows of the table. Other lines are skipped, except the one by which the summary says how
    /// many rows there are.
    package func run(_ lines: inout InputLines, write: (Span<UInt8>) throws -> Void) throws {
        var header = CSVRow()
        header.header(columns)
        var output = header.bytes
        func append(_ row: String) throws {
            output.append(contentsOf: row.utf8)
            output.append(contentsOf: "\r\n".utf8)
            guard output.count >= Self.pieceSize else { return }
            try write(output.span)
            output.removeAll(keepingCapacity: true)
        }
        let sorter = table == FraudTable.name ? FindingSorter(storage) : nil
        let entities = table == EntitiesTable.name ? EntitySorter(storage) : nil
        var reader = RowReader(table)
        var (found, end) = (LineCount(), TableEnd?.none)
        while try lines.next() {
            let row: WrittenRow?
            do throws(LineFault) {
                if let other = try TableEnd(lines.line) {
                    if other.table == table { end = other }
                    continue
                }
                row = try reader.row(lines.line)
            } catch {
                throw error.error(at: lines.number)
            }
            guard let row else { continue }
            found.add(LineChecksum.of(lines.line))
            // An open quote would take all rows behind it into its cell.
            guard QuoteScanner.isRow(row.csv.utf8.span, cells: columns.count) else {
                throw StreamError.malformed(line: lines.number, reason: "its csv is not a row of table \(table)")
            }
            if let entities {
                guard let order = row.entity else {
                    throw StreamError.malformed(line: lines.number, reason: "it is not an entity of this version")
                }
                try entities.add(order, row.csv.text)
                continue
            }
            guard let sorter else {
                try append(row.csv.text)
                continue
            }
            guard let finding = row.finding, try sorter.add(finding, row.csv.text) else {
                throw StreamError.malformed(line: lines.number, reason: "it is not a finding of a rule of this version")
            }
        }
        if let end, end.rows != found {
            let (written, read) = (end.rows.count, found.count)
            throw StreamError.incomplete(
                reason:
                    "\(written) rows of \(table) were written and \(read) \(written == read ? "others " : "")are here: "
                    + "give audit rows all of them once")
        }
        try sorter?.forEach(append)
        try entities?.forEachText(append)
        try write(output.span)
    }
}
