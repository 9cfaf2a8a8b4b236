import Encodings
import FoundationEssentials
import Rules
import Testing

@testable import Reports

struct `An earlier report that somebody else wrote` {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/old.csv" }
    private static let header = "severity,rule,subject,first_seen"

    init() throws { folder = try TemporaryFolder() }

    private func baseline(_ text: String, maxBytes: Int = 1 << 20) throws -> Baseline {
        try Data(text.utf8).write(to: URL(filePath: path))
        return try Baseline(reading: path, asOf: Instant(seconds: 0), maxBytes: maxBytes)
    }

    private func resolved(_ baseline: Baseline) -> [ComparedFinding] {
        Comparison(baseline, asOf: Instant(seconds: 0)).resolved
    }

    @Test func `has no rule that a spreadsheet obeys or that ends a cell`() throws {
        let earlier = try baseline("\(Self.header)\r\nhigh,\"=cmd,\"\"x\"\"\n\",device:a,\r\n")
        let finding = try #require(resolved(earlier).first)
        #expect(finding.finding.rule == "=cmd,\"x\"\n")
        var row = CSVRow()
        FraudTable.write(finding, withChange: true, to: &row)
        #expect(
            String(decoding: row.bytes, as: UTF8.self)
                == "high,\"'=cmd,\"\"x\"\"\n\",device:a,0,0,0,,,,resolved")
    }

    @Test func `keeps the ids of rules as they are`() throws {
        let earlier = try baseline("\(Self.header)\r\nhigh,shared-receipt,device:a,\r\n")
        var row = CSVRow()
        FraudTable.write(try #require(resolved(earlier).first), withChange: true, to: &row)
        #expect(String(decoding: row.bytes, as: UTF8.self) == "high,shared-receipt,device:a,0,0,0,,,,resolved")
    }

    @Test func `is read whole or refused`() throws {
        let text = "\(Self.header)\r\nhigh,shared-receipt,device:a,\r\nhigh,shared-receipt,device:b,\r\n"
        #expect(resolved(try baseline(text, maxBytes: text.utf8.count)).count == 2)
        for most in [text.utf8.count - 1, 65] {
            let error = #expect(throws: Baseline.Unreadable.self) { try baseline(text, maxBytes: most) }
            #expect(error?.description == "cannot compare with \(path): it is larger than \(most) bytes")
        }
    }

    @Test func `has a finding for each spelling, in the order of their octets`() throws {
        let subjects = ["account:e\u{301}", "account:\u{e9}", "account:f"]
        let rows = subjects.reversed().map { "high,shared-account,\($0),\r\n" }
        for _ in 0..<20 {
            let found = resolved(try baseline("\(Self.header)\r\n" + rows.joined())).map(\.finding.subject)
            #expect(found.map { Array($0.utf8) } == [subjects[0], subjects[2], subjects[1]].map { Array($0.utf8) })
        }
    }
}
