import DER
import Encodings
import SampleStore
import Testing

@testable import Proofs

/// No key is used that costs more than one of Apple's, unless a verified chain vouches for it; and no certificate is
/// decoded for which no trusted authority vouches.
struct `An untrusted key` {
    private let authority: PrivateAuthority
    private let verifier: SignatureVerifier
    /// The Name of a trust anchor whose key is ECDSA's.
    private let ecdsaAnchor: [UInt8]

    init() throws {
        authority = try PrivateAuthority()
        let apple = try TrustAnchors.apple()
        let ecdsa = try #require(apple.anchors.first { $0.certificate.publicKey == "EC-384" }).der
        ecdsaAnchor = try StrictCertificate(ecdsa.span).subject.copy()
        verifier = try SignatureVerifier(
            trust: TrustAnchors(files: [(name: "root", bytes: authority.root.certificate), (name: "G3", bytes: ecdsa)]))
    }

    /// Signature algorithms that a forger may name in a certificate.
    private static let algorithms: [(String, [UInt8])] = [
        ("SHA-1 with RSA", HostileCertificate.algorithm(ObjectIdentifier.sha1WithRSA)),
        ("SHA-256 with RSA", HostileCertificate.algorithm(ObjectIdentifier.sha256WithRSA)),
        ("SHA-384 with RSA", HostileCertificate.algorithm(ObjectIdentifier.sha384WithRSA)),
        ("SHA-512 with RSA", HostileCertificate.algorithm(ObjectIdentifier.sha512WithRSA)),
        ("SHA-224 with RSA", HostileCertificate.algorithm(pkcs1 + [0x0e])),
        ("MD5 with RSA", HostileCertificate.algorithm(pkcs1 + [0x04])),
        ("PSS", HostileCertificate.algorithm(ObjectIdentifier.rsassaPSS, parameters: DERWriter.element(.sequence))),
        ("ECDSA with SHA-256", HostileCertificate.algorithm([0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2], parameters: [])),
        ("ECDSA with SHA-384", HostileCertificate.algorithm([0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 3], parameters: [])),
        ("Ed25519", HostileCertificate.algorithm([0x2b, 0x65, 0x70], parameters: [])),
        ("nothing known", HostileCertificate.algorithm([0x2a, 3, 4, 5])),
        ("other parameters", HostileCertificate.algorithm(ObjectIdentifier.sha256WithRSA, parameters: [4, 1, 0])),
    ]
    private static let pkcs1: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01]

    enum Issuer: CaseIterable { case rsaAnchor, ecdsaAnchor, intermediate, itself }

    private func name(of issuer: Issuer) -> [UInt8] {
        switch issuer {
        case .rsaAnchor: authority.root.content.subject.der
        case .ecdsaAnchor: ecdsaAnchor
        case .intermediate: authority.intermediates[0].content.subject.der
        case .itself: HostileCertificate.name("Nobody")
        }
    }

    @Test(arguments: Issuer.allCases)
    func `above the limit is not used, and nothing is decoded, whatever the certificate says`(issuer: Issuer) throws {
        let keys = [
            ("16,384 bits", HostileCertificate.rsaKey(bits: 16_384, exponent: [1, 0, 1])),
            ("2,056 bits", HostileCertificate.rsaKey(bits: 2056, exponent: [1, 0, 1])),
            ("an exponent of 32 bits", HostileCertificate.rsaKey(bits: 2048, exponent: [0xff, 0xff, 0xff, 0xff])),
            (
                "an exponent of 3,071 bits",
                HostileCertificate.rsaKey(bits: 3072, exponent: Array(repeating: 0x7f, count: 384))
            ),
        ]
        for (algorithm, identifier) in Self.algorithms {
            for (size, key) in keys {
                let verdict = try verdict(
                    HostileCertificate(issuer: name(of: issuer), publicKeyInfo: key, algorithm: identifier))
                #expect(verdict.signature == .notChecked(.costlyKey), "\(size), \(algorithm)")
                #expect(!verdict.chain.isTrusted)
            }
        }
        #expect(verifier.otherChains.isEmpty)
    }

    @Test(arguments: Issuer.allCases)
    func `that is none of RSA's is not used, and its signature does not hold`(issuer: Issuer) throws {
        for (algorithm, identifier) in Self.algorithms {
            let verdict = try verdict(
                HostileCertificate(
                    issuer: name(of: issuer), publicKeyInfo: HostileCertificate.ecdsaKey, algorithm: identifier))
            #expect(verdict.signature == .broken, "\(algorithm)")
        }
        #expect(verifier.otherChains.isEmpty)
    }

    @Test func `within the limit is used`() throws {
        let rogue = try PrivateAuthority.rogue()
        let bytes = try rogue.receipt(Self.receipt)
        let signedData = try SignedData(strict: bytes.span)
        let verdict = verifier.verdict(on: signedData, by: try verifier.signer(of: signedData), at: Self.date)
        #expect(verdict.signature == .holds)
        #expect(!verdict.chain.isTrusted)
    }

    @Test func `above the limit is not used where every link holds, but the chain is not trusted`() throws {
        // The intermediate says that no authority may follow it, and one does.
        let subordinate = try authority.intermediates[0].issue(.subordinate)
        let leaf = HostileCertificate(
            issuer: subordinate.content.subject.der,
            publicKeyInfo: HostileCertificate.rsaKey(bits: 8192, exponent: [1, 0, 1]))
        let signed = try leaf.signed(by: subordinate)
        let others = [subordinate.certificate] + authority.certificates.dropFirst()
        let verdict = try verdict(leaf, certificates: [signed] + others)
        #expect(verdict.signature == .notChecked(.costlyKey))
        #expect(verdict.chain.trust == .untrusted(reason: "path length constraint exceeded"))
        #expect(verifier.otherChains.count == 1)
        #expect(verifier.trustedChains.isEmpty)
    }

    @Test func `does not vouch for a certificate if it is no authority's`() throws {
        let leaf = HostileCertificate(issuer: authority.leaf.content.subject.der)
        let signed = try leaf.signed(by: authority.leaf)
        let verdict = try verdict(leaf, certificates: [signed] + authority.certificates)
        #expect(!verdict.chain.isTrusted)
        #expect(verifier.otherChains.isEmpty)
    }

    @Test func `and those who have one do not displace what is kept of trusted signers`() throws {
        let genuine = try authority.receipt(Self.receipt)
        let signer = try signer(genuine)
        for number in 0..<20 {
            for issuer in Issuer.allCases {
                let issuer = name(of: issuer)
                let certificate = HostileCertificate(issuer: issuer, serialNumber: number)
                _ = try verdict(certificate, certificates: [certificate.der] + authority.certificates.dropFirst())
            }
            // The genuine signer, with one more certificate.
            var container = try authority.sign(Self.receipt)
            container.certificates.append(HostileCertificate(serialNumber: number).der)
            _ = try self.signer(container.encoded)
        }
        #expect(verifier.trustedSigners.count == 1)
        #expect(verifier.trustedChains.count == 1)
        #expect(try self.signer(genuine) === signer)
    }

    private static let date = Instant.utc(2024, 3, 1)
    private static let receipt = ReceiptContent(
        bundleID: "com.example.notes", device: .vendorIdentifier(Array(1...16)), createdAt: date)

    private func signer(_ bytes: [UInt8]) throws -> Signer {
        try verifier.signer(of: SignedData(strict: bytes.span)).signers[0]
    }

    /// The verdict on a receipt that the owner of this certificate seems to have signed.
    private func verdict(
        _ certificate: HostileCertificate, certificates: [[UInt8]]? = nil
    ) throws -> SignatureVerdict {
        var container = try authority.sign(Self.receipt)
        container.certificates = certificates ?? [certificate.der]
        container.signerInfos[0].identifier = certificate.identifier
        let bytes = container.encoded
        let signedData = try SignedData(strict: bytes.span)
        return verifier.verdict(on: signedData, by: try verifier.signer(of: signedData), at: Self.date)
    }
}

