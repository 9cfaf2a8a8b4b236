import Encodings
import Engine
import Rules

/// The sheet `Rules`: the documentation of each rule, when it is wrong, and the number of its findings.
enum RuleSheet: ReportTable {
    struct Row {
        let rule: RuleDocumentation
        let findings: Int
        /// The rule's quality according to the ledger, if there is one.
        let quality: RuleQuality?
    }

    static let name = "Rules"
    static let stage = RunStage.findings
    static let columns: [TableColumn<Row>] = [
        .code("rule", "the id of the rule", width: 24) { $0.rule.id.text },
        .number("findings", "how many findings this run has", width: 10) { $0.findings },
        .severity("severity", "the severity, if nothing raises it", width: 11) { $0.rule.severity },
        .code("title", "what a finding says", width: 40, wraps: true) { $0.rule.title },
        .number("in_ledger", "how many findings the ledger has", width: 10) { $0.quality?.findings },
        .number("reviewed", "how many of them were reviewed", width: 10) { $0.quality?.reviewed },
        .number("fraud", "how many were reviewed last as fraud", width: 8) { $0.quality?.fraud },
        .number("ok", "how many were reviewed last as ok", width: 8) { $0.quality?.ok },
        .number("watch", "how many were reviewed last as watch", width: 8) { $0.quality?.watch },
        .decimal("confirmed", "fraud ÷ (fraud + ok)", width: 11) { $0.quality?.confirmed },
        .decimal("low", "the lower bound of confirmed", width: 8) { $0.quality?.bounds?.low },
        .decimal("high", "the upper bound of confirmed", width: 8) { $0.quality?.bounds?.high },
        .code("raised_when", "what raises it", width: 60, wraps: true) {
            ([$0.rule.raisedWhen] + $0.rule.details).joined(separator: "\n")
        },
        .code("why", "why it matters", width: 60, wraps: true) { $0.rule.why },
        .code("when_wrong", "when it is wrong", width: 60, wraps: true) { $0.rule.whenWrong },
        .code("what_to_do", "what to do", width: 60, wraps: true) { $0.rule.whatToDo },
    ]
}
