import Encodings
import Engine
import Rules

/// The reviewed findings of a run, each with its last decision: a limited number, most severe first.
struct DecidedFindings {
    struct Row {
        let finding: QueuedFinding
        let decision: ReviewDecision
    }

    /// The maximum number of kept findings.
    static let maxRows = 1000

    private(set) var rows: [Row] = []
    private(set) var count = 0

    mutating func add(_ compared: ComparedFinding) {
        guard let decision = compared.decision, compared.change != .resolved else { return }
        count += 1
        guard rows.count < Self.maxRows else { return }
        rows.append(Row(finding: QueuedFinding(compared, maxEvidence: 0), decision: decision))
    }

    private static let explanation =
        "The last decision about each finding of this run, by `audit review`. What is fraud or ok is not in the queue."

    /// Returns the first of them as a table; `nil` if there are none.
    func section(_ max: Int) -> Summary.Section? {
        guard count > 0 else { return nil }
        let shown = rows.prefix(max)
        var explanation = Self.explanation
        if shown.count < count {
            explanation += " These are \(grouped(shown.count)) of \(grouped(count)), the most severe: "
            explanation += "`audit history --reviews` has all, and `audit show` those of one subject."
        }
        return Summary.Section(
            "decisions", "Decisions", explanation, columns: Self.columns,
            rows: shown.map { row in
                [
                    .code(row.finding.severity.code), .text(ExactText(row.finding.rule)),
                    .text(ExactText(row.finding.subject)), .code(row.finding.status),
                    .code(row.decision.disposition.rawValue), .date(row.decision.at),
                    .text(ExactText(row.decision.by)), .text(ExactText(row.decision.note)),
                ]
            })
    }

    private static let columns = ["severity", "rule", "subject", "status", "decided", "at", "by", "note"]
}
