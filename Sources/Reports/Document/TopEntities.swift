import Encodings
import Engine
import Rules

/// The first rows of the table `entities`, as many as a person reads, and how many there are.
struct TopEntities {
    private static let maxRows = 100

    private var rows: [EntityRow] = []
    private var count = 0

    mutating func add(_ row: EntityRow) {
        count += 1
        if rows.count < Self.maxRows { rows.append(row) }
    }

    var section: Summary.Section {
        var explanation = "Accounts, devices, persons, transactions, receipts and signers that findings are about, "
        explanation += "highest score first. "
        if count > rows.count {
            explanation += "These are \(grouped(rows.count)) of \(grouped(count)); "
            explanation += "all are in a report of their own, `--report entities=FILE.csv`. "
        }
        return Summary.Section(
            "entities", "By score", explanation,
            columns: [
                "entity", "id", "score", "worst", "findings", "claims", "valid", "devices", "accounts", "at stake",
                "rules",
            ],
            rows: rows.map { Self.cells($0) })
    }

    private static func cells(_ row: EntityRow) -> [Summary.Cell] {
        let score = DecimalNumber(millionths: Int128(row.score) * 100_000).description
        let amount = row.atStake.map { Summary.Cell.money($0.millionths, currency: $0.currency) }
        return [
            .code(row.entity.kind.code), .text(row.entity.id), .code(score), .code(row.worst.code),
            .number(row.findings), .number(row.claims), .number(row.valid), .number(row.devices),
            .number(row.accounts), amount ?? .none, .code(row.rules.replacing(";", with: ", ")),
        ]
    }
}
