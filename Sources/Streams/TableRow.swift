import Checks
import Encodings
import Engine
import Files
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
    private let withCSV: Bool
    private let asOf: Instant
    private var columns: [String: [String]] = [:]

    init(_ settings: StreamSettings) {
        withCSV = settings.withCSV
        asOf = settings.expectations.asOf
    }

    /// Writes a finding, of which nobody knows that it was there before.
    mutating func write(_ finding: FindingRow, to bytes: inout [UInt8]) {
        write(FoundRow(finding: ComparedFinding(finding, firstSeen: asOf)), to: &bytes)
    }

    mutating func write<Row: TableRow>(_ row: Row, to bytes: inout [UInt8]) {
        let columns = self.columns[Row.table] ?? ["table"] + Row.columns + (withCSV ? ["csv"] : [])
        self.columns[Row.table] = columns
        var json = JSONRow(columns, appendingTo: bytes.take())
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

/// A finding with the time at which it was found first.
struct FoundRow: TableRow {
    static let table = "fraud"
    static let columns = FraudTable.columns
    let finding: ComparedFinding

    func write(to row: inout some CellWriter) { FraudTable.write(finding, withChange: false, to: &row) }
}

extension ReceiptRow: TableRow {
    static let table = "receipts"
    static let columns = ReceiptsTable.columns

    func write(to row: inout some CellWriter) {
        row.text(source)
        row.text(file)
        row.text(deviceID)
        row.text(accountID)
        row.code(verdict.rawValue)
        row.code(failed.text)
        row.code(rules.risk?.code ?? "")
        row.code(rules.ids)
        row.code(deviceHash.rawValue)
        for text in [environment, bundleID, appVersion, originalAppVersion] {
            if let text { row.text(text) } else { row.empty() }
        }
        for date in [createdAt, expiresAt] {
            if let date { row.date(date) } else { row.empty() }
        }
        if let purchases { row.number(purchases) } else { row.empty() }
        if let signature {
            row.code(signature.signer.text)
            row.code(signature.digest.text)
            row.hex(signature.contentDigest.span)
        } else {
            for _ in 0..<3 { row.empty() }
        }
    }
}

extension SubscriptionRow: TableRow {
    static let table = "subscriptions"

    func write(to row: inout some CellWriter) { SubscriptionsTable.write(self, to: &row) }
}

extension SummaryTable.Row: TableRow {
    static let table = "summary"
    static let columns = SummaryTable.columns
}
