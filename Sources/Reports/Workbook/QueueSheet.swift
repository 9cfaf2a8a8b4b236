import Checks
import Encodings
import Engine
import Rules

/// The sheet `Queue`: findings in the order for review, with columns for the reviewer.
///
/// `audit review --import` reads it.
enum QueueSheet: ReportTable {
    static let name = "Queue"
    static let stage = RunStage.findings
    static let columns: [TableColumn<ComparedFinding>] = {
        let widths: [(name: String, width: Double)] = [
            ("severity", 11), ("status", 11), ("rule", 24), ("subject", 40), ("evidence", 80), ("claims", 9),
            ("devices", 9), ("accounts", 10), ("at_stake", 11), ("currency", 10), ("unpriced", 10),
            ("at_stake_at_least", 18), ("change", 11), ("confidence", 12), ("last_presented", 20), ("first_seen", 20),
            ("bundle_id", 28), ("product_id", 34), ("device_id", 38), ("account_id", 38), ("events", 9),
            ("sources", 32), ("finding_id", 27),
        ]
        var columns = widths.compactMap { name, width in
            FraudTable.columns.first { $0.name == name }?.sized(width, wraps: name == "evidence")
        }
        columns.insert(
            .textIfAny("note", "why it was decided so", width: 30, wraps: true) {
                $0.decision.map { ExactText($0.note) }
            },
            at: 2)
        columns.append(.code(recordedStatus, "its status in the ledger", width: 16) { $0.status.rawValue })
        columns.append(.code(recordedAt, "when it was last reviewed", width: 22) { $0.decision?.at.description })
        return columns
    }()

    /// The review in the ledger when the report was written. An import compares it with the ledger at that time. The
    /// date is text, because every program saves text unchanged.
    static let (recordedStatus, recordedAt) = ("recorded_status", "recorded_at")
}
