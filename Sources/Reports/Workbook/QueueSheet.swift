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
    static let columns: [TableColumn<ComparedFinding>] = [
        .severity("severity", width: 11) { $0.finding.severity },
        .code("status", width: 11) { $0.status.rawValue },
        .textIfAny("note", width: 30, wraps: true) { $0.decision.map { ExactText($0.note) } },
        .text("rule", width: 24) { $0.finding.rule },
        .text("subject", width: 40) { $0.finding.subject },
        .textIfAny("evidence", width: 80, wraps: true) { ExactText($0.finding.evidence) },
        .number("claims", width: 9) { $0.finding.claims },
        .number("devices", width: 9) { $0.finding.devices },
        .number("accounts", width: 10) { $0.finding.accounts },
        .amount("at_stake", width: 11) { $0.finding.atStake },
        .text("currency", width: 10) { $0.finding.atStake?.currency },
        .number("unpriced", width: 10) { $0.finding.unpriced },
        .flag("at_stake_at_least", width: 18) { $0.finding.atStake?.isLeast },
        .code("change", width: 11) { $0.change?.rawValue },
        .code("confidence", width: 12) { $0.finding.confidence.code },
        .date("last_presented", width: 20) { $0.finding.lastPresented },
        .date("first_seen", width: 20) { $0.firstSeen },
        .textIfAny("bundle_id", width: 28) { $0.finding.bundleID },
        .textIfAny("product_id", width: 34) { $0.finding.productID },
        .textIfAny("device_id", width: 38) { $0.finding.deviceID },
        .textIfAny("account_id", width: 38) { $0.finding.accountID },
        .number("events", width: 9) { $0.finding.events },
        .texts("sources", width: 32) { $0.finding.sources },
        .id("finding_id", width: 27) { $0.finding.id },
        .code(recordedStatus, width: 16) { $0.status.rawValue },
        .code(recordedAt, width: 22) { $0.decision?.at.description },
    ]

    /// The review in the ledger when the report was written. An import compares it with the ledger at that time. The
    /// date is text, because every program saves text unchanged.
    static let (recordedStatus, recordedAt) = ("recorded_status", "recorded_at")
}
