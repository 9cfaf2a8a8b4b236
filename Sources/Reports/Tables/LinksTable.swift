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
        .id("finding_id", width: 26) { $0.finding },
        .text("rule", width: 30) { RuleBook.ids[$0.rule] },
        .severity("severity", width: 11) { $0.severity },
        .id("claim_id", width: 26) { $0.facts.claim },
        .text("source", width: 28) { $0.facts.source },
        .text("device_id", width: 38) { $0.facts.device.map { ExactText($0.description) } },
        .text("account_id", width: 38) { $0.facts.accountID },
        .hex("receipt_sha256", width: 67) { $0.facts.receiptSHA256 },
        .code("guid", width: 13) { $0.facts.deviceHash.rawValue },
        .date("presented_at", width: 20) { $0.facts.presentedAt },
    ]
}
