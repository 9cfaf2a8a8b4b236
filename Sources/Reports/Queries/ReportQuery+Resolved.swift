import Engine
import SQLite

extension ReportQuery {
    static let resolved = ReportQuery(
        name: "resolved", meaning: "The findings of earlier runs that this run did not make.", tables: [("f", "fraud")],
        sql: "SELECT f.* FROM fraud AS f WHERE f.change = 'resolved' ORDER BY f.rowid")
}

extension StoredReport {
    /// Returns the first findings that this run did not make.
    func resolved(_ max: Int = 100) throws -> [QueuedFinding] {
        var found: [QueuedFinding] = []
        try reader.forEachRow("SELECT * FROM resolved LIMIT \(max)") {
            found.append(QueuedFinding(ComparedFinding($0)))
        }
        return found
    }
}
