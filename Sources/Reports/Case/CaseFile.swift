import Encodings
import Engine
import Rules
import SQLite

/// Everything in a SQLite report about one subject, for a file to hand over: who it is, the timeline, with whom, every
/// finding, the money, the decisions, and how to repeat the run.
///
/// Long lists are truncated, and their rows are counted.
public struct CaseFile {
    let subject: ShownSubject
    /// The timeline, oldest first: the first events and the last ones.
    let timeline: [DatabaseReader.Row]
    /// The number of events.
    let events: Int
    /// The section `run` of the summary: `item` and `value`.
    let run: [(item: String, value: String)]

    /// The maximum lengths of lists. The claims are in the appendix.
    enum Limit {
        static let findings = 1000
        static let claims = 500
        static let others = 20
        static let purchases = 40
        static let decisions = 40
        static let events = 24
    }

    /// - Parameters:
    ///   - subject: a subject as in reports (`account:alice`), or an id alone.
    ///   - path: a report in SQLite.
    /// - Throws: ``ShownSubject/Failure``, or `FileError` if the report cannot be read.
    public init(_ subject: String, in path: String) throws {
        let reader = try DatabaseReader(path, application: SQLiteSchema.application)
        let limits = ShownSubject.Limits(
            findings: Limit.findings, claims: Limit.claims, others: Limit.others, purchases: Limit.purchases,
            decisions: Limit.decisions)
        self.subject = try ShownSubject(subject, reader, path, limits)
        let (queries, id) = (ShownQueries(kind: self.subject.kind), self.subject.id)
        let total = try reader.rows("SELECT count(*) FROM (\(queries.events))", [id]).first?.first?.value.number ?? 0
        events = Int(total)
        if events <= Limit.events {
            timeline = try reader.rows("\(queries.events) ORDER BY at, place, a, b, c", [id])
        } else {
            let half = "LIMIT \(Limit.events / 2)"
            let first = try reader.rows("\(queries.events) ORDER BY at, place, a, b, c \(half)", [id])
            let last = try reader.rows(
                "\(queries.events) ORDER BY at DESC, place DESC, a DESC, b DESC, c DESC \(half)", [id])
            timeline = first + last.reversed()
        }
        run = try reader.rows("SELECT item, value FROM summary WHERE section = 'run' ORDER BY rowid").map { row in
            (row.first?.value.text ?? "", row.last?.value.text ?? "")
        }
    }

    /// The values of a row of ``run``.
    func run(_ item: String) -> [String] { run.filter { $0.item == item }.map(\.value) }

    /// Whether ids of people and devices are pseudonyms.
    var isPseudonymised: Bool { run(Summary.repeatLabel).contains { $0.contains(" --pseudonymise ") } }
}

extension ShownQueries {
    /// The timeline query: purchases, refunds, presentations, findings and decisions. Equal claims on one day are one
    /// event. `place` orders events at the same instant.
    fileprivate var events: String {
        """
        SELECT * FROM (
            SELECT purchased_at AS at, 1 AS place, product_id AS a, transaction_id AS b, word AS c, 1 AS count
            FROM (\(purchases)) WHERE purchased_at IS NOT NULL
            UNION ALL
            SELECT refunded_at, 2, product_id, transaction_id, word, 1 FROM (\(purchases)) WHERE refunded_at IS NOT NULL
            UNION ALL
            SELECT min(presented_at), 3, account_id, device_id, verdict, count(*)
            FROM claims WHERE claim_id IN (\(claims)) AND presented_at IS NOT NULL
            GROUP BY substr(presented_at, 1, 10), account_id, device_id, verdict
            UNION ALL
            SELECT min(first_seen), 4, rule, mark, NULL, count(*) FROM (\(findings)) WHERE first_seen IS NOT NULL
            GROUP BY substr(first_seen, 1, 10), rule, mark
            UNION ALL
            SELECT min(reviewed_at), 5, status, reviewed_by, note, count(*) FROM (\(decisions))
            GROUP BY reviewed_at, status, reviewed_by, note)
        """
    }
}
