import Checks
import Encodings
import FoundationEssentials
import Inputs
import SampleStore
import Testing

struct `A planted receipt` {
    /// Every kind in every variant.
    static func claims() throws -> (export: SampleExport, claims: [SampleClaim]) {
        let export = try SampleExport(count: 440, seed: 21, forgeryShare: 0, plantShare: 1)
        return (export, try (0..<export.count).map { try export.claim(at: $0) })
    }

    @Test func `of a cracker is nothing that PKCS #7 is, in five forms, and no error page is like it`() throws {
        let (_, claims) = try Self.claims()
        let crackers = claims.filter { $0.truth == .planted(.crackerReceipt) }.compactMap { $0.file?.bytes }
        #expect(crackers.count >= 5 && crackers.allSatisfy { SeenValue($0.span)?.form == .transactionReceipt })
        #expect(crackers.contains { !String(decoding: $0, as: UTF8.self).contains("signature") && $0.first == 0x7b })
        let infos = crackers.compactMap(Self.purchaseInfo)
        #expect(infos.contains { $0.contains("Europe/Copenhagen") })
        #expect(infos.contains { $0.contains("2099-01-01") })
        #expect(infos.contains { $0.contains("com.zeptolab.ctrbonus.superpower1") })
        let page = try Forgery.unknownFormat.claim(
            from: ClaimDraft(index: 3, seed: 5, asOf: SampleExport.asOf), by: SampleAuthorities(), seed: 5)
        #expect(page.file?.bytes.first != UInt8(ascii: "{"))
    }

    /// The base64 text after `purchase-info`.
    private static func purchaseInfo(_ bytes: [UInt8]) -> String? {
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: "\"")
        guard let key = parts.firstIndex(of: "purchase-info"), key + 2 < parts.count else { return nil }
        return Data(base64Encoded: String(parts[key + 2])).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `was created and presented before the sample's as-of`() throws {
        let (_, claims) = try Self.claims()
        for claim in claims {
            #expect(claim.row.presentedAt.map { $0 >= .utc(2019) && $0 <= SampleExport.asOf } == true)
        }
    }

    @Test func `with an honest one beside it shares no transaction with it`() throws {
        let export = try SampleExport(count: 600, seed: 22, plantShare: 0.5)
        // Honest claims take part in no finding of several claims.
        for finding in export.expectedFindings() where finding.sources.count > 1 {
            for source in finding.sources {
                let line = try #require(source.split(separator: ":").last.flatMap { Int($0) })
                #expect(export.plant(at: line - 2) != nil)
            }
        }
    }
}
