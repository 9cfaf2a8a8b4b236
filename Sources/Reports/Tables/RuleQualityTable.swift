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
        .text("rule", width: 30) { $0.rule },
        .number("findings", width: 10) { $0.findings },
        .number("reviewed", width: 10) { $0.reviewed },
        .number("fraud", width: 8) { $0.fraud },
        .number("ok", width: 8) { $0.ok },
        .number("watch", width: 8) { $0.watch },
        .decimal("confirmed", width: 11) { $0.confirmed },
        .decimal("low", width: 8) { $0.bounds?.low },
        .decimal("high", width: 8) { $0.bounds?.high },
    ]

    package static func forEachRow(of run: ReportedRun, _ body: (RuleQuality) throws -> Void) throws {
        try run.summary.ruleQuality.forEach(body)
    }
}
