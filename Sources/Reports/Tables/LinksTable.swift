import Checks
import Encodings
package import Engine
import Inputs
import Rules

/// The table `links`: one row for each finding and claim that it is about, by the ids of both. It has no limit.
package enum LinksTable {
    package static let schema = TableSchema(
        name: "links",
        columns: [
            .init("finding_id", .code, width: 26), .init("rule", .text, width: 30),
            .init("severity", .severity, width: 11), .init("claim_id", .code, width: 26),
            .init("source", .text, width: 28), .init("device_id", .text, width: 38),
            .init("account_id", .text, width: 38), .init("receipt_sha256", .hex, width: 67),
            .init("guid", .code, width: 13), .init("presented_at", .date, width: 20),
        ])
}

extension LinkRow: TableRow {
    package static var schema: TableSchema { LinksTable.schema }

    package func write(to row: inout some CellWriter) {
        row.code(finding.description)
        row.text(RuleBook.ids[rule])
        row.code(severity.code)
        row.code(facts.claim.description)
        row.text(facts.source)
        if let device = facts.device { row.text(device.description) } else { row.empty() }
        row.text(facts.accountID)
        if facts.receiptSHA256.isEmpty { row.empty() } else { row.hex(facts.receiptSHA256.span) }
        row.code(facts.deviceHash.rawValue)
        row.date(facts.presentedAt)
    }
}
