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
        .severity("severity", "`info`, `low`, `medium`, `high` or `critical`", width: 11) { $0.finding.severity },
        // The rule of a resolved finding comes from the file of an earlier report, and is untrusted.
        .text("rule", "the id of the rule; it never changes", width: 30) { $0.finding.rule },
        .text(
            "subject", "what it concerns, after `claim:`, `receipt:`, `transaction:`, `device:` and so on", width: 46
        ) { $0.finding.subject },
        .number("claims", "the number of distinct claims involved", width: 10) { $0.finding.claims },
        .number("devices", "the number of distinct devices involved", width: 10) { $0.finding.devices },
        .number("accounts", "the number of distinct accounts involved", width: 11) { $0.finding.accounts },
        .texts("sources", "the sources of the first ten claims", width: 32) { $0.finding.sources },
        .text("evidence", "what was observed, in words", width: 80) { ExactText($0.finding.evidence) },
        .date("first_seen", "the reference time of the first run that reported it", width: 20) { $0.firstSeen },
        .id("finding_id", "names rule and subject: the same in every run", width: 26) { $0.finding.id },
        .code("confidence", "`likely`, `possible` or `doubtful`", width: 12) { $0.finding.confidence.code },
        .code("status", "`open`, `fraud`, `ok`, `watch` or `reopened`", width: 10) { $0.status.rawValue },
        .code("change", "since earlier runs: `new`, `persisting` or `resolved`", width: 12) { $0.change?.rawValue },
        .number("events", "how many transactions are concerned, or else 1", width: 9) { $0.finding.events },
        .textIfAny("bundle_id", "the app; the first, if there are several", width: 28) { $0.finding.bundleID },
        .textIfAny("product_id", "the product; the first, if there are several", width: 34) { $0.finding.productID },
        .textIfAny("device_id", "the device, if all claims name it and it matches", width: 38) { $0.finding.deviceID },
        .textIfAny("account_id", "the account, if all claims name one", width: 38) { $0.finding.accountID },
        .amount(
            "at_stake", "the [price](../docs/figures.md#money-at-stake) of the transactions concerned", width: 12
        ) { $0.finding.atStake?.millionths },
        .text("currency", "the currency of `at_stake`", width: 10) { $0.finding.atStake?.currency },
        .number("unpriced", "how many transactions have no price in that currency", width: 10) { $0.finding.unpriced },
        .flag("at_stake_at_least", "whether `at_stake` is a lower bound", width: 18) { $0.finding.atStake?.isLeast },
        .date("last_presented", "the latest `presented_at` of its claims", width: 20) { $0.finding.lastPresented },
    ]
}
