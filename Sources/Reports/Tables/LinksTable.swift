import Checks
import Encodings
package import Engine
import Inputs
import Rules

/// The table `links`: one row per finding and claim that it is about, sorted by both ids. It has no limit.
package enum LinksTable: ReportTable {
    package static let name = "links"
    package static let stage = RunStage.links
    package static let columns: [TableColumn<LinkRow>] = [
        .id("finding_id", "the finding, as in [fraud](#fraud)", width: 26) { $0.finding },
        .text("rule", "the rule of the finding", width: 30) { RuleBook.ids[$0.rule] },
        .severity("severity", "the [mark](#marks): the severity for this claim", width: 11) { $0.severity },
        .id("claim_id", "the claim, as in [receipts](#receipts)", width: 26) { $0.facts.claim },
        .text("source", "the source of its first row; of an earlier run, with its date", width: 28) { $0.facts.source },
        .text(
            "device_id", "the matching device, else the smallest usable one", width: 38
        ) { $0.facts.device.map { ExactText($0.description) } },
        .text("account_id", "the account that is claimed; empty for a placeholder", width: 38) { $0.facts.accountID },
        .hex("receipt_sha256", "SHA-256 of the signed content", width: 67) { $0.facts.receiptSHA256 },
        .code("guid", "whether it belongs to the claimed device", width: 13) { $0.facts.deviceHash.rawValue },
        .date("presented_at", "when it was sent, as claimed", width: 20) { $0.facts.presentedAt },
    ]
}
