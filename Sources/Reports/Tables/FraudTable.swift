public import Encodings
public import Rules

/// The table `fraud`: one row per finding, worst first.
public enum FraudTable {
    package static let schema = TableSchema(
        name: "fraud",
        columns: [
            .init("severity", .severity, width: 11), .init("rule", .text, width: 30),
            .init("subject", .text, width: 46), .init("claims", .number, width: 10),
            .init("devices", .number, width: 10), .init("accounts", .number, width: 11),
            .init("sources", .text, width: 32), .init("evidence", .text, width: 80),
            .init("first_seen", .date, width: 20),
        ])

    /// The schema if there is an earlier report to compare with.
    package static let schemaWithBaseline = TableSchema(
        name: schema.name, columns: schema.columns + [.init("change", .code, width: 12)])

    public static let columns = schema.columnNames

    package static func write(_ finding: ComparedFinding, withChange: Bool, to row: inout some CellWriter) {
        let found = finding.finding
        row.code(found.severity.code)
        // The rule of a resolved finding comes from the file of an earlier report, and is untrusted.
        row.text(found.rule)
        row.text(found.subject)
        row.number(found.claims)
        row.number(found.devices)
        row.number(found.accounts)
        row.text(found.sources.map(\.text).joined(separator: ";"))
        row.text(found.evidence)
        row.date(finding.firstSeen)
        if withChange { row.code(finding.change?.rawValue ?? "") }
    }
}

/// A finding, and how it compares with an earlier report.
public struct ComparedFinding: Sendable {
    public var finding: FindingRow
    /// When it was found first, if that is known.
    public var firstSeen: Instant?
    /// `nil` if there is nothing to compare with.
    public var change: Change?

    public init(_ finding: FindingRow, firstSeen: Instant? = nil, change: Change? = nil) {
        self.finding = finding
        self.firstSeen = firstSeen
        self.change = change
    }

    public enum Change: String, Sendable {
        case new
        case persisting
        case resolved
    }
}

extension ComparedFinding: TableRow {
    package static var schema: TableSchema { FraudTable.schema }
    package func write(to row: inout some CellWriter) { FraudTable.write(self, withChange: false, to: &row) }
}
