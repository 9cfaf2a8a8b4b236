import Checks
import Encodings
import Engine
import Files
import Inputs
import Rules
import Testing

@testable import Reports

/// A link with one untrusted text wherever one can be.
enum LinkSamples {
    static func link(_ text: String) -> LinkRow {
        var facts = LinkFacts()
        facts.claim = ClaimID(high: 3, low: 4)
        facts.source = ExactText(text)
        facts.device = Device(octets: [0, 0x1a, 0x2b, 0x3c, 0x4d, 0x5e].span)
        facts.accountID = ExactText(text)
        facts.receiptSHA256 = [UInt8](repeating: 0xab, count: 32)
        facts.deviceHash = .match
        facts.presentedAt = DocumentSamples.asOf
        return LinkRow(Mark(finding: FindingID(high: 1, low: 2), rule: 0, severity: .medium), facts, claim: 0)
    }

    static let digest = String(repeating: "ab", count: 32)
}

/// The report of a table in a format, as text.
private func report(
    _ table: ReportRequest.Table, _ format: ReportFormat, _ write: (SampleSink) throws -> Void
) throws -> String {
    String(decoding: try bytes(table, format, write), as: UTF8.self)
}

private func bytes(
    _ table: ReportRequest.Table, _ format: ReportFormat, _ write: (SampleSink) throws -> Void
) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let path = folder.path + "/report." + format.rawValue
    let setting = ReportSetting(asOf: DocumentSamples.asOf, temporaryFolder: folder.path)
    let sink = try SampleSink(format.type.sink(for: ReportRequest(table, format, path: path), setting), setting)
    try write(sink)
    try sink.finish(DocumentSamples.summary("x"))
    return try FileContents.bytes(of: path, limit: 1 << 24)
}

struct `The table links` {
    private static let rule = RuleBook.ids[0].text

    @Test func `has one row for each finding and claim, in CSV`() throws {
        let csv = try report(.links, .csv) { sink in
            try sink.write(LinkSamples.link("=a"), of: LinksTable.self)
            try sink.write(LinkSamples.link("b"), of: LinksTable.self)
        }
        let ids = ("000000000000000100000002", "000000000000000300000004")
        let row = { (text: String) in
            "\(ids.0),\(Self.rule),medium,\(ids.1),\(text),00:1a:2b:3c:4d:5e,\(text),\(LinkSamples.digest),match,"
                + "2026-06-30T00:00:00Z\r\n"
        }
        #expect(
            csv == "finding_id,rule,severity,claim_id,source,device_id,account_id,receipt_sha256,guid,presented_at\r\n"
                + row("'=a") + row("b"))
    }

    @Test func `has null where a claim has nothing, in JSON`() throws {
        var link = LinkSamples.link("a")
        link.facts.device = nil
        link.facts.receiptSHA256 = []
        link.facts.presentedAt = nil
        let line =
            "{\"finding_id\":\"000000000000000100000002\",\"rule\":\"\(Self.rule)\",\"severity\":\"medium\","
            + "\"claim_id\":\"000000000000000300000004\",\"source\":\"a\",\"device_id\":null,\"account_id\":\"a\","
            + "\"receipt_sha256\":null,\"guid\":\"match\",\"presented_at\":null}"
        #expect(try report(.links, .ndjson) { try $0.write(link, of: LinksTable.self) } == line + "\n")
        #expect(try report(.links, .json) { try $0.write(link, of: LinksTable.self) } == "[\n" + line + "\n]\n")
    }

    @Test func `is a sheet of its own in a workbook`() throws {
        let one = try bytes(.links, .xlsx) { try $0.write(LinkSamples.link("a"), of: LinksTable.self) }
        let many = try bytes(.links, .xlsx) { sink in
            for number in 0..<100 { try sink.write(LinkSamples.link("a \(number)"), of: LinksTable.self) }
        }
        let sheet = "xl/worksheets/sheet1.xml"
        let sizes = [one, many].map { FinishedArchive(tail: $0).sizes }
        #expect(sizes.allSatisfy { $0["xl/worksheets/sheet2.xml"] == nil })
        #expect(sizes[1][sheet, default: 0] > sizes[0][sheet, default: 0])
    }

    @Test(arguments: [ReportFormat.csv, .json, .ndjson])
    func `has its rows and no others`(format: ReportFormat) throws {
        let withFinding = try report(.links, format) { sink in
            try sink.write(DocumentSamples.compared("x", rule: "shared-receipt", .high), of: FraudTable.self)
            try sink.write(LinkSamples.link("a"), of: LinksTable.self)
        }
        #expect(try report(.links, format) { try $0.write(LinkSamples.link("a"), of: LinksTable.self) } == withFinding)
        #expect(
            try report(.fraud, format) { try $0.write(LinkSamples.link("a"), of: LinksTable.self) }
                == report(.fraud, format) { _ in })
    }

    @Test func `has no page, on which not all of it would fit`() {
        #expect([ReportFormat.md, .html].allSatisfy { !$0.holds(.links) })
    }
}

