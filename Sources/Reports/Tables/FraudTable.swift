import Checks
public import Encodings
public import Engine
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
            .init("first_seen", .date, width: 20), .init("finding_id", .code, width: 26),
            .init("confidence", .code, width: 12), .init("status", .code, width: 10),
            .init("change", .code, width: 12), .init("events", .number, width: 9),
            .init("bundle_id", .text, width: 28), .init("product_id", .text, width: 34),
            .init("device_id", .text, width: 38), .init("account_id", .text, width: 38),
            .init("at_stake", .decimal, width: 12), .init("currency", .text, width: 10),
            .init("unpriced", .number, width: 10),
        ])

    public static let columns = schema.columnNames

    package static func write(_ compared: ComparedFinding, to row: inout some CellWriter) {
        let found = compared.finding
        row.code(found.severity.code)
        // The rule of a resolved finding comes from the file of an earlier report, and is untrusted.
        row.text(found.rule)
        row.text(found.subject)
        row.number(found.claims)
        row.number(found.devices)
        row.number(found.accounts)
        row.texts(found.sources)
        row.text(found.evidence)
        row.date(compared.firstSeen)
        row.id(found.id)
        row.code(found.confidence.code)
        row.code(compared.status.rawValue)
        row.code(compared.change?.rawValue ?? "")
        row.number(found.events)
        for id in [found.bundleID, found.productID, found.deviceID, found.accountID] as [ExactText?] { row.text(id) }
        row.amount(found.atStake)
        row.number(found.unpriced)
    }
}

extension CellWriter {
    /// Writes the cells `at_stake` and `currency`.
    mutating func amount(_ amount: AmountAtStake?) {
        guard let amount else {
            empty()
            empty()
            return
        }
        let number = DecimalNumber(millionths: Int128(amount.millionths))
        if amount.isLeast { decimal(atLeast: number) } else { decimal(number) }
        text(amount.currency)
    }
}

/// A finding, and how it compares with an earlier report.
public struct ComparedFinding: Sendable {
    public var finding: FindingRow
    /// When it was found first, if that is known.
    public var firstSeen: Instant?
    /// `nil` if there is nothing to compare with.
    public var change: Change?
    /// What reviews say of it.
    public var status = FindingStatus.open
    /// The last review of it, whether or not that still holds.
    public var decision: ReviewDecision?

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
    package func write(to row: inout some CellWriter) { FraudTable.write(self, to: &row) }
}
