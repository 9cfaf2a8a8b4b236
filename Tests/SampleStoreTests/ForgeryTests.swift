import SampleStore
import Testing

struct `A forgery` {
    private static let draft = ClaimDraft(index: 0, seed: 5, asOf: SampleExport.asOf)

    @Test func `of a row lacks its last cell`() throws {
        let claim = try Forgery.rowMalformed.claim(from: Self.draft, by: SampleAuthorities(), seed: 5)
        let commas = { (line: [UInt8]) in line.count { $0 == 0x2c } }
        #expect(commas(claim.row.line) == commas(SampleRow.header) - 1)
    }

    @Test func `that is too large is one byte over 8 MiB`() throws {
        let claim = try Forgery.receiptUnreadable.claim(from: Self.draft, by: SampleAuthorities(), seed: 5)
        #expect(claim.file?.extendedTo == 8_388_609)
    }
}
