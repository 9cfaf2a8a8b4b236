import Corpus
import DER
import Encodings
import SampleStore
import Testing

@testable import Proofs

/// What the screen refuses, OpenSSL refuses too; what OpenSSL trusts passes the screen.
struct `A chain that is refused before it is decoded` {
    private let library: OpenSSLLibrary
    private let authority: PrivateAuthority
    private let rogue: PrivateAuthority
    private let screen: ChainScreen
    private let chains: ChainVerifier

    init() throws {
        library = try OpenSSLLibrary()
        authority = try PrivateAuthority()
        rogue = try PrivateAuthority.rogue()
        let trust = try TrustAnchors(files: [(name: "root", bytes: authority.root.certificate)])
        screen = ChainScreen(trust: trust, .rsa, library: library)
        chains = try ChainVerifier(trust: trust, library: library)
    }

    @Test func `is none of a store's own, in any order`() throws {
        let certificates = authority.certificates
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [0, 1]] {
            let candidates = try candidates(order.map { certificates[$0] }, signer: authority.leaf)
            #expect(candidates?.first == authority.leaf.certificate)
        }
        let four = try PrivateAuthority.chainOfFour()
        #expect(try candidates(four.certificates, signer: four.leaf)?.count == 4)
        #expect(try candidates([authority.root.certificate], signer: authority.root) != nil)
    }

    @Test func `is a stranger's, whatever names it bears`() throws {
        #expect(try candidates(rogue.certificates, signer: rogue.leaf) == nil)
        let mixed = [rogue.certificates[0]] + authority.certificates.dropFirst()
        #expect(try candidates(mixed, signer: rogue.leaf) == nil)
    }

    @Test func `is one that lacks its intermediate`() throws {
        #expect(try candidates([authority.certificates[0], authority.certificates[2]], signer: authority.leaf) == nil)
    }

    @Test func `is a leaf that signed itself under the anchor's name`() throws {
        let impostor = try SampleIdentity(selfSigned: .root.with { $0.key = .rogueRoot })
        #expect(try candidates([impostor.certificate], signer: impostor) == nil)
    }

    @Test func `is none to which look-alikes were added, which are left out of it`() throws {
        let decoys = [rogue.certificates[1], rogue.certificates[2]]
        let candidates = try candidates(decoys + authority.certificates, signer: authority.leaf)
        #expect(candidates?.count == 3)
        #expect(candidates.map(Set.init) == Set(authority.certificates))
    }

    @Test func `is one with more look-alikes than are tried`() throws {
        let decoys = try [SampleKey.rogueLeaf, .rogueRoot, .developer, .subordinate].map { key in
            try rogue.root.issue(.intermediate.with { $0.key = key }).certificate
        }
        #expect(try candidates([authority.certificates[0]] + decoys, signer: authority.leaf) == nil)
        #expect(try candidates(decoys + authority.certificates, signer: authority.leaf) == nil)
    }

    @Test func `is refused by OpenSSL, among all choices of genuine and false certificates`() throws {
        let crossSigned = try rogue.root.issue(.intermediate).certificate
        var compared = 0
        // No more look-alikes than are tried.
        for pool in [rogue.certificates, Array(rogue.certificates.prefix(2)) + [crossSigned]] {
            let pool = authority.certificates + pool
            for choice in 1..<(1 << pool.count) {
                let chosen = pool.indices.filter { choice >> $0 & 1 == 1 }.map { pool[$0] }
                for certificates in [chosen, chosen.reversed()] {
                    compared += try compare(certificates, signer: authority.leaf, "choice \(choice)")
                }
            }
        }
        #expect(compared > 100)
    }

    @Test(arguments: SampleDigest.allCases)
    func `is refused by OpenSSL, among mutants of a genuine one`(digest: SampleDigest) throws {
        let genuine = try PrivateAuthority(
            root: .root, intermediates: [.intermediate.with { $0.digest = digest }],
            leaf: .leaf.with { $0.digest = digest })
        var source = Mutations(seed: 3)
        var compared = 0
        for number in 0..<600 {
            var certificates = genuine.certificates
            let place = source.number(below: 3)
            certificates[place] = source.mutate(certificates[place])
            compared += try compare(certificates, signer: genuine.leaf, "mutant \(number)")
        }
        #expect(compared > 150)
    }

    @Test func `has its signer's serial number as OpenSSL writes it`() throws {
        let verifier = try SignatureVerifier(trust: .apple())
        for number in [0, 1, 127, 128, 255, 256, -1, -128, -129, -256, 0x0ee5_5a3d_1e00_0002] {
            let signer = try SampleIdentity(selfSigned: .leaf.with { $0.serialNumber = number })
            let name = SignerName(signer)
            let certificate = signer.certificate
            let references = SignerReferences(
                certificates: 0..<certificate.count, identifier: name.identifier, in: certificate.span)
            let verdict = try verifier.signers(references)[0].chain(at: nil)
            let decoded = try Certificate(der: signer.certificate.span, library: library)
            let expected = decoded.serialNumber
            #expect(verdict.signerSerialNumber == expected)
        }
    }

    @Test(.enabled(if: Corpus.isThere, "RECEIPTS_CORPUS is not set"))
    func `is none of Apple's`() throws {
        let screen = try ChainScreen(trust: .apple(), .rsa, library: library)
        for name in Corpus.files(in: "receipts", ending: ".der") where !name.hasPrefix("xcode") {
            let bytes = Corpus.bytes("receipts/" + name)
            let signedData = try SignedData(strict: bytes.span)
            var search = ChainSearch(CertificateBag(signedData.references).entries, screen: screen)
            #expect(search.candidates(for: 0)?.encodings.count == 3, "\(name)")
        }
    }

    /// Expects that OpenSSL refuses what the screen refuses.
    ///
    /// - Returns: how often there was something to compare, once or not at all.
    private func compare(_ certificates: [[UInt8]], signer: SampleIdentity, _ name: String) throws -> Int {
        let bytes = Array(certificates.joined())
        let name = SignerName(signer)
        let references = SignerReferences(
            certificates: 0..<bytes.count, identifier: name.identifier, in: bytes.span)
        let bag = CertificateBag(references)
        guard let index = bag.signerIndexes[0], candidates(bag) == nil,
            let decoded = try? DecodedCertificates(bag.encodings(beginningWith: index), library: library)
        else { return 0 }
        if case .untrusted = chains.verdict(on: decoded, at: nil).trust { return 1 }
        Issue.record("\(name) is trusted")
        return 1
    }

    private func candidates(_ certificates: [[UInt8]], signer: SampleIdentity) throws -> [[UInt8]]? {
        let bytes = Array(certificates.joined())
        let name = SignerName(signer)
        let references = SignerReferences(
            certificates: 0..<bytes.count, identifier: name.identifier, in: bytes.span)
        let bag = CertificateBag(references)
        #expect(bag.deviation == nil)
        return candidates(bag)
    }

    private func candidates(_ bag: CertificateBag) -> [[UInt8]]? {
        guard let signer = bag.signerIndexes[0] else { return nil }
        var search = ChainSearch(bag.entries, screen: screen)
        return search.candidates(for: signer)?.encodings
    }
}

/// The issuer and serial number that name a certificate in a SignerInfo.
struct SignerName {
    private let issuer: [UInt8]
    private let serialNumber: [UInt8]

    init(_ signer: SampleIdentity) {
        let info = SignerInfoContent(signer: signer, digest: .sha256, signature: [])
        issuer = info.issuer
        serialNumber = Array(DERWriter.integer(info.serialNumber).dropFirst(2))
    }

    var identifier: SignerIdentifier {
        @_lifetime(borrow self) borrowing get {
            .issuerAndSerialNumber(IssuerAndSerialNumber(issuer: issuer.span, serialNumber: serialNumber.span))
        }
    }
}
