import Checks
import Encodings
import Engine
import Files
import Rules
import Testing

@testable import Reports

/// Pages of exports with a critical finding about every claim, each of another account and device.
struct `The size of a page` {
    private static func page(claims: Int) throws -> String {
        let folder = try TemporaryFolder()
        let path = folder.path + "/report.html"
        let setting = ReportSetting(asOf: DocumentSamples.asOf, temporaryFolder: folder.path)
        let request = ReportRequest(nil, .html, path: path)
        let sink = try SampleSink(ReportFormat.html.type.sink(for: request, setting), setting)
        for number in 0..<claims {
            let name = "account-\(number)"
            let claim = DocumentSamples.claim(name, "invalid", "chain-untrusted", "critical", "untrusted-signer")
            try sink.write(rows: WorkbookSamples.claim(claim).span, of: .receipts)
            let id = FindingID(high: UInt64(number), low: 7)
            var found = DocumentSamples.compared("claim:\(id)", rule: "untrusted-signer", .critical)
            found.finding = FindingRow(
                id: id, severity: .critical, confidence: .likely, rule: "untrusted-signer",
                subject: ExactText("claim:\(id)"))
            found.finding.accountID = ExactText(name)
            found.finding.evidence = "no anchor of the run signed it, but \(name)"
            try sink.write(found, of: FraudTable.self)
        }
        for number in 0..<claims {
            for kind in [Entity.Kind.account, .device] {
                var row = EntityRow(Entity(kind, ExactText("\(kind.code)-\(number)")))
                (row.worst, row.findings, row.claims) = (.critical, 1, 1)
                try sink.write(row, of: EntitiesTable.self)
            }
        }
        try sink.finish(DocumentSamples.summary("x"))
        return String(decoding: try FileContents.bytes(of: path, limit: 1 << 26), as: UTF8.self)
    }

    private static let pages = Result { try (page(claims: 12_000), page(claims: 24_000)) }

    @Test func `grows by less than 60 bytes with each high or critical finding, once all else is cut`() throws {
        let (small, large) = try Self.pages.get()
        let growth = large.utf8.count - small.utf8.count
        #expect(growth < 12_000 * 60, "\(growth) bytes")
    }

    @Test func `is below 4 MB with a tenth of 100,000 claims forged`() throws {
        let (small, _) = try Self.pages.get()
        #expect(small.utf8.count < 4_000_000, "\(small.utf8.count) bytes")
    }

    @Test func `leaves out no critical finding`() throws {
        let (_, large) = try Self.pages.get()
        let index = try #require(large.split(separator: "<pre class=\"index").last)
        #expect(index.contains("24,000") == false)
        #expect(index.split(separator: "\n").count { $0.hasPrefix(" claim:") } == 24_000)
        // Its rule and severity are written once.
        #expect(index.split(separator: "\n").count { $0 == "critical untrusted-signer:" } == 1)
    }

    @Test func `is paid for in rows that are said to be missing, with the table that has them`() throws {
        let (small, large) = try Self.pages.get()
        for (page, count) in [(small, "12,000"), (large, "24,000")] {
            #expect(page.contains(" of \(count) findings that no review closed"))
            #expect(page.contains("All are in a report of their own, <code>--report fraud=FILE.csv</code>"))
            #expect(page.contains(" of \(count) claims with findings or failures"))
            #expect(page.contains("All are in a report of their own, <code>--report receipts=FILE.csv</code>"))
        }
        #expect(small.contains("These are 10,000 of 24,000: a name that is not here may have findings."))
        #expect(large.contains("<code>--report entities=FILE.csv</code> lists them"))
    }
}
