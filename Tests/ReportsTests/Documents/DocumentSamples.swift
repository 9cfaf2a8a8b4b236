import Encodings
import Inputs
import Rules

@testable import Reports

/// A small report with everything that a report may hold, and one stranger's text wherever one can stand.
enum DocumentSamples {
    static func document(_ text: String = "x", table: ReportRequest.Table? = nil) -> ReportDocument {
        var findings = FindingGroups()
        for (number, rule) in ["shared-receipt", "forged-signature", text].enumerated() {
            findings.take(compared(text, rule: rule, number == 2 ? .low : .critical, .new))
        }
        findings.take(compared(text, rule: text, .high, .resolved))
        return ReportDocument(table: table, summary: summary(text), findings: findings, withChange: true)
    }

    static func compared(
        _ text: String, rule: String, _ severity: Severity, _ change: ComparedFinding.Change? = nil
    ) -> ComparedFinding {
        let row = FindingRow(
            severity: severity, rule: ExactText(rule), subject: ExactText(text), claims: 2, devices: 2, accounts: 0,
            sources: [ExactText(text), ExactText(text)], evidence: text)
        return ComparedFinding(row, firstSeen: change.map { _ in asOf }, change: change)
    }

    static let asOf = Instant(seconds: 1_782_777_600)  // 2026-06-30

    static func summary(_ text: String) -> Summary {
        var run = RunDescription(version: "1", openSSL: "3", asOf: asOf, inputs: [text, "b"], roots: ["ab12"])
        run.rootFiles = [text]
        run.policy = (file: text, sha256: "cd34")
        return Summary(sections: [Summary.description(run, claims: 1000)] + sections(text))
    }

    private static func sections(_ text: String) -> [Summary.Section] {
        [
            .init(
                "verdicts", "Claims by verdict", columns: ["verdict", "claims", "share"],
                rows: [
                    [.code("valid"), .number(900), .share(900, of: 1000)],
                    [.code("invalid"), .number(100), .share(100, of: 1000)],
                ]),
            .init(
                "findings", "Findings", columns: ["rule", "severity", "findings", "title"],
                rows: [[.code("forged-signature"), .code("critical"), .number(2), .code("A | title")]]),
            .init(
                "severities", "Findings by severity", columns: ["severity", "findings"],
                rows: [[.code("critical"), .number(2)], [.code("low"), .number(1)]]),
            .init("apps", "Apps", columns: ["bundle id", "claims"], rows: [[.text(ExactText(text)), .number(3)]]),
            .init(
                "months", "Months", columns: ["month", "valid", "invalid"],
                rows: [[.code("2026-01"), .number(7), .number(3)], [.code("2026-06"), .number(2), .number(0)]]),
            .init(
                "subscription-movement", "Movement", columns: ["month", "started", "lost", "churn"],
                rows: (1...6).map { [.code("2026-0\($0)"), .number(9 * $0), .number(4), .share(4, of: 9 * $0)] }),
            .init(
                "subscription-retention", "Retention", columns: ["cohort"] + (1...8).map(String.init),
                rows: (1...8).map { cohort in
                    [.code("2026-0\(cohort)")] + (1...8).map { $0 > cohort ? .none : .share(20 - 2 * $0, of: 20) }
                }),
            .init(
                "subscription-wide", "Wide", columns: ["app", "one", "two", "three"],
                rows: [[.text(ExactText(text)), .share(1, of: 2), .share(1, of: 3), .share(0, of: 0)]]),
            .init(
                "skipped", "Skipped", columns: ["what", "count", "name"],
                rows: [[.code("a"), .none, .text(ExactText(text))]]),
        ]
    }
}

extension DocumentWriter {
    /// The whole page, with these rows of the table `receipts` in it.
    static func text(of document: ReportDocument, receipts rows: String = "") -> String {
        let (before, behind) = parts(of: document)
        return before + rows + behind
    }
}
