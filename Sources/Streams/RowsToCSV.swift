package import Inputs
import Reports
import Rules
import Subscriptions

/// Makes a report in CSV of rows that were written with the key `csv`.
package struct RowsToCSV {
    /// The tables, each with its columns.
    package static let tables = [
        (name: ReceiptRow.table, columns: ReceiptRow.columns), (name: FoundRow.table, columns: FoundRow.columns),
        (name: SubscriptionRow.table, columns: SubscriptionRow.columns),
        (name: SummaryTable.Row.table, columns: SummaryTable.columns),
    ]

    private let table: String
    private let columns: [String]
    private var spelled = ByteArena()

    /// - Returns: `nil` if there is no such table.
    package init?(_ table: String) {
        guard let found = Self.tables.first(where: { $0.name == table }) else { return nil }
        self.table = table
        columns = found.columns
    }

    /// Writes the header, and the rows of the table as they come. Lines that are no rows are passed by.
    package mutating func run(_ lines: inout InputLines, write: (Span<UInt8>) throws -> Void) throws {
        var header = CSVRow()
        header.header(columns)
        var output = header.bytes
        while try lines.next() {
            do throws(LineFault) {
                let line = lines.line
                if line.count > 0, line[0] == UInt8(ascii: "{") { try append(line, to: &output) }
            } catch {
                throw error.error(at: lines.number)
            }
            if output.count >= 64 << 10 {
                try write(output.span)
                output.removeAll(keepingCapacity: true)
            }
        }
        try write(output.span)
    }

    private mutating func append(_ line: Span<UInt8>, to output: inout [UInt8]) throws(LineFault) {
        guard (try? UTF8Span(validating: line)) != nil else { throw .malformed("it is not UTF-8") }
        let found: (table: String, csv: String?)
        do throws(JSONError) {
            found = try row(of: line)
        } catch {
            throw .malformed(error.description)
        }
        guard found.table == table else { return }
        guard let csv = found.csv else { throw .malformed("the row has no key csv: give map and reduce --csv") }
        output.append(contentsOf: csv.utf8)
        output.append(contentsOf: "\r\n".utf8)
    }

    /// What a row says of its table, and of itself as CSV.
    private mutating func row(of line: Span<UInt8>) throws(JSONError) -> (table: String, csv: String?) {
        var scanner = JSONScanner(line)
        spelled.empty()
        var found: (table: String, csv: String?) = ("", nil)
        try scanner.expect("{")
        repeat {
            let name = try scanner.string(spellingInto: &spelled)
            let key = string(name, of: line)
            try scanner.expect(":")
            guard key == "table" || key == "csv" else {
                try scanner.skipValue(arena: &spelled)
                continue
            }
            let text = try scanner.string(spellingInto: &spelled)
            let value = string(text, of: line)
            if key == "table" { found.table = value } else { found.csv = value }
            if found.table != "", found.table != table { return found }
        } while scanner.skip(",")
        try scanner.expect("}")
        return found
    }

    private func string(_ text: JSONText, of line: Span<UInt8>) -> String {
        switch text {
        case .plain(let range):
            return Self.string(line.extracting(range))
        case .spelled(let range):
            let bytes = spelled.span(range)
            return Self.string(bytes)
        }
    }

    /// Bytes that are known to be UTF-8.
    private static func string(_ bytes: Span<UInt8>) -> String {
        guard let text = try? UTF8Span(validating: bytes) else { return "" }
        return String(copying: text)
    }
}
