import Checks
import Encodings
import Engine
import Rules

/// The table `fraud`: one row per finding, by severity, confidence, rule and subject.
package enum FraudTable: ReportTable {
    package static let name = "fraud"
    package static let stage = RunStage.findings
    package static let isOnPages = true
    package static let columns: [TableColumn<ComparedFinding>] = [
        .severity("severity", width: 11) { $0.finding.severity },
        // The rule of a resolved finding comes from the file of an earlier report, and is untrusted.
        .text("rule", width: 30) { $0.finding.rule },
        .text("subject", width: 46) { $0.finding.subject },
        .number("claims", width: 10) { $0.finding.claims },
        .number("devices", width: 10) { $0.finding.devices },
        .number("accounts", width: 11) { $0.finding.accounts },
        .texts("sources", width: 32) { $0.finding.sources },
        .text("evidence", width: 80) { ExactText($0.finding.evidence) },
        .date("first_seen", width: 20) { $0.firstSeen },
        .id("finding_id", width: 26) { $0.finding.id },
        .code("confidence", width: 12) { $0.finding.confidence.code },
        .code("status", width: 10) { $0.status.rawValue },
        .code("change", width: 12) { $0.change?.rawValue },
        .number("events", width: 9) { $0.finding.events },
        .textIfAny("bundle_id", width: 28) { $0.finding.bundleID },
        .textIfAny("product_id", width: 34) { $0.finding.productID },
        .textIfAny("device_id", width: 38) { $0.finding.deviceID },
        .textIfAny("account_id", width: 38) { $0.finding.accountID },
        .amount("at_stake", width: 12) { $0.finding.atStake },
        .text("currency", width: 10) { $0.finding.atStake?.currency },
        .number("unpriced", width: 10) { $0.finding.unpriced },
        .flag("at_stake_at_least", width: 18) { $0.finding.atStake?.isLeast },
        .date("last_presented", width: 20) { $0.finding.lastPresented },
    ]
}
