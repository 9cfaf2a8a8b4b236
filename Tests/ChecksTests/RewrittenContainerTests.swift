import DER
import Proofs
import SampleStore
import Testing

@testable import Checks

/// A container that somebody rewrote is never canonical; but what Apple signed stays what Apple signed.
struct `A rewritten container` {
    private let authority: PrivateAuthority
    private let rogue: PrivateAuthority
    private let checker: Checker

    init() throws {
        authority = try PrivateAuthority()
        rogue = try PrivateAuthority.rogue()
        checker = try Samples.checker(trusting: authority.root.certificate)
    }

    typealias Change = @Sendable (inout SignedDataContent, SignerInfoContent) -> Void

    /// Ways in which a forger may write it, given also the SignerInfo that the rogue made over the same content.
    private static let rewritings: [(String, Change)] = [
        ("with the SignerInfo twice", { container, _ in container.signerInfos += container.signerInfos }),
        ("with another's SignerInfo behind", { container, other in container.signerInfos.append(other) }),
        ("with another's SignerInfo in front", { container, other in container.signerInfos.insert(other, at: 0) }),
        (
            "with three broken SignerInfos in front",
            { container, _ in
                var broken = container.signerInfos[0]
                broken.signature[0] ^= 1
                container.signerInfos.insert(contentsOf: [broken, broken, broken], at: 0)
            }
        ),
        (
            "with a SignerInfo of another algorithm in front",
            { container, _ in
                var other = container.signerInfos[0]
                other.signatureAlgorithm = AlgorithmContent(SampleOID.rsassaPSS)
                container.signerInfos.insert(other, at: 0)
            }
        ),
        (
            "with 20,000 SignerInfos of nobody behind",
            { container, _ in
                var nobody = container.signerInfos[0]
                nobody.serialNumber = 1
                nobody.signature = []
                container.signerInfos += Array(repeating: nobody, count: 20_000)
            }
        ),
        (
            "with a declared digest that nobody uses",
            { container, _ in container.digestAlgorithms.append(SampleDigest.sha1.algorithm) }
        ),
        (
            "with ten thousand declared digests",
            { container, _ in
                container.digestAlgorithms = Array(repeating: SampleDigest.sha1.algorithm, count: 10_000)
            }
        ),
        ("with no declared digest", { container, _ in container.digestAlgorithms = [] }),
        ("in BER", { container, _ in container.encoding = .indefinite(pieces: 1) }),
        (
            "with a SignerInfo twice, in BER",
            { container, _ in
                container.signerInfos += container.signerInfos
                container.encoding = .indefinite(pieces: 100)
            }
        ),
        (
            "with half a megabyte of unsigned attributes",
            { container, _ in
                let nulls = Array(repeatElement(DERWriter.null, count: 250_000).joined())
                container.signerInfos[0].unsignedAttributes = [
                    SignerInfoContent.attribute(SampleOID.signingDescription, nulls)
                ]
            }
        ),
    ]

    @Test(arguments: rewritings.indices)
    func `stays genuine`(index: Int) throws {
        let (name, change) = Self.rewritings[index]
        let facts = try facts(change)
        #expect(facts.failed == [.noncanonicalContainer], "\(name)")
        #expect(facts.notChecked == [])
        #expect(facts.isGenuine)
        #expect(facts.deviceHash == .match)
        #expect(facts.signature?.digestAlgorithm == .sha256)
        #expect(facts.signature?.chain.certificates == authority.certificates)
        #expect(facts.purchaseCount == 1)
    }

    @Test func `is no longer genuine if none of its first four signatures is Apple's`() throws {
        let facts = try facts { container, _ in
            let right = container.signerInfos[0]
            container.signerInfos[0].signature[0] ^= 1
            container.signerInfos = Array(repeating: container.signerInfos[0], count: 4) + [right]
        }
        #expect(facts.failed == [.noncanonicalContainer, .signatureInvalid])
        #expect(!facts.isGenuine)
    }

    @Test func `of which no signature is Apple's fails as its first does`() throws {
        let broken = try facts { container, other in
            container.signerInfos[0].signature[0] ^= 1
            container.signerInfos.append(other)
        }
        #expect(broken.failed == [.noncanonicalContainer, .signatureInvalid])
        let untrusted = try facts { container, other in
            container.signerInfos[0].signature[0] ^= 1
            container.signerInfos.insert(other, at: 0)
        }
        #expect(untrusted.failed == [.noncanonicalContainer, .chainUntrusted])
        let unknown = try facts { container, _ in
            container.signerInfos[0].signature[0] ^= 1
            var nobody = container.signerInfos[0]
            nobody.serialNumber = 1
            container.signerInfos.insert(nobody, at: 0)
        }
        #expect(unknown.failed == [.noncanonicalContainer, .signerNotFound])
        #expect(unknown.notChecked.contains(.signatureInvalid))
    }

    @Test func `with signed attributes is not signed by Apple, though the signature holds over them`() throws {
        let info = try SignerInfoContent.withSignedAttributes(
            over: Samples.receipt.der, by: authority.leaf, digest: .sha256)
        let facts = try facts { container, _ in container.signerInfos = [info] }
        #expect(facts.failed == [.noncanonicalContainer, .signatureInvalid])
        let both = try self.facts { container, _ in container.signerInfos.insert(info, at: 0) }
        #expect(both.failed == [.noncanonicalContainer])
        #expect(both.isGenuine)
    }

    @Test(arguments: [
        AlgorithmContent(SampleOID.rsassaPSS, parameters: DERWriter.element(.sequence)),
        // 1.2.840.10045.4.3.2, ecdsa-with-SHA256 (RFC 5758).
        AlgorithmContent([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02], parameters: nil),
        AlgorithmContent([0x2a, 0x03]),
    ])
    func `that says that its signature is of another algorithm than RSA's fails`(algorithm: AlgorithmContent) throws {
        let facts = try facts { container, _ in container.signerInfos[0].signatureAlgorithm = algorithm }
        #expect(facts.failed == [.noncanonicalContainer, .signatureInvalid])
    }

    /// The facts of the sample receipt in a container that was changed. It has the rogue's certificates, too.
    private func facts(_ change: Change) throws -> Facts {
        var container = try authority.sign(Samples.receipt)
        let other = SignerInfoContent(
            signer: try rogue.intermediates[0].issue(
                .leaf.with {
                    $0.key = .rogueLeaf; $0.serialNumber = 99
                }),
            digest: .sha256, signature: try rogue.leaf.key.signature(over: Samples.receipt.der, digest: .sha256))
        change(&container, other)
        if container.signerInfos.contains(where: { $0.serialNumber == 99 }) {
            container.certificates.append(
                try rogue.intermediates[0].issue(
                    .leaf.with {
                        $0.key = .rogueLeaf; $0.serialNumber = 99
                    }
                ).certificate)
        }
        return checker.facts(container.encoded)
    }
}