struct `An authority's key` {
    private let library: OpenSSLLibrary

    init() throws { library = try OpenSSLLibrary() }

    @Test func `verifies certificates signed with SHA-1 and with SHA-384, and is none if it is not RSA's`() throws {
        var answers: [Bool?] = []
        for anchor in try TrustAnchors.apple().anchors {
            answers.append(IssuerKey(certificate: anchor.der, .rsa, library: library)?.signed(anchor.der))
        }
        #expect(answers == [true, true, nil])
    }

    @Test(arguments: CertificateDigest.allCases)
    func `takes what was signed with any of four digests, and nothing else`(algorithm: CertificateDigest) throws {
        let oracle = try #require(RSAOracle.key(bits: 2048))
        let key = try #require(RSAKey(oracle.numbers, library: library))
        let digest = library.certificateDigest(algorithm, of: [1, 2, 3].span)
        let signature = oracle.sign(encoded: oracle.encoding(of: algorithm.digestInfoHead + digest))
        #expect(oracle.accepts(signature, ofCertificate: digest, algorithm))
        for other in CertificateDigest.allCases {
            let isSame = other == algorithm
            let holds = key.verifies(signature.span, of: digest, other)
            #expect(holds == isSame)
        }
        for index in digest.indices {
            var changed = digest
            changed[index] ^= 1
            let holds = key.verifies(signature.span, of: changed, algorithm)
            #expect(!holds)
        }
    }

    @Test func `costs as much as its size says, and a container has a budget of failures`() {
        #expect(RSANumbers(modulus: Array(repeating: 1, count: 128), exponent: [3]).verificationCost == 1)
        #expect(RSANumbers(modulus: Array(repeating: 1, count: 256), exponent: [1, 0, 1]).verificationCost == 1)
        #expect(RSANumbers(modulus: Array(repeating: 1, count: 512), exponent: [1, 0, 1]).verificationCost == 4)
        #expect(RSANumbers(modulus: Array(repeating: 1, count: 256), exponent: [1, 0, 0, 1]).verificationCost == 4)
        #expect(failures(of: 1) == 4)
        #expect(failures(of: 4) == 2)
        #expect(failures(of: 1000) == 1)
    }

    private func failures(of cost: Int) -> Int {
        var budget = LinkBudget()
        var count = 0
        while !budget.isSpent {
            budget.spend(cost)
            count += 1
        }
        return count
    }
}
