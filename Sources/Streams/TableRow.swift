import Encodings
import Reports
import Rules
import Subscriptions

/// A row of one of the tables, as it stands in reports.
protocol TableRow {
    static var table: String { get }
    static var columns: [String] { get }
    func write(to row: inout some CellWriter)
}

/// Writes rows as lines of NDJSON, each with its `table`, and if it is wanted with the same row as CSV in `csv`.
struct RowWriter {
    let withCSV: Bool
    private var columns: [String: [String]] = [:]

    init(withCSV: Bool) { self.withCSV = withCSV }

    mutating func write<Row: TableRow>(_ row: Row, to bytes: inout [UInt8]) {
        let columns = self.columns[Row.table] ?? ["table"] + Row.columns + (withCSV ? ["csv"] : [])
        self.columns[Row.table] = columns
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        var json = JSONRow(columns, appendingTo: taken)
        json.code(Row.table)
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

extension FindingRow: TableRow {
    static let table = "fraud"
    static let columns = FraudTable.columns

    func write(to row: inout some CellWriter) { FraudTable.write(ComparedFinding(self), withChange: false, to: &row) }

    init(_ finding: Finding) {
        let involved = finding.involved
        self.init(
            severity: finding.severity, rule: finding.ruleID, subject: finding.subject, claims: involved.claims,
            devices: involved.devices.count, accounts: involved.accounts.count, sources: involved.sources.names,
            evidence: finding.evidence)
    }
}

extension SubscriptionRow: TableRow {
    static let table = "subscriptions"

    func write(to row: inout some CellWriter) { SubscriptionsTable.write(self, to: &row) }
}

/// A number of the table `summary`.
struct SummaryRow: TableRow {
    static let table = "summary"
    static let columns = SummaryTable.columns

    let cells: (inout any CellWriter) -> Void

    func write<Row: CellWriter>(to row: inout Row) {
        var any: any CellWriter = row
        cells(&any)
        if let written = any as? Row { row = written }
    }
}
