import DER
import Encodings
import SampleStore
import Testing

@testable import Proofs

/// What a verifier caches of signers, and what it does not.
struct `A verified signer` {
    private let authority: PrivateAuthority
    private let verifier: SignatureVerifier

    init() throws {
        authority = try PrivateAuthority()
        let trust = try TrustAnchors(files: [(name: "root", bytes: authority.root.certificate)])
        verifier = try SignatureVerifier(trust: trust)
    }

    @Test func `is cached, trusted ones and others apart`() throws {
        try verify(try authority.sign(Self.receipt))
        try verify(try PrivateAuthority.rogue().sign(Self.receipt))
        #expect(verifier.trustedSigners.count == 1)
        #expect(verifier.otherSigners.count == 1)
    }

    @Test(arguments: [100, 1 << 20])
    func `is cached unless certificates and identifier are large`(count: Int) throws {
        var container = try authority.sign(Self.receipt)
        container.signerInfos[0].issuer = DERWriter.element(.sequence, Array(repeating: 0, count: count))
        try verify(container)
        #expect(verifier.otherSigners.count == (count == 100 ? 1 : 0))
    }

    @Test(arguments: [100, 200_000])
    func `is cached unless it is large, in another form than Apple's, too`(count: Int) throws {
        var container = try authority.sign(Self.receipt)
        container.version = 3
        container.signerInfos[0].identifier = DERWriter.element(.keyIdentifier, Array(repeating: 0, count: count))
        try verify(container)
        #expect(verifier.otherSigners.count == (count == 100 ? 1 : 0))
    }

    private static let receipt = ReceiptContent(
        bundleID: "com.example.notes", device: .vendorIdentifier(Array(1...16)), createdAt: .utc(2024, 3, 1))

    private func verify(_ container: SignedDataContent) throws {
        let bytes = container.encoded
        do {
            _ = try verifier.signer(of: SignedData(strict: bytes.span))
        } catch let deviation as ContainerDeviation {
            _ = try verifier.signer(of: LenientSignedData(bytes.span, deviation: deviation))
        }
    }
}

struct `A library that could not compute a digest` {
    private let bytes: [UInt8] = [1, 2, 3]

    @Test func `says so from then on`() throws {
        let library = try OpenSSLLibrary()
        _ = library.digest(.sha256, of: bytes.span)
        #expect(library.failure == nil)
        library.check(0)
        _ = library.digest(.sha256, of: bytes.span)
        #expect(library.failure?.description == "could not compute a digest")
    }

    @Test func `says so through the verifier that uses it`() throws {
        let verifier = try SignatureVerifier(trust: .apple())
        #expect(verifier.failure == nil)
        verifier.library.check(-1)
        #expect(verifier.failure?.step == .digest)
    }
}
