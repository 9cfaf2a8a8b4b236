import Foundation
import Testing

/// The SQL of docs/analysis.md, on a report of a sample.
struct `The page on analysis` {
    /// Each query, with whether it may find nothing.
    private static func queries() throws -> [(sql: String, mayBeEmpty: Bool)] {
        let page = URL(filePath: #filePath).appending(path: "../../../docs/analysis.md").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        return text.components(separatedBy: "```sql").dropFirst().map { part in
            let lines = part.components(separatedBy: "\n```")[0].split(separator: "\n", maxSplits: 1)
            let isMarked = part.hasPrefix(" empty")
            return (String(isMarked ? lines[1] : Substring(lines.joined(separator: "\n"))), isMarked)
        }
    }

    @Test func `has queries that find something in a sample`() throws {
        let run = try SQLiteExport(count: 600)
        try run.audit("--report", run.export.path("a.sqlite"))
        let queries = try Self.queries()
        #expect(queries.count >= 20)
        for query in queries {
            let rows = try run.rows(query.sql)
            #expect(!rows.isEmpty || query.mayBeEmpty, "\(query.sql)")
        }
    }
}
