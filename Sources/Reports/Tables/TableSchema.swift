import Files
import Subscriptions

/// The name of a table and its columns, from which every format takes them.
package struct TableSchema: Sendable {
    package let name: String
    package let columns: [Column]

    package var columnNames: [String] { columns.map(\.name) }

    package struct Column: Sendable {
        package enum Kind: Sendable { case text, code, verdict, severity, number, decimal, date, hex }

        package let name: String
        package let kind: Kind
        /// The width on a sheet, in characters: enough for most cells. Longer text is shown in full where it is edited.
        let width: Double
        /// Whether a sheet shows all of its text, on several lines.
        let wraps: Bool

        init(_ name: String, _ kind: Kind, width: Double, wraps: Bool = false) {
            self.name = name
            self.kind = kind
            self.width = width
            self.wraps = wraps
        }

        /// Whether its cells stay texts when they are edited: ids, versions and months may look like numbers and dates.
        var isIdentifier: Bool { kind == .text || kind == .code || kind == .hex }
    }

    /// All tables.
    package static let all = ReportRequest.Table.allCases.map(\.schema)
    /// The tables whose rows are cells.
    package static let inCSV = ReportRequest.Table.allCases.filter { ReportFormat.csv.holds($0) }.map(\.schema)
}

extension ReportRequest.Table {
    /// The registry: a new table is a file with its schema and how its rows are written, and its case here.
    var schema: TableSchema {
        switch self {
        case .receipts: ReceiptsTable.schema
        case .fraud: FraudTable.schema
        case .links: LinksTable.schema
        case .entities: EntitiesTable.schema
        case .subscriptions: SubscriptionsTable.schema
        case .purchases: PurchasesTable.schema
        case .evidence: EvidenceTable.schema
        case .answers: AnswersTable.schema
        case .retention: RetentionRow.schema
        case .metrics: MetricRow.schema
        case .summary: SummaryTable.schema
        }
    }
}

/// A row of a table, which any format can write.
package protocol TableRow {
    static var schema: TableSchema { get }
    func write(to row: inout some CellWriter)
}

/// Writes rows of any table as lines of NDJSON, each with its `table` and, if wanted, the same row as CSV in `csv`.
package struct TableLineWriter {
    private let withCSV: Bool
    private var keys: [String: [String]] = [:]

    package init(withCSV: Bool) { self.withCSV = withCSV }

    /// Appends the line of a row.
    package mutating func write<Row: TableRow>(_ row: Row, to bytes: inout [UInt8]) {
        let schema = Row.schema
        let keys = self.keys[schema.name] ?? ["table"] + schema.columnNames + (withCSV ? ["csv"] : [])
        self.keys[schema.name] = keys
        var json = JSONRow(keys, appendingTo: bytes.take())
        json.code(schema.name)
        row.write(to: &json)
        if withCSV {
            var csv = CSVRow()
            row.write(to: &csv)
            json.text(String(decoding: csv.bytes, as: UTF8.self))
        }
        json.endRow()
        bytes = json.takeBytes()
        bytes.append(0x0a)
    }
}
