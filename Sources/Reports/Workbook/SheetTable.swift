import Checks
import Rules

/// What a table looks like on a sheet: its name and its columns.
struct SheetTable {
    let name: String
    let columns: [Column]

    struct Column {
        var name: String
        /// In characters.
        var width: Double
        /// The colours of words in this column.
        var colors: [String: WorkbookStyle]
    }

    /// - Parameter columns: their names, by which width and colours are known.
    init(_ name: String, _ columns: [String]) {
        self.name = name
        self.columns = columns.map { column in
            Column(name: column, width: Self.widths[column] ?? 16, colors: Self.colors[column] ?? [:])
        }
    }

    static let receipts = SheetTable("receipts", ReceiptsTable.columns)

    static let subscriptions = SheetTable("subscriptions", SubscriptionsTable.columns)

    static func fraud(withChange: Bool) -> SheetTable {
        SheetTable("fraud", withChange ? FraudTable.columnsWithBaseline : FraudTable.columns)
    }

    /// Wide enough for what mostly stands there; what is longer can be seen in full where the cell is edited.
    private static let widths: [String: Double] = [
        "source": 28, "file": 34, "device_id": 38, "account_id": 38, "verdict": 12, "failed_checks": 26, "risk": 10,
        "rules": 34, "guid": 13, "environment": 18, "bundle_id": 28, "app_version": 13, "original_app_version": 21,
        "created_at": 20, "expires_at": 20, "purchases": 12, "signer": 20, "digest": 9, "receipt_sha256": 67,
        "severity": 11, "rule": 30, "subject": 46, "claims": 10, "devices": 10, "accounts": 11, "sources": 32,
        "evidence": 80, "first_seen": 20, "change": 12,
        "original_transaction_id": 24, "last_transaction_id": 22, "product_id": 34, "state": 15, "started_at": 20,
        "periods": 10, "trials": 9, "intro_offers": 14, "refunds": 10, "lapses": 9, "product_changes": 18,
        "evidence_at": 20,
    ]

    private static let colors: [String: [String: WorkbookStyle]] = [
        "verdict": ofVerdicts, "risk": ofSeverities, "severity": ofSeverities,
    ]

    private static let ofVerdicts = Dictionary(
        uniqueKeysWithValues: Verdict.allCases.map { ($0.rawValue, WorkbookStyle.color($0.color)) })

    private static let ofSeverities = Dictionary(
        uniqueKeysWithValues: Severity.allCases.map { ($0.code, WorkbookStyle.color($0.color)) })
}

extension Verdict {
    var color: WorkbookStyle.Color {
        switch self {
        case .valid: .good
        case .invalid: .bad
        case .unreadable: .doubtful
        }
    }
}

extension Severity {
    var color: WorkbookStyle.Color {
        switch self {
        case .critical: .worst
        case .high: .bad
        case .medium: .doubtful
        case .low: .mild
        case .info: .faint
        }
    }
}
