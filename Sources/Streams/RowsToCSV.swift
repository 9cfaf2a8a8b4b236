import Encodings
package import Engine
package import Inputs
import Reports
import Rules
import Subscriptions

/// Makes a report in CSV from rows that were written with the key `csv`.
///
/// Rows of tables with a defined order are sorted (``RowSorter``); others keep the order of the input.
package struct RowsToCSV {
    private let table: String
    private let columns: [String]
    private let storage: Storage
    private let needsEnd: Bool
    private static let pieceSize = 64 << 10

    /// - Parameters:
    ///   - storage: the storage for sorting rows.
    ///   - needsEnd: whether a line with the number of rows is required.
    /// - Returns: `nil` if there is no such table.
    package init?(_ table: String, _ storage: Storage, needsEnd: Bool = false) {
        guard let found = ReportRequest.Table(rawValue: table), ReportFormat.csv.holds(found) else { return nil }
        self.table = table
        self.storage = storage
        self.needsEnd = needsEnd
        columns = found.schema.columnNames
    }

    /// Writes the header, and the rows of the table. Skips other lines, except the summary's line with the number of
    /// rows.
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
        let sorter = RowSorter(table, storage)
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
            // An open quote would take all following rows into its cell.
            guard QuoteScanner.isRow(row.csv.utf8.span, cells: columns.count) else {
                throw StreamError.malformed(line: lines.number, reason: "its csv is not a row of table \(table)")
            }
            guard let sorter else {
                try append(row.csv.text)
                continue
            }
            if let missed = try sorter.add(row) {
                throw StreamError.malformed(line: lines.number, reason: "it is not \(missed)")
            }
        }
        guard end != nil || !needsEnd else {
            throw StreamError.incomplete(
                reason: "no line says how many rows of \(table) there are: give audit rows what the last reduce wrote")
        }
        if let end, end.rows != found {
            let (written, read) = (end.rows.count, found.count)
            throw StreamError.incomplete(
                reason:
                    "\(written) rows of \(table) were written and \(read) \(written == read ? "others " : "")are here: "
                    + "give audit rows all of them once")
        }
        try sorter?.forEach(end, of: found.count, append)
        try write(output.span)
    }
}
