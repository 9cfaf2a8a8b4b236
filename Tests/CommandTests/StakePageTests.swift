import Foundation
import Testing

/// What docs/stake.sql says that findings put at stake, on a report of a sample.
struct `The query for what is at stake` {
    @Test func `gives the amount of each finding`() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../docs/stake.sql").standardized
        let query = try String(contentsOf: file, encoding: .utf8)
        let run = try SQLiteExport.reported(count: 1000)
        var rules: Set<String> = []
        var amounts = 0
        for row in try run.rows(query) {
            let cells = row.cells.map(\.value)
            #expect("\(cells[2])" == "\(cells[3])", "\(cells)")
            if let rule = cells[0].text, "\(cells[2])" != "null" {
                rules.insert(rule)
                amounts += 1
            }
        }
        #expect(try run.strings("SELECT finding_id FROM fraud WHERE at_stake IS NOT NULL").count == amounts)
        let expected = try run.strings("SELECT DISTINCT rule FROM fraud WHERE at_stake IS NOT NULL")
        #expect(rules == Set(expected) && rules.count > 10)
    }
}
