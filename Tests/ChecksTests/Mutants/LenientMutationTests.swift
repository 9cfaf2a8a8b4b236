import Corpus
import Encodings
import Inputs
import Proofs
import SampleStore
import Testing

@testable import Checks

/// The product and OpenSSL agree about the content of a container that is not in the strict form.
struct `A structural mutant in another form` {
    @Test(.enabled(if: Corpus.isThere, "RECEIPTS_CORPUS is not set"))
    func `of a genuine receipt is signed if its content is`() async throws {
        let roots = ["AppleRootCA.cer", "AppleRootG2.cer", "AppleRootG3.cer"].map { Corpus.bytes("certs/" + $0) }
        let specimens = Corpus.files(in: "receipts", ending: ".der")
            .compactMap { Specimen(name: $0, bytes: Corpus.bytes("receipts/" + $0)) }
        let tally = try await MutationTally.sum(specimens) { specimen in
            try LenientCampaign(specimen, trust: .apple(), roots: roots)
                .run(MutationBudget.mutants / 20 / specimens.count, seed: MutationBudget.seed)
        }
        tally.check()
    }

    @Test func `of a sample receipt is signed if its content is`() async throws {
        let authority = try PrivateAuthority()
        let root = authority.root.certificate
        let deviations: [ContainerVariant] = [
            .parametersAbsent, .indefiniteLengths, .constructedContent, .longLengths, .signedAttributes,
            .unsignedAttributes, .certificateTwice, .unrelatedCertificate, .otherVersion, .namedSignatureAlgorithm,
        ]
        let specimens = try deviations.compactMap { deviation in
            Specimen(
                name: deviation.rawValue, bytes: try deviation.container(signing: Samples.receipt.der, by: authority))
        }
        let tally = try await MutationTally.sum(specimens) { specimen in
            try LenientCampaign(
                specimen, trust: TrustAnchors(files: [(name: "root", bytes: root)]), roots: [root]
            ).run(MutationBudget.mutants / 20 / specimens.count, seed: MutationBudget.seed)
        }
        tally.check()
    }

    /// OpenSSL hashes its own encoding of the attributes, the product the octets that are there (RFC 5652, section 5.4:
    /// the DER encoding, which these are not).
    @Test func `with signed attributes that are not in DER is not signed, though OpenSSL says so`() throws {
        let authority = try PrivateAuthority()
        let container = try ContainerVariant.signedAttributes.container(
            signing: Samples.receipt.der, by: authority)
        var tree = try DERTree(parsing: container)
        let contentType = Field.signerInfo + [3, 0, 1, 0]
        #expect(tree[contentType]?.tag == 0x06)
        // The tag of an OBJECT IDENTIFIER in the form for tag numbers from 31 on.
        tree.retag(at: contentType, [0x1f, 0x06])
        let checker = try Samples.checker(trusting: authority.root.certificate)
        let facts = checker.facts(tree.encoded)
        #expect(facts.failed.contains(.noncanonicalContainer))
        #expect(!facts.isGenuine)
        let answer = OpenSSLAnswer(tree.encoded, roots: [authority.root.certificate], at: Samples.created)
        #expect(answer.cms == Samples.receipt.der)
    }

    /// Whoever rewrites a name that nothing signs must not shed what the rules say of its purchases.
    @Test func `with a signature algorithm for another digest is signed by the digest that is declared`() throws {
        let authority = try PrivateAuthority()
        var container = try authority.sign(Samples.receipt, digest: .sha256)
        container.signerInfos[0].signatureAlgorithm = SampleDigest.sha1.signatureAlgorithm
        let checker = try Samples.checker(trusting: authority.root.certificate)
        let facts = checker.facts(container.encoded)
        #expect(facts.failed.contains(.noncanonicalContainer))
        #expect(facts.isGenuine)
        let answer = OpenSSLAnswer(container.encoded, roots: [authority.root.certificate], at: Samples.created)
        #expect(answer.cms == Samples.receipt.der)
    }
}
