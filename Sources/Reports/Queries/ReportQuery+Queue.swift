import Checks
import Encodings
import Engine
import Rules
import SQLite

extension ReportQuery {
    /// The conditions of a finding `f` in SQL.
    private static let isClosed =
        "f.status IN (\(FindingStatus.allCases.filter(\.isClosed).map { "'\($0.rawValue)'" }.joined(separator: ", ")))"
    private static let isNews = "(f.change IS 'new' OR f.status = 'reopened')"
    private static let weight =
        "CASE f.severity || ' ' || f.confidence "
        + Severity.allCases.flatMap { severity in
            Confidence.allCases.map { confidence in
                "WHEN '\(severity.code) \(confidence.code)' THEN \(FindingWeight.of(severity, confidence))"
            }
        }.joined(separator: " ") + " END"

    static let urgency = ReportQuery(
        name: "urgency",
        meaning:
            "The place of each finding by urgency: those that no review closed, by severity and confidence, then new and reopened ones, the latest presented, and what is at stake.",
        columns: [
            ("place", "INTEGER", "its place; 1 is the most urgent"),
            ("is_news", "INTEGER", "1 if it is new or reopened"),
            ("is_closed", "INTEGER", "1 if a review closed it"),
        ],
        tables: [("f", "fraud")],
        sql: """
            SELECT row_number() OVER (
                    ORDER BY \(isClosed), \(weight) DESC, \(isNews) DESC, f.last_presented DESC, f.at_stake DESC, f.finding_id
                ) AS place, f.finding_id, \(isNews) AS is_news, \(isClosed) AS is_closed
            FROM fraud AS f WHERE f.change IS NOT 'resolved'
            """)

    static let queue = ReportQuery(
        name: "queue", meaning: "The findings that no review closed, the most urgent first.",
        columns: [("place", "INTEGER", "its place; 1 is the most urgent")], tables: [("f", "fraud")],
        sql: """
            SELECT u.place, f.* FROM urgency AS u JOIN fraud AS f ON f.finding_id = u.finding_id
            WHERE NOT u.is_closed ORDER BY u.place
            """)

    static let newSinceLast = ReportQuery(
        name: "new_since_last",
        meaning: "The new and the reopened findings that no review closed, the most urgent first.",
        columns: [("place", "INTEGER", "its place in the queue")], tables: [("f", "fraud")],
        sql: """
            SELECT u.place, f.* FROM urgency AS u JOIN fraud AS f ON f.finding_id = u.finding_id
            WHERE u.is_news AND NOT u.is_closed ORDER BY u.place
            """)
}

/// Findings of one rule with equal texts, severity, confidence, status and change.
struct FindingGroup {
    /// The maximum number of named findings per group.
    static let maxLines = 20

    /// The most urgent findings of the group.
    fileprivate(set) var lines: [QueuedFinding]
    let count: Int
    let rule: ExactText
    /// The place of its most urgent finding.
    fileprivate let place: Int
}

/// Which groups of findings a page shows.
struct QueueLimits {
    /// The maximum number of groups. Each rule and the new findings still get their minimum shares.
    var max = 1000
    /// The minimum number of groups per rule.
    var share = 10
    /// The maximum number of groups per rule, and of new and reopened findings.
    static let maxPerRule = 100
    static let maxNews = 400
}

extension StoredReport {
    /// Returns the queue in groups, the most urgent first: as many as fit on a page, some of each rule, and what is new.
    func queue(_ limits: QueueLimits = QueueLimits()) throws -> [FindingGroup] {
        try groups(
            """
            (rule_place <= \(limits.share) OR news_place <= \(min(limits.max, QueueLimits.maxNews)))
            """,
            """
            SELECT first FROM heads WHERE is_sure OR rule_place <= \(QueueLimits.maxPerRule)
            ORDER BY is_sure DESC, first LIMIT max(\(limits.max), (SELECT count(*) FROM heads WHERE is_sure))
            """)
    }

    /// Returns the first groups of new and reopened findings.
    func newSinceLast(_ max: Int) throws -> [FindingGroup] {
        try groups("is_news", "SELECT first FROM heads WHERE is_sure ORDER BY first LIMIT \(max)")
    }

    /// - Parameters:
    ///   - sure: the condition of groups that are shown in any case.
    ///   - shown: the query for the shown groups among all `heads`.
    private func groups(_ sure: String, _ shown: String) throws -> [FindingGroup] {
        var groups: [FindingGroup] = []
        try reader.forEachRow(
            """
            WITH open AS MATERIALIZED (
                SELECT u.place, u.finding_id, u.is_news, f.rule, row_number() OVER alike AS line,
                    count(*) OVER same AS alike, min(u.place) OVER same AS first
                FROM urgency AS u JOIN fraud AS f ON f.finding_id = u.finding_id WHERE NOT u.is_closed
                WINDOW same AS (PARTITION BY f.rule, f.severity, f.confidence, f.status, f.change, f.evidence),
                    alike AS (
                        PARTITION BY f.rule, f.severity, f.confidence, f.status, f.change, f.evidence ORDER BY u.place)),
            ranked AS (
                SELECT first, is_news, row_number() OVER (PARTITION BY rule ORDER BY first) AS rule_place,
                    CASE WHEN is_news THEN row_number() OVER (PARTITION BY is_news ORDER BY first) END AS news_place
                FROM open WHERE line = 1),
            heads AS MATERIALIZED (SELECT *, coalesce(\(sure), 0) AS is_sure FROM ranked),
            shown AS (\(shown))
            SELECT o.first, o.alike, f.*, d.decided, d.at, d.by, d.note
            FROM open AS o JOIN fraud AS f ON f.finding_id = o.finding_id
            LEFT JOIN decisions AS d ON d.finding_id = o.finding_id
            WHERE o.line <= \(FindingGroup.maxLines) AND o.first IN (SELECT first FROM shown) ORDER BY o.first, o.place
            """
        ) { row in
            let finding = QueuedFinding(ComparedFinding(row))
            if groups.last?.place == row.number("first") {
                groups[groups.count - 1].lines.append(finding)
            } else {
                groups.append(
                    FindingGroup(
                        lines: [finding], count: row.number("alike"), rule: ExactText(row.text("rule")),
                        place: row.number("first")))
            }
        }
        return groups
    }

    /// Visits the first findings by urgency, some of every rule among them, those that a review closed last, each with its
    /// last decision.
    func forEachFinding(_ max: Int, _ body: (ComparedFinding) throws -> Void) throws {
        try reader.forEachRow(
            """
            SELECT f.*, d.decided, d.at, d.by, d.note
            FROM (
                SELECT u.place, u.finding_id, row_number() OVER (PARTITION BY f.rule ORDER BY u.place) AS rule_place
                FROM urgency AS u JOIN fraud AS f ON f.finding_id = u.finding_id) AS u
            JOIN fraud AS f ON f.finding_id = u.finding_id
            LEFT JOIN decisions AS d ON d.finding_id = u.finding_id
            WHERE u.place <= \(max) OR u.rule_place <= \(QueueLimits().share) ORDER BY u.place
            """
        ) { try body(ComparedFinding($0)) }
    }
}
