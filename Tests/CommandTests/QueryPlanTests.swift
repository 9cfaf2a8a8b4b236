import Foundation
import Testing

/// How the work of a query grows with the rows of a report: by its plan, which is the same on every machine.
struct `The plan of a documented query` {
    /// A step of a plan, by its parent.
    private struct Step {
        let id: Int
        let detail: String

        /// Whether it goes through all rows of a table or a view.
        var isScan: Bool { detail.hasPrefix("SCAN") && !detail.contains("CONSTANT ROW") }
        /// Whether its steps are done again for each row outside.
        var isRepeated: Bool { detail.hasPrefix("CORRELATED") }
    }

    /// Returns the scans that are done again for each row of another one: the work grows with the square of the rows.
    private static func repeatedScans(_ sql: String, in run: SQLiteExport) throws -> [String] {
        var steps: [Int: [Step]] = [:]
        for row in try run.rows("EXPLAIN QUERY PLAN " + sql) {
            guard case .number(let id) = row.cells[0].value, case .number(let parent) = row.cells[1].value,
                let detail = row.cells[3].value.text
            else { continue }
            steps[parent, default: []].append(Step(id: id, detail: detail))
        }
        var found: [String] = []
        func visit(_ parent: Int, isRepeated: Bool) {
            let scans = (steps[parent] ?? []).filter(\.isScan)
            found += scans.dropFirst(isRepeated ? 0 : 1).map(\.detail)
            for step in steps[parent] ?? [] { visit(step.id, isRepeated: isRepeated || step.isRepeated) }
        }
        visit(0, isRepeated: false)
        return found
    }

    private static let pages = ["docs/analysis.md", "docs/stake.sql", "docs/support.md"]

    @Test(arguments: pages) func `scans no table within a scan, so that its work is linear`(page: String) throws {
        let run = try SQLiteExport.reported(count: 60)
        let url = URL(filePath: #filePath).appending(path: "../../../" + page).standardized
        let text = try String(contentsOf: url, encoding: .utf8)
        // A file of SQL is one query, a page has them in fences.
        let fenced = text.components(separatedBy: "```sql").dropFirst().map { part in
            String(part.components(separatedBy: "\n```")[0].drop { $0 != "\n" })
        }
        let queries = page.hasSuffix(".sql") ? [text] : fenced
        #expect(!queries.isEmpty)
        for sql in queries { #expect(try Self.repeatedScans(sql, in: run) == [], "\(sql)") }
    }

    @Test(
        arguments: [
            "SELECT count(*) FROM receipts AS a JOIN receipts AS b ON a.source < b.source",
            "SELECT (SELECT count(*) FROM purchases AS p WHERE p.price > r.purchases) FROM receipts AS r",
        ])
    func `would show a scan within a scan`(sql: String) throws {
        let run = try SQLiteExport.reported(count: 60)
        #expect(try Self.repeatedScans(sql, in: run).count == 1)
    }

    @Test(
        arguments: [
            ("account_id = 'a'", "receipts_by_account"), ("device_id = 'd'", "receipts_by_device"),
            ("presented_at >= '2026-06-01'", "receipts_by_presentation"),
        ])
    func `of receipts by whom and when uses an index`(condition: String, index: String) throws {
        let run = try SQLiteExport.reported(count: 60)
        let plan = try run.rows("EXPLAIN QUERY PLAN SELECT * FROM receipts WHERE \(condition)")
        #expect(plan.first?.cells[3].value.text?.contains("USING INDEX \(index)") == true)
    }
}
