import Checks
import Encodings
import Engine
import Files
import Rules
import Testing

@testable import Reports

/// An entity with everything that one can have, and one untrusted text wherever one can be.
enum EntitySamples {
    static func entity(_ text: String, score: Int = 1305) -> EntityRow {
        var row = EntityRow(Entity(.account, ExactText(text)))
        (row.score, row.worst, row.findings, row.rules) = (score, .critical, 4, "shared-receipt;fraud-ring")
        (row.claims, row.valid, row.invalid, row.unreadable) = (6, 3, 2, 1)
        (row.devices, row.accounts, row.apps, row.unpriced) = (7, 8, 9, 1)
        row.atStake = AmountAtStake(millionths: 4_990_000, currency: "USD")
        (row.firstPresented, row.lastPresented) = (DocumentSamples.asOf, DocumentSamples.asOf)
        (row.isNew, row.status, row.ring) = (true, .reopened, FindingID(high: 1, low: 2))
        return row
    }
}

struct `The table entities` {
    private func report(_ format: ReportFormat, _ rows: [EntityRow]) throws -> String {
        let folder = try TemporaryFolder()
        let path = folder.path + "/report." + format.rawValue
        let setting = ReportSetting(asOf: DocumentSamples.asOf, temporaryFolder: folder.path)
        let sink = try SampleSink(format.type.sink(for: ReportRequest(.entities, format, path: path), setting), setting)
        for row in rows { try sink.write(row, of: EntitiesTable.self) }
        try sink.finish(DocumentSamples.summary("x"))
        return String(decoding: try FileContents.bytes(of: path, limit: 1 << 24), as: UTF8.self)
    }

    @Test func `has one row for each entity, in CSV`() throws {
        let csv = try report(.csv, [EntitySamples.entity("=a"), EntityRow(Entity(.signer, "ab"))])
        let rows = csv.split(separator: "\r\n").map(String.init)
        #expect(
            rows[0] == "kind,id,score,worst,findings,rules,claims,valid,invalid,unreadable,devices,accounts,apps,"
                + "at_stake,currency,first_presented,last_presented,new,ring,status,unpriced,at_stake_at_least,active")
        #expect(
            rows[1] == "account,'=a,130.5,critical,4,\"shared-receipt;fraud-ring\",6,3,2,1,7,8,9,4.99,USD,"
                + "2026-06-30T00:00:00Z,2026-06-30T00:00:00Z,true,000000000000000100000002,reopened,1,false,false")
        #expect(rows[2] == "signer,ab,0,info,0,,0,0,0,0,0,0,0,,,,,,,ok,0,,false")
    }

    @Test func `has numbers and nulls, in JSON`() throws {
        let text = try report(.ndjson, [EntityRow(Entity(.signer, "ab"))])
        #expect(text.contains("\"score\":0,\"worst\":\"info\",\"findings\":0,\"rules\":[],"))
        let end =
            "\"new\":null,\"ring\":null,\"status\":\"ok\",\"unpriced\":0,\"at_stake_at_least\":null,\"active\":\"false\"}\n"
        #expect(text.contains(end))
    }

    @Test(arguments: [ReportFormat.md, .html])
    func `has a page of the first hundred, which says how many there are`(format: ReportFormat) throws {
        let few = try report(format, [EntitySamples.entity("ana")])
        #expect(few.contains("ana") && few.contains("130.5") && few.contains("4.99 USD") && !few.contains("100 of"))
        let many = try report(
            format,
            (0..<250).map {
                var row = EntitySamples.entity("account-\($0)-end")
                row.ring = nil
                return row
            })
        #expect(many.contains("account-99-end") && !many.contains("account-100-end") && many.contains("100 of 250"))
    }

    @Test func `is a sheet of a workbook`() throws {
        #expect(ReportFormat.xlsx.holds(.entities))
        #expect(try report(.xlsx, [EntitySamples.entity("ana")]).hasPrefix("PK"))
    }
}
