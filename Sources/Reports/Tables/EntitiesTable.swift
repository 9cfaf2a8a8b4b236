import Checks
import Encodings
package import Engine
import Rules

/// The table `entities`: one row for each account, device, person, transaction, receipt and signer that a finding is
/// about, by highest score. It has no limit.
package enum EntitiesTable: ReportTable {
    package static let name = "entities"
    package static let stage = RunStage.entities
    package static let isOnPages = true
    package static let columns: [TableColumn<EntityRow>] = [
        .code("kind", "account, device, person, transaction, receipt or signer", width: 12) { $0.entity.kind.code },
        .text("id", "as in subjects of findings; of a signer, its certificate's SHA-256", width: 46) { $0.entity.id },
        .decimal(
            "score", "the points of what was found: see [scores](#scores)", width: 9
        ) { DecimalNumber(millionths: Int128($0.score) * 100_000) },
        .severity("worst", "the highest severity of a [mark](#marks) on its claims", width: 11) { $0.worst },
        .number("findings", "the number of distinct findings", width: 10) { $0.findings },
        .codes("rules", "the rules of these findings", width: 40) { $0.rules },
        .number("claims", "the number of distinct claims", width: 10) { $0.claims },
        .number("valid", "the number of distinct valid claims", width: 10) { $0.valid },
        .number("invalid", "the number of distinct invalid claims", width: 10) { $0.invalid },
        .number("unreadable", "the number of distinct unreadable claims", width: 12) { $0.unreadable },
        .number("devices", "the number of distinct devices that these claims name", width: 10) { $0.devices },
        .number("accounts", "the number of distinct accounts that these claims name", width: 11) { $0.accounts },
        .number("apps", "the number of distinct apps of the genuine ones", width: 8) { $0.apps },
        .amount("at_stake", "the price of the transactions at stake in its findings", width: 12) {
            $0.atStake?.millionths
        },
        .text("currency", "the currency of `at_stake`", width: 10) { $0.atStake?.currency },
        .date("first_presented", "the earliest `presented_at` of these claims", width: 20) { $0.firstPresented },
        .date("last_presented", "the latest `presented_at` of these claims", width: 20) { $0.lastPresented },
        .flag("new", "with `--state` or `--baseline`: whether a finding is new", width: 8) { $0.isNew },
        .id("ring", "the `finding_id` of its `fraud-ring`", width: 26) { $0.ring },
        .code("status", "the most urgent status of its findings", width: 10) { $0.status.rawValue },
        .number("unpriced", "how many of the transactions have no price in that currency", width: 10) { $0.unpriced },
        .flag("at_stake_at_least", "whether `at_stake` is a lower bound", width: 18) { $0.atStake?.isLeast },
        .flag("active", "whether a claim was presented in the last 30 days", width: 8) { $0.isActive },
    ]

    package static func forEachRow(of run: ReportedRun, _ body: (EntityRow) throws -> Void) throws {
        try run.result?.forEachEntity(body)
    }
}
