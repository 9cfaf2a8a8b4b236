package import Engine

/// The table `rule_quality`: how often each rule was right, according to the reviews in the ledger. Empty without a
/// ledger.
package enum RuleQualityTable: ReportTable {
    package static let name = "rule_quality"
    package static let stage = RunStage.figures
    package static let isOnPages = true
    package static let needsFigures = false
    package static let columns: [TableColumn<RuleQuality>] = [
        // A ledger may have findings of rules that this version does not know.
        .text("rule", "the id of the rule", width: 30) { $0.rule },
        .number("findings", "how many findings of it the ledger has", width: 10) { $0.findings },
        .number("reviewed", "how many of them were reviewed", width: 10) { $0.reviewed },
        .number("fraud", "how many were reviewed last as `fraud`", width: 8) { $0.fraud },
        .number("ok", "how many were reviewed last as `ok`", width: 8) { $0.ok },
        .number("watch", "how many were reviewed last as `watch`", width: 8) { $0.watch },
        .decimal("confirmed", "`fraud` ÷ (`fraud` + `ok`); empty if nothing was decided", width: 11) { $0.confirmed },
        .decimal("low", "the lower bound of `confirmed` (Wilson, 95 %)", width: 8) { $0.bounds?.low },
        .decimal("high", "the upper bound of `confirmed` (Wilson, 95 %)", width: 8) { $0.bounds?.high },
    ]

    package static func forEachRow(of run: ReportedRun, _ body: (RuleQuality) throws -> Void) throws {
        try run.summary.ruleQuality.forEach(body)
    }
}
