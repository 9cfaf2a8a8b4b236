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
        .code("rule", width: 24) { $0.rule.id.text },
        .number("findings", width: 10) { $0.findings },
        .severity("severity", width: 11) { $0.rule.severity },
        .code("title", width: 40, wraps: true) { $0.rule.title },
        .number("in_ledger", width: 10) { $0.quality?.findings },
        .number("reviewed", width: 10) { $0.quality?.reviewed },
        .number("fraud", width: 8) { $0.quality?.fraud },
        .number("ok", width: 8) { $0.quality?.ok },
        .number("watch", width: 8) { $0.quality?.watch },
        .decimal("confirmed", width: 11) { $0.quality?.confirmed },
        .decimal("low", width: 8) { $0.quality?.bounds?.low },
        .decimal("high", width: 8) { $0.quality?.bounds?.high },
        .code("raised_when", width: 60, wraps: true) { $0.rule.raisedWhen },
        .code("why", width: 60, wraps: true) { $0.rule.why },
        .code("when_wrong", width: 60, wraps: true) { $0.rule.whenWrong },
        .code("what_to_do", width: 60, wraps: true) { $0.rule.whatToDo },
    ]
}
