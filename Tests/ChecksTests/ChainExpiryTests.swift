import Encodings
import SampleStore
import Testing

@testable import Checks

/// The chain is judged at the receipt's creation date, to the second.
struct `A chain` {
    static let second: Int64 = 1

    @Test(
        arguments: [
            ("leaf", "valid until one second before", -1, "chain-expired"),
            ("leaf", "valid until that very second", 0, ""),
            ("leaf", "valid until one second later", 1, ""),
            ("intermediate", "valid until that very second", 0, ""),
            ("intermediate", "valid until one second later", 1, ""),
        ] as [(String, String, Int64, String)])
    func `expires with any of its certificates`(who: String, name: String, end: Int64, code: String) throws {
        let notAfter = Samples.created.adding(seconds: end)
        #expect(try codes(who) { $0.notAfter = notAfter } == code)
    }

    @Test(
        arguments: [
            ("leaf", "valid from one second later", 1, "chain-expired"),
            ("leaf", "valid from that very second", 0, ""),
            ("intermediate", "valid from one second later", 1, "chain-expired"),
            ("intermediate", "valid from that very second", 0, ""),
        ] as [(String, String, Int64, String)])
    func `begins with the last of its certificates`(who: String, name: String, begin: Int64, code: String) throws {
        let notBefore = Samples.created.adding(seconds: begin)
        #expect(try codes(who) { $0.notBefore = notBefore } == code)
    }

    @Test func `may have ended long before the audit`() throws {
        let created = Samples.created
        let codes = try codes("leaf") {
            $0.notBefore = created.adding(seconds: -60)
            $0.notAfter = created.adding(seconds: 60)
        }
        #expect(codes == "")
    }

    @Test func `ends with its root`() throws {
        let authority = try PrivateAuthority()
        let checker = try Samples.checker(trusting: authority.root.certificate)
        let ancient = Samples.receipt.with { $0.createdAt = .utc(2005, 12, 31) }
        #expect(checker.codes(try authority.receipt(ancient)) == "chain-expired")
    }

    private func codes(_ who: String, _ change: (inout CertificateContent) -> Void) throws -> String {
        let leaf = CertificateContent.leaf.with { if who == "leaf" { change(&$0) } }
        let intermediate = CertificateContent.intermediate.with { if who == "intermediate" { change(&$0) } }
        let authority = try PrivateAuthority(intermediates: [intermediate], leaf: leaf)
        return try Samples.checker(trusting: authority.root.certificate).codes(authority.receipt(Samples.receipt))
    }
}
