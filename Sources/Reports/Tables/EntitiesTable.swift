import Checks
import Encodings
package import Engine
import Rules

/// The table `entities`: one row for each account, device, person, transaction, receipt and signer that a finding is about,
/// highest score first. It has no limit.
package enum EntitiesTable {
    package static let schema = TableSchema(
        name: "entities",
        columns: [
            .init("kind", .code, width: 12), .init("id", .text, width: 46), .init("score", .decimal, width: 9),
            .init("worst", .severity, width: 11), .init("findings", .number, width: 10),
            .init("rules", .code, width: 40), .init("claims", .number, width: 10), .init("valid", .number, width: 10),
            .init("invalid", .number, width: 10), .init("unreadable", .number, width: 12),
            .init("devices", .number, width: 10), .init("accounts", .number, width: 11),
            .init("apps", .number, width: 8), .init("at_stake", .decimal, width: 12),
            .init("currency", .text, width: 10), .init("first_presented", .date, width: 20),
            .init("last_presented", .date, width: 20), .init("new", .code, width: 8), .init("ring", .code, width: 26),
            .init("status", .code, width: 10), .init("unpriced", .number, width: 10),
        ])
}

extension EntityRow: TableRow {
    package static var schema: TableSchema { EntitiesTable.schema }

    package func write(to row: inout some CellWriter) { write(to: &row) { _ in } }

    /// Writes a row with more cells after the one of the highest severity.
    func write<Row: CellWriter>(to row: inout Row, afterWorst: (inout Row) -> Void) {
        row.code(entity.kind.code)
        row.text(entity.id)
        row.decimal(DecimalNumber(millionths: Int128(score) * 100_000))
        row.code(worst.code)
        afterWorst(&row)
        row.number(findings)
        row.codes(rules)
        for count in [claims, valid, invalid, unreadable, devices, accounts, apps] { row.number(count) }
        row.amount(atStake)
        row.date(firstPresented)
        row.date(lastPresented)
        row.code(isNew.map { $0 ? "true" : "false" } ?? "")
        row.code(ring?.description ?? "")
        row.code(status.rawValue)
        row.number(unpriced)
    }
}
