import Checks
import Encodings
import Engine
import Rules

/// The table `reviews`, only in databases: each decision about a finding of the run, oldest first.
enum ReviewsTable: ReportTable {
    struct Row {
        let finding: FindingID
        let decision: ReviewDecision
    }

    static let name = "reviews"
    static let stage = RunStage.links
    static let columns: [TableColumn<Row>] = [
        .id("finding_id", "the finding", width: 26) { $0.finding },
        .date("reviewed_at", "when it was reviewed, by the clock", width: 20) { $0.decision.at },
        .text("reviewed_by", "who reviewed it", width: 20) { ExactText($0.decision.by) },
        .code("status", "`fraud`, `ok` or `watch`; the last counts", width: 10) { $0.decision.disposition.rawValue },
        .text("note", "why it was decided so", width: 40) { ExactText($0.decision.note) },
        .date("until", "when the finding is open again; NULL if never", width: 20) { $0.decision.until },
    ]

    /// Visits the reviews in a ledger, of findings of any run.
    static func forEachRow(in history: RunHistory, _ body: (Row) throws -> Void) throws {
        let identities = try IdentityHasher()
        try history.forEachReview { name, decision in
            try body(Row(finding: identities.finding(rule: name.rule, subject: name.subject), decision: decision))
        }
        if let failure = identities.failure { throw failure }
    }
}
