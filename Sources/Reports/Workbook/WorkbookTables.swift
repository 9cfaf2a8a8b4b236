import Checks
import Encodings
import Engine
import Rules

/// The sheet `Queue`: findings in the order in which somebody decides about them, with what he fills in.
///
/// `audit review --import` reads it.
enum QueueTable {
    static let schema = TableSchema(
        name: "Queue",
        columns: [
            .init("severity", .severity, width: 11), .init("status", .code, width: 11),
            .init("note", .text, width: 30, wraps: true), .init("rule", .text, width: 24),
            .init("subject", .text, width: 40), .init("evidence", .text, width: 80, wraps: true),
            .init("claims", .number, width: 9), .init("devices", .number, width: 9),
            .init("accounts", .number, width: 10), .init("at_stake", .decimal, width: 11),
            .init("currency", .text, width: 10), .init("unpriced", .number, width: 10),
            .init("change", .code, width: 11), .init("first_seen", .date, width: 20),
            .init("confidence", .code, width: 12), .init("bundle_id", .text, width: 28),
            .init("product_id", .text, width: 34), .init("device_id", .text, width: 38),
            .init("account_id", .text, width: 38), .init("events", .number, width: 9),
            .init("sources", .text, width: 32), .init("finding_id", .code, width: 27),
            .init("recorded_status", .code, width: 16), .init("recorded_at", .code, width: 22),
        ])

    /// What the ledger had when the report was written: an import compares it with what the ledger has by then. The date
    /// is text, which every program saves as it is.
    static let (recordedStatus, recordedAt) = ("recorded_status", "recorded_at")

    static func write(_ compared: ComparedFinding, to row: inout some CellWriter) {
        let found = compared.finding
        row.code(found.severity.code)
        row.code(compared.status.rawValue)
        if let note = compared.decision?.note, !note.isEmpty { row.text(note) } else { row.empty() }
        row.text(found.rule)
        row.text(found.subject)
        row.text(found.evidence)
        for count in [found.claims, found.devices, found.accounts] { row.number(count) }
        row.amount(found.atStake)
        row.number(found.unpriced)
        row.code(compared.change?.rawValue ?? "")
        row.date(compared.firstSeen)
        row.code(found.confidence.code)
        for id in [found.bundleID, found.productID, found.deviceID, found.accountID] as [ExactText?] { row.text(id) }
        row.number(found.events)
        row.texts(found.sources)
        row.id(found.id)
        row.code(compared.status.rawValue)
        row.code(compared.decision?.at.description ?? "")
    }
}

/// The sheet `Entities`: the table, and for the first entities what was found, as on their cards on a page.
enum EntityTable {
    static let schema: TableSchema = {
        var columns = EntitiesTable.schema.columns
        let worst = columns.firstIndex { $0.name == "worst" } ?? 0
        columns.insert(.init("evidence", .text, width: 90, wraps: true), at: worst + 1)
        return TableSchema(name: "Entities", columns: columns)
    }()

    /// - Parameter evidence: what was found, a finding a line.
    static func write(_ entity: EntityRow, evidence: [String], to row: inout some CellWriter) {
        entity.write(to: &row) { row in
            if evidence.isEmpty { row.empty() } else { row.text(evidence.joined(separator: "\n")) }
        }
    }
}

/// The sheet `Rules`: what each rule says, when it is wrong, and how much it found.
enum RuleTable {
    static let schema = TableSchema(
        name: "Rules",
        columns: [
            .init("rule", .text, width: 24), .init("findings", .number, width: 10),
            .init("severity", .severity, width: 11), .init("title", .text, width: 40, wraps: true),
            .init("raised_when", .text, width: 60, wraps: true), .init("why", .text, width: 60, wraps: true),
            .init("when_wrong", .text, width: 60, wraps: true), .init("what_to_do", .text, width: 60, wraps: true),
        ])

    static func write(_ rule: RuleDocumentation, findings: Int, to row: inout some CellWriter) {
        row.code(rule.id.text)
        row.number(findings)
        row.code(rule.severity.code)
        for text in [rule.title, rule.raisedWhen, rule.why, rule.whenWrong, rule.whatToDo] { row.code(text) }
    }
}

extension TableSchema {
    /// Returns the schema under the name of its sheet.
    func titled(_ name: String) -> TableSchema { TableSchema(name: name, columns: columns) }
}