struct `The table fraud` {
    private static let compared = DocumentSamples.compared("a", rule: "shared-receipt", .high, .new)

    private static let header =
        "severity,rule,subject,claims,devices,accounts,sources,evidence,first_seen,finding_id,confidence,status,change,"
        + "events,bundle_id,product_id,device_id,account_id,at_stake,currency,unpriced,at_stake_at_least,last_presented"

    private func row(_ change: (inout FindingRow) -> Void) -> [String] {
        var row = CSVRow()
        var finding = Self.compared
        change(&finding.finding)
        row.write(FraudTable.cells(of: finding))
        return String(decoding: row.bytes, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
            .map(String.init)
    }

    private func cell(_ name: String, _ change: (inout FindingRow) -> Void) throws -> String {
        row(change)[try #require(FraudTable.columnNames.firstIndex(of: name))]
    }

    @Test func `names each finding, how sure it is, and what is at stake`() throws {
        let csv = try report(.fraud, .csv) { try $0.write(Self.compared, of: FraudTable.self) }
        #expect(
            csv == Self.header + "\r\nhigh,shared-receipt,a,2,2,0,\"a;a\",a,2026-06-30T00:00:00Z,"
                + "000000000000000100000002,likely,open,new,1,a,a,a,a,4.99,a,0,false,2026-06-03T00:00:00Z\r\n")
    }

    @Test func `has numbers in JSON`() throws {
        let line = try report(.fraud, .ndjson) { try $0.write(Self.compared, of: FraudTable.self) }
        #expect(
            line.hasSuffix(
                ",\"finding_id\":\"000000000000000100000002\",\"confidence\":\"likely\",\"status\":\"open\","
                    + "\"change\":\"new\",\"events\":1,\"bundle_id\":\"a\",\"product_id\":\"a\",\"device_id\":\"a\","
                    + "\"account_id\":\"a\",\"at_stake\":4.99,\"currency\":\"a\",\"unpriced\":0,\"at_stake_at_least\":\"false\",\"last_presented\":\"2026-06-03T00:00:00Z\"}\n"
            ))
        #expect(
            try report(.fraud, .json) { try $0.write(Self.compared, of: FraudTable.self) } == "[\n" + line.dropLast()
                + "\n]\n")
    }

    @Test func `has null for what a finding does not have, in JSON`() throws {
        var bare = ComparedFinding(
            FindingRow(
                id: FindingID(high: 1, low: 2), severity: .high, confidence: .doubtful, rule: "shared-receipt",
                subject: "a"))
        bare.finding.unpriced = 3
        let line = try report(.fraud, .ndjson) { try $0.write(bare, of: FraudTable.self) }
        #expect(
            line.hasSuffix(
                ",\"confidence\":\"doubtful\",\"status\":\"open\",\"change\":null,\"events\":1,\"bundle_id\":null,"
                    + "\"product_id\":null,\"device_id\":null,\"account_id\":null,\"at_stake\":null,"
                    + "\"currency\":null,\"unpriced\":3,\"at_stake_at_least\":null,\"last_presented\":null}\n"))
    }

    @Test func `says that an amount may be larger, where not all of it was counted`() throws {
        #expect(try cell("at_stake") { $0.atStake?.isLeast = true } == "4.99")
        #expect(try cell("at_stake_at_least") { $0.atStake?.isLeast = true } == "true")
    }

    @Test(arguments: ["=1+1", "@x"])
    func `disarms untrusted text in each of its columns`(text: String) throws {
        for name in ["bundle_id", "product_id", "device_id", "account_id", "currency"] {
            let cell = try cell(name) { finding in
                (finding.bundleID, finding.productID) = (ExactText(text), ExactText(text))
                (finding.deviceID, finding.accountID) = (ExactText(text), ExactText(text))
                finding.atStake?.currency = ExactText(text)
            }
            #expect(cell == "'" + text, "\(name)")
        }
    }

    @Test func `makes a page and a workbook of any finding`() throws {
        for format in [ReportFormat.md, .html] {
            #expect(
                try report(.fraud, format) { try $0.write(Self.compared, of: FraudTable.self) }.contains(
                    "shared-receipt"))
        }
        let sizes = FinishedArchive(tail: try bytes(.fraud, .xlsx) { try $0.write(Self.compared, of: FraudTable.self) })
            .sizes
        #expect(sizes["xl/worksheets/sheet1.xml", default: 0] > 1000)
    }
}
