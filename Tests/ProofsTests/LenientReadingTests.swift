import Corpus
import DER
import Encodings
import SampleStore
import Testing

@testable import Proofs

/// What is read of a container in any other form is what OpenSSL's CMS decoder reads of it.
struct `A container in another form` {
    typealias Deviation = ContainerVariant

    #if DEBUG
        private static let mutants = 60
    #else
        private static let mutants = 600
    #endif
    private static let encodings: [ContainerEncoding] = [
        .der, .longLengths, .constructed(pieces: 100), .indefinite(pieces: 1), .indefinite(pieces: 1000),
    ]

    @Test(arguments: encodings)
    func `is read whatever its encoding is`(encoding: ContainerEncoding) throws {
        let authority = try PrivateAuthority()
        var container = try authority.sign(Self.receipt)
        container.encoding = encoding
        let reading = try #require(Reading(container.encoded, trusting: authority))
        #expect(reading.content == Self.receipt.der)
        #expect(reading.verdict.signature == .holds)
        #expect(reading.verdict.chain.certificates == authority.certificates)
        #expect(try compare(container.encoded, trusting: authority).verified > 2)
    }

    @Test(arguments: Deviation.allCases, SampleDigest.allCases)
    func `is read as OpenSSL reads it, and so are its mutants`(deviation: Deviation, digest: SampleDigest) throws {
        let authority = try PrivateAuthority()
        let container = try deviation.container(signing: Self.receipt.der, by: authority, digest: digest)
        let compared = try compare(container, trusting: authority)
        // Neither reads anything that is not signed content.
        let isNone = [
            .dataKind, .envelopedKind, .detached, .otherContentType, .truncated, .leftOverInside,
        ].contains(deviation)
        #expect(isNone || compared.read > 2)
        let isUnchecked = [
            .noSignerInfo, .noCertificates, .noLeaf, .wrongIssuer, .wrongSerialNumber,
        ].contains(deviation)
        #expect(isNone || isUnchecked || compared.verified > 2)
    }

    @Test func `is read as OpenSSL reads it if Xcode wrote it, and so are its mutants`() throws {
        let authority = try PrivateAuthority()
        let container = try XcodeReceipt.bytes(Self.receipt)
        #expect(Reading(container, trusting: authority)?.verdict.signature == .holds)
        #expect(try compare(container, trusting: authority).verified > 2)
    }

    @Test(
        .enabled(if: Corpus.isThere, "RECEIPTS_CORPUS is not set"),
        arguments: Corpus.files(in: "receipts", ending: ".der"))
    func `is read as OpenSSL reads it if it is genuine`(name: String) throws {
        let container = Corpus.bytes("receipts/" + name)
        #expect(Reading(container, trusting: try PrivateAuthority())?.verdict.signature == .holds)
        #expect(try compare(container, trusting: try PrivateAuthority()).verified > 2)
    }

    @Test func `with signed attributes has no signature over its content`() throws {
        let authority = try PrivateAuthority()
        var container = try authority.sign(Self.receipt)
        container.signerInfos = [
            try .withSignedAttributes(over: Self.receipt.der, by: authority.leaf, digest: .sha256)
        ]
        let verdict = try #require(Reading(container.encoded, trusting: authority)).verdict
        #expect(verdict.signature == .broken)
        #expect(verdict.flaw == .signedAttributes)
    }

    @Test func `of several signers is judged by the first that is genuine`() throws {
        let authority = try PrivateAuthority()
        var container = try authority.sign(Self.receipt)
        let right = container.signerInfos[0]
        container.signerInfos[0].serialNumber = 1
        container.signerInfos += [right, right]
        let verdict = try #require(Reading(container.encoded, trusting: authority)).verdict
        #expect(verdict.signature == .holds)
        #expect(verdict.signerInfo == SignatureVerdict.SignerInfo(index: 1, count: 3))
        #expect(verdict.chain.certificates == authority.certificates)
    }

    private static let receipt = ReceiptContent(
        bundleID: "com.example.notes", device: .vendorIdentifier(Array(1...16)), createdAt: .utc(2024, 3, 1))

    /// What the product reads.
    private struct Reading {
        let content: [UInt8]
        let verdict: SignatureVerdict

        init?(_ container: [UInt8], trusting authority: PrivateAuthority) {
            guard let trust = try? TrustAnchors(files: [(name: "root", bytes: authority.root.certificate)]),
                let verifier = try? SignatureVerifier(trust: trust)
            else { return nil }
            self.init(container, verifier)
        }

        init?(_ container: [UInt8], _ verifier: SignatureVerifier) {
            guard let signedData = try? LenientSignedData(container.span, deviation: .contentType),
                let signer = try? verifier.signer(of: signedData)
            else { return nil }
            content = signedData.content.copy()
            verdict = verifier.verdict(on: signedData, by: signer, at: .utc(2024, 3, 1))
        }
    }

    /// Compares what both can read, of a container and of its mutants.
    ///
    /// - Returns: how many both could read, and of how many the signature was checked.
    private func compare(
        _ container: [UInt8], trusting authority: PrivateAuthority
    ) throws -> (read: Int, verified: Int) {
        let trust = try TrustAnchors(files: [(name: "root", bytes: authority.root.certificate)])
        let verifier = try SignatureVerifier(trust: trust)
        var source = Mutations(seed: UInt64(container.count))
        var (read, verified) = (0, 0)
        for number in 0...Self.mutants {
            let mutant = number == 0 ? container : source.mutate(container)
            guard let reading = Reading(mutant, verifier), let oracle = CMSReading(mutant) else { continue }
            read += 1
            #expect(reading.content == oracle.content, "mutant \(number)")
            let verdict = reading.verdict
            guard !oracle.signers.isEmpty else {
                #expect(verdict.signature == .notChecked(.noSignature), "mutant \(number)")
                continue
            }
            let signer = oracle.signers[verdict.signerInfo.index]
            #expect(verdict.signerInfo.count == oracle.signers.count, "mutant \(number)")
            if case .notChecked = verdict.signature {
                // Then there is nothing to compare.
            } else {
                verified += 1
                let isSame = (verdict.signature == .holds) == signer.holds
                #expect(isSame, "mutant \(number)")
            }
            if let certificate = signer.certificate, verdict.chain.trust != .noSigner {
                #expect(verdict.chain.certificates.first == certificate, "mutant \(number)")
            }
        }
        return (read, verified)
    }
}
