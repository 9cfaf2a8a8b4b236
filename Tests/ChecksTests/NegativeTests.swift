import Corpus
import Encodings
import FoundationEssentials
import Inputs
import Proofs
import SampleStore
import Testing

@testable import Checks

/// Data that is not an app receipt, though it may look like one.
@Suite(.enabled(if: Corpus.isThere, "RECEIPTS_CORPUS is not set"))
struct `What is no receipt` {
    static let codes = [
        // Constructed strings nested too deep, cut short, or with pieces that do not fit.
        ("apple-cms-ber-recursion.der", "malformed-container"),
        ("apple-cms-definite-too-short-octet.der", "malformed-container"),
        ("apple-cms-indef-too-long-octet.der", "malformed-container"),
        ("bjit-truncated.der", "malformed-container"),
        // Certificates without a signature; signatures without what they are over.
        ("apple-cms-certs-only.der", "no-content"),
        ("apple-cms-multiple-signers.der", "no-content"),
        // Signed by Apple, but not receipts.
        ("apple-cms-dev-id-signature.der", "not-a-proof"),
        ("apple-cms-config-profile.der", "not-a-proof"),
        // Property lists, the receipts of iOS 6 and before.
        ("apple-mock-legacytransaction.b64", "unknown-format"),
        ("mbaasy-transaction-sandbox.b64", "unknown-format"),
        ("revenuecat-unsupported-1.b64", "unknown-format"),
        ("revenuecat-unsupported-2.b64", "unknown-format"),
        // The first part of a genuine one.
        ("tamtamchik-invalid.b64", "malformed-container"),
    ]

    @Test(arguments: codes)
    func `fails`(name: String, code: String) throws {
        let checker = try Checker(trust: .apple(), expectations: Expectations(asOf: Samples.asOf))
        #expect(checker.codes(Self.bytes(name), Claim(source: ExactText(name))) == code)
    }

    @Test func `has an expected code for every file`() {
        let files = Corpus.files(in: "negative", ending: ".der") + Corpus.files(in: "negative", ending: ".b64")
        #expect(files.sorted() == Self.codes.map(\.0).sorted())
    }

    @Test(arguments: Corpus.files(in: "certs", ending: ".cer"))
    func `nor is a certificate`(name: String) throws {
        let checker = try Checker(trust: .apple(), expectations: Expectations(asOf: Samples.asOf))
        let bytes = Corpus.bytes("certs/" + name)
        let isApples = ["AppleRoot", "AppleWWDR", "seen-Apple-FairPlay"].contains { name.hasPrefix($0) }
        let code = isApples && name != "AppleWWDR-test.cer" ? "not-a-proof" : "unknown-format"
        #expect(checker.codes(bytes, Claim(source: ExactText(name))) == code)
    }

    /// A file's bytes; base64, in either alphabet and however much there is of it, decoded.
    private static func bytes(_ name: String) -> [UInt8] {
        let bytes = Corpus.bytes("negative/" + name)
        guard name.hasSuffix(".b64") else { return bytes }
        let digits = bytes.filter { $0 > 0x20 && $0 != 0x3d }.map { $0 == 0x2d ? 0x2b : $0 == 0x5f ? 0x2f : $0 }
        let whole = digits.prefix(digits.count % 4 == 1 ? digits.count - 1 : digits.count)
        let padding = [UInt8](repeating: 0x3d, count: (4 - whole.count % 4) % 4)
        return Data(base64Encoded: Data(whole + padding)).map { [UInt8]($0) } ?? bytes
    }
}
