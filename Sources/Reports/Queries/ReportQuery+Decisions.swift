import Checks
import Encodings
import Engine
import Rules
import SQLite

extension ReportQuery {
    static let decisions = ReportQuery(
        name: "decisions", meaning: "The last decision about each finding of the run that was reviewed.",
        columns: [
            ("decided", "TEXT", "fraud, ok or watch"), ("at", "TEXT", "when, by the clock"),
            ("by", "TEXT", "who decided"), ("note", "TEXT", "why it was decided so"),
        ],
        tables: [("f", "fraud")],
        // For columns beside max, SQLite uses the row with the maximum.
        sql: """
            SELECT f.severity, f.rule, f.subject, f.status, r.status AS decided, r.reviewed_at AS at, r.reviewed_by AS "by",
                r.note, f.finding_id
            FROM (SELECT finding_id, status, reviewed_at, reviewed_by, note, max(rowid) FROM reviews GROUP BY finding_id) AS r
            JOIN fraud AS f ON f.finding_id = r.finding_id
            WHERE f.change IS NOT 'resolved' ORDER BY f.rowid
            """)
}

/// The reviewed findings of a run, each with its last decision: a limited number, most severe first.
struct DecidedFindings {
    /// The maximum number of kept findings.
    static let maxRows = 1000

    fileprivate(set) var rows: [[Summary.Cell]] = []
    /// The findings of the rows.
    fileprivate(set) var findings: [FindingID?] = []
    /// See ``QueuedFinding/recorded``.
    fileprivate(set) var recorded: [String] = []
    fileprivate(set) var count = 0

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
            "decisions", "Decisions", explanation, columns: Self.columns, rows: Array(shown))
    }

    private static let columns = ["severity", "rule", "subject", "status", "decided", "at", "by", "note"]
}

extension StoredReport {
    func decisions() throws -> DecidedFindings {
        var decided = DecidedFindings()
        decided.count = try count("decisions")
        try reader.forEachRow("SELECT * FROM decisions LIMIT \(DecidedFindings.maxRows)") { row in
            let text = { (column: String, limit: Int) in
                Summary.Cell.text(ExactText(TextLayout.safe(row.text(column), limit: limit)))
            }
            decided.findings.append(FindingID(ExactText(row.text("finding_id"))))
            decided.recorded.append("\(row.text("status")) \(row.date("at")?.description ?? "")")
            decided.rows.append([
                .code(row.text("severity")), text("rule", 100), text("subject", 200), .code(row.text("status")),
                .code(row.text("decided")), row.date("at").map { .date($0) } ?? .none,
                .text(ExactText(row.text("by"))), .text(ExactText(row.text("note"))),
            ])
        }
        return decided
    }
}
