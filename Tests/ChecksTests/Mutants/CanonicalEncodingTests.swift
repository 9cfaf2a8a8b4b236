import Corpus
import DER
import Encodings
import Inputs
import Proofs
import SampleStore
import Testing

@testable import Checks

/// The invariant that leaves no room for bytes that nobody signed.
struct `A receipt encoded from the values that were read of it` {
    @Test(
        .enabled(if: Corpus.isThere, "RECEIPTS_CORPUS is not set"),
        arguments: Corpus.files(in: "receipts", ending: ".der").filter { !$0.hasPrefix("xcode") })
    func `is the receipt itself, if it is genuine`(name: String) throws {
        let bytes = Corpus.bytes("receipts/" + name)
        let checker = try Checker(trust: .apple(), expectations: Expectations(asOf: Samples.asOf))
        let values = try #require(Self.values(of: bytes, checker))
        #expect(values.nulls(in: bytes) != nil)
    }

    @Test(arguments: SampleDigest.allCases)
    func `is the receipt itself, if it is a sample`(digest: SampleDigest) throws {
        let authority = try PrivateAuthority()
        let checker = try Samples.checker(trusting: authority.root.certificate)
        let bytes = try authority.receipt(Samples.receipt, digest: digest)
        #expect(
            Self.values(of: bytes, checker)?.nulls(in: bytes) == [
                .digestAlgorithms, .digestAlgorithm, .signatureAlgorithm,
            ])
        let bare = try ContainerVariant.parametersAbsent.container(
            signing: Samples.receipt.der, by: authority, digest: digest)
        #expect(Self.values(of: bare, checker)?.nulls(in: bare) == [])
    }

    @Test(arguments: ContainerVariant.allCases.filter { $0 != .parametersAbsent })
    func `is no container that deviates from it`(deviation: ContainerVariant) throws {
        let authority = try PrivateAuthority()
        let checker = try Samples.checker(trusting: authority.root.certificate)
        let values = try #require(Self.values(of: authority.receipt(Samples.receipt), checker))
        let other = try deviation.container(signing: Samples.receipt.der, by: authority)
        #expect(values.nulls(in: other) == nil)
    }

    private static func values(of bytes: [UInt8], _ checker: Checker) -> CanonicalEncoding? {
        let facts = checker.facts(of: Claim(source: "a test"), receipt: bytes.span)
        return facts.signature.flatMap { CanonicalEncoding(of: bytes, $0, by: checker.verifier) }
    }
}
