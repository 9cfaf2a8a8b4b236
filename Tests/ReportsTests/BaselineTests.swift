import Encodings
import FoundationEssentials
import Rules
import Testing

@testable import Reports

struct `An earlier report that somebody else wrote` {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/old.csv" }
    private static let header = "severity,rule,subject,first_seen,finding_id,confidence,change,events"
    private static let id = "000000000000000100000002"

    init() throws { folder = try TemporaryFolder() }

    private func baseline(_ text: String, maxBytes: Int = 1 << 20) throws -> Baseline {
        try Data(text.utf8).write(to: URL(filePath: path))
        return try Baseline(reading: path, asOf: Instant(seconds: 0), maxBytes: maxBytes)
    }

    /// A row of the file, with the end of its line.
    private static func row(
        _ subject: String, rule: String = "shared-receipt", id: String = id, confidence: String = "likely",
        change: String = "new", events: String = "1"
    ) -> String {
        "high,\(rule),\(subject),,\(id),\(confidence),\(change),\(events)\r\n"
    }

    private func baseline(rows: String...) throws -> Baseline {
        try baseline("\(Self.header)\r\n" + rows.joined())
    }

    private func resolved(
        _ baseline: Baseline, where hasClaim: (ExactText) -> Bool = { _ in true }
    ) throws -> [ComparedFinding] {
        var comparison = Comparison(baseline, asOf: Instant(seconds: 0))
        return try comparison.resolved(where: hasClaim)
    }

    private func cells(_ finding: ComparedFinding) -> String {
        var row = CSVRow()
        row.write(FraudTable.cells(of: finding))
        return String(decoding: row.bytes, as: UTF8.self)
    }

    @Test func `is read by columns that the table fraud has`() {
        #expect(Baseline.Line.CodingKeys.allCases.allSatisfy { FraudTable.columnNames.contains($0.rawValue) })
    }

    @Test func `has no rule that a spreadsheet obeys or that ends a cell`() throws {
        let earlier = try baseline(rows: Self.row("device:a", rule: "\"=cmd,\"\"x\"\"\n\""))
        let finding = try #require(try resolved(earlier).first)
        #expect(finding.finding.rule == "=cmd,\"x\"\n")
        #expect(
            cells(finding)
                == "high,\"'=cmd,\"\"x\"\"\n\",device:a,0,0,0,,,,\(Self.id),likely,open,resolved,1,,,,,,,0,,")
    }

    @Test func `keeps the ids of rules and findings as they are`() throws {
        let earlier = try baseline(rows: Self.row("device:a", confidence: "possible", events: "3"))
        #expect(
            cells(try #require(try resolved(earlier).first))
                == "high,shared-receipt,device:a,0,0,0,,,,\(Self.id),possible,open,resolved,3,,,,,,,0,,")
    }

    @Test func `is read whole or refused`() throws {
        let text = "\(Self.header)\r\n" + Self.row("device:a") + Self.row("device:b")
        #expect(try resolved(try baseline(text, maxBytes: text.utf8.count)).count == 2)
        for most in [text.utf8.count - 1, 65] {
            let error = #expect(throws: Baseline.Unreadable.self) { try baseline(text, maxBytes: most) }
            #expect(error?.description == "cannot compare with \(path): it is larger than \(most) bytes")
        }
    }

    @Test(arguments: ["", "1", "00000000000000010000000G", "0000000000000001000000021"])
    func `is refused where an id is none`(id: String) throws {
        let error = #expect(throws: Baseline.Unreadable.self) { try baseline(rows: Self.row("device:a", id: id)) }
        #expect(error?.description == "cannot compare with \(path): row 2 has no finding_id or no confidence")
    }

    @Test(arguments: ["severity", "rule", "subject", "first_seen", "finding_id", "confidence", "change", "events"])
    func `is refused without a column`(column: String) throws {
        let header = Self.header.split(separator: ",").filter { $0 != column }.joined(separator: ",")
        let error = #expect(throws: Baseline.Unreadable.self) { try baseline(header + "\r\n") }
        #expect(
            error?.description
                == "cannot compare with \(path): it has no column “\(column)”; give it a report of the table fraud")
    }

    @Test func `has a finding for each spelling, in the order of their octets`() throws {
        let subjects = ["account:e\u{301}", "account:\u{e9}", "account:f"]
        let rows = subjects.reversed().map { Self.row($0, rule: "shared-account") }
        for _ in 0..<20 {
            let found = try resolved(try baseline("\(Self.header)\r\n" + rows.joined())).map(\.finding.subject)
            #expect(found.map { Array($0.utf8) } == [subjects[0], subjects[2], subjects[1]].map { Array($0.utf8) })
        }
    }

    @Test func `resolves nothing of which the run has no claim`() throws {
        let earlier = try baseline(rows: Self.row("device:a"), Self.row("device:b"))
        let found = try resolved(earlier) { $0 == "device:b" }
        #expect(found.map(\.finding.subject) == ["device:b"])
        #expect(found.map(\.change) == [.resolved])
    }

    @Test func `resolves nothing twice`() throws {
        #expect(try resolved(try baseline(rows: Self.row("device:a", change: "resolved"))).isEmpty)
    }

    @Test(arguments: [(1, ComparedFinding.Change.persisting), (2, .persisting), (3, .new)])
    func `makes a finding new again if it has more events`(events: Int, change: ComparedFinding.Change) throws {
        var comparison = Comparison(try baseline(rows: Self.row("device:a", events: "2")), asOf: Instant(seconds: 0))
        var finding = DocumentSamples.compared("device:a", rule: "shared-receipt", .high).finding
        finding.events = events
        #expect(try comparison.compare(finding).change == change)
        #expect(try comparison.resolved { _ in true }.isEmpty)
    }
}
