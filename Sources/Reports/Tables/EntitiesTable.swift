import Checks
import Encodings
package import Engine
import Rules

/// The table `entities`: one row for each account, device, person, transaction, receipt and signer that a finding is
/// about, active ones first, then by highest score. It has no limit.
package enum EntitiesTable: ReportTable {
    package static let name = "entities"
    package static let stage = RunStage.entities
    package static let isOnPages = true
    package static let columns: [TableColumn<EntityRow>] = [
        .code("kind", width: 12) { $0.entity.kind.code },
        .text("id", width: 46) { $0.entity.id },
        .decimal("score", width: 9) { DecimalNumber(millionths: Int128($0.score) * 100_000) },
        .severity("worst", width: 11) { $0.worst },
        .number("findings", width: 10) { $0.findings },
        .codes("rules", width: 40) { $0.rules },
        .number("claims", width: 10) { $0.claims },
        .number("valid", width: 10) { $0.valid },
        .number("invalid", width: 10) { $0.invalid },
        .number("unreadable", width: 12) { $0.unreadable },
        .number("devices", width: 10) { $0.devices },
        .number("accounts", width: 11) { $0.accounts },
        .number("apps", width: 8) { $0.apps },
        .amount("at_stake", width: 12) { $0.atStake },
        .text("currency", width: 10) { $0.atStake?.currency },
        .date("first_presented", width: 20) { $0.firstPresented },
        .date("last_presented", width: 20) { $0.lastPresented },
        .flag("new", width: 8) { $0.isNew },
        .id("ring", width: 26) { $0.ring },
        .code("status", width: 10) { $0.status.rawValue },
        .number("unpriced", width: 10) { $0.unpriced },
        .flag("at_stake_at_least", width: 18) { $0.atStake?.isLeast },
        .flag("active", width: 8) { $0.isActive },
    ]

    package static func forEachRow(of run: ReportedRun, _ body: (EntityRow) throws -> Void) throws {
        try run.result?.forEachEntity(body)
    }
}
