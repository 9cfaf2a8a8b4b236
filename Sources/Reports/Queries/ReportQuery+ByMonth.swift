import Checks
import Encodings
import SQLite

extension ReportQuery {
    static let byMonth = ReportQuery(
        name: "by_month", meaning: "The claims by the month in which they were presented, in four classes.",
        columns: [
            ("month", "TEXT", "the month, such as 2026-05; NULL for claims without a date"),
            ("claims", "INTEGER", "the number of claims"), ("clean", "INTEGER", "valid ones without findings"),
            ("valid_with_findings", "INTEGER", "valid ones with findings"), ("invalid", "INTEGER", "invalid ones"),
            ("unreadable", "INTEGER", "unreadable ones"),
        ],
        sql: """
            SELECT CASE WHEN length(presented_at) = 20 THEN substr(presented_at, 1, 7) END AS month, count(*) AS claims,
                sum(verdict = 'valid' AND risk IS NULL) AS clean,
                sum(verdict = 'valid' AND risk IS NOT NULL) AS valid_with_findings, sum(verdict = 'invalid') AS invalid,
                sum(verdict = 'unreadable') AS unreadable
            FROM receipts GROUP BY 1 ORDER BY 1
            """)
}

/// The number of claims in four classes, in total and by month of presentation.
struct ClaimCounts {
    struct Classes: Equatable {
        /// Valid claims without findings.
        var clean = 0
        var suspect = 0
        var invalid = 0
        var unreadable = 0

        var total: Int { clean + suspect + invalid + unreadable }
        /// The number of claims with findings or failures.
        var notClean: Int { suspect + invalid + unreadable }

        fileprivate mutating func add(_ row: DatabaseReader.Cells) {
            clean += row.number("clean")
            suspect += row.number("valid_with_findings")
            invalid += row.number("invalid")
            unreadable += row.number("unreadable")
        }
    }

    /// The totals. Every claim is in one class.
    fileprivate(set) var classes = Classes()
    /// The counts by month of presentation: two years up to as-of, `earlier` and `later`; empty for claims without a
    /// usable date.
    fileprivate(set) var months: [String: Classes] = [:]
}

extension StoredReport {
    /// - Parameter asOf: the last month counted is the one of this time, the first is two years earlier.
    func byMonth(asOf: Instant) throws -> ClaimCounts {
        let last = String(asOf.description.prefix(7))
        let parts = last.split(separator: "-").compactMap { Int($0) }
        let end = parts.count == 2 ? parts[0] * 12 + parts[1] - 1 : 0
        let digits = { (number: Int, count: Int) in
            String(repeating: "0", count: max(0, count - String(number).count)) + String(number)
        }
        let first = digits(max(end - 23, 0) / 12, 4) + "-" + digits(max(end - 23, 0) % 12 + 1, 2)
        var counts = ClaimCounts()
        try reader.forEachRow("SELECT * FROM by_month") { row in
            let month = row.text("month")
            counts.classes.add(row)
            let name = month.isEmpty ? "" : month < first ? "earlier" : month > last ? "later" : month
            counts.months[name, default: ClaimCounts.Classes()].add(row)
        }
        return counts
    }
}
