import Corpus
import DER
import Encodings
import Inputs
import SampleStore

@testable import Checks
@testable import Proofs

/// Compares the product's verdicts on containers that are not in the strict form with those of OpenSSL.
///
/// Such a container is never valid, but whether Apple signed its content decides what is reported.
/// 1. If the product finds the content signed by a trusted signer, OpenSSL accepts the same content, signature and
///    certificates once they are written in the strict form.
/// 2. If OpenSSL finds the content signed, the product does not call the signature broken. There are four exceptions:
///    - The SignerInfo has signed attributes. OpenSSL encodes them again before it hashes them.
///    - It names another signature algorithm than rsaEncryption. OpenSSL looks only at the kind of key.
///    - It names a digest that is neither SHA-1 nor SHA-256. If OpenSSL does not know the identifier, it takes the
///      digest in the list instead.
///    - The signer's key is not in DER.
struct LenientCampaign {
    let specimen: Specimen
    let roots: [[UInt8]]
    private let checker: Checker

    init(_ specimen: Specimen, trust: TrustAnchors, roots: [[UInt8]]) throws {
        self.specimen = specimen
        self.roots = roots
        checker = try Checker(trust: trust, expectations: Expectations(asOf: Samples.asOf))
    }

    func run(_ count: Int, seed: UInt64) -> MutationTally {
        var tally = MutationTally()
        for number in 0..<count {
            var mutator = StructuralMutator(specimen, donors: [], seed: seed, number: number)
            let mutant = mutator.mutant()
            let facts = checker.facts(of: Claim(source: "a mutant"), receipt: mutant.bytes.span)
            guard let signature = facts.signature, facts.failed.contains(.noncanonicalContainer) else {
                tally.record(mutant, nil)
                continue
            }
            let date = facts.createdAt ?? Samples.created
            let isTrusted = signature.signature == .holds && signature.isChainCurrent(at: date) == true
            tally.record(mutant, isTrusted ? \.accepted : nil)
            guard let reading = Reading(mutant.bytes, checker.verifier) else { continue }
            if isTrusted, !isAccepted(reading, signature, at: date) {
                tally.fail(specimen.name, number, "signed and trusted, but OpenSSL rejects its values", mutant)
            }
            if signature.signature == .broken, reading.isOrdinary, hasReadableKey(signature),
                OpenSSLAnswer(mutant.bytes, roots: roots, at: date).signed != nil
            {
                tally.fail(specimen.name, number, "signed, says OpenSSL, but its signature is invalid", mutant)
            }
        }
        return tally
    }

    /// Whether OpenSSL accepts the values in the strict form, with the signature of one of the first SignerInfos.
    private func isAccepted(_ reading: Reading, _ verdict: SignatureVerdict, at date: Instant) -> Bool {
        reading.signerInfos.prefix(4).contains { info in
            guard
                var values = CanonicalEncoding(
                    reading.content, verdict, certificates: verdict.chain.certificates, signature: info.signature)
            else { return false }
            values.signedAttributes = info.signedAttributes
            let strict = values.encoding([.digestAlgorithms, .digestAlgorithm, .signatureAlgorithm])
            return OpenSSLAnswer(strict, roots: roots, at: date).cms == reading.content
        }
    }

    /// Whether the signer's key is in DER, as each of a trusted chain must be.
    private func hasReadableKey(_ verdict: SignatureVerdict) -> Bool {
        guard !verdict.chain.isTrusted, let signer = verdict.chain.certificates.first else { return true }
        return RSANumbers(certificate: signer.span) != nil
    }

    /// A container of any form, read with the tree.
    private struct Reading {
        let content: [UInt8]
        let signerInfos: [(digest: [UInt8], signedAttributes: [UInt8], algorithm: [UInt8], signature: [UInt8])]

        init?(_ bytes: [UInt8], _ verifier: SignatureVerifier) {
            guard let contents = try? verifier.contents(of: bytes.span),
                let der = try? DERRewriter.der(of: bytes.span), let tree = try? DERTree(parsing: der),
                let infos = tree[Field.signedData]?.children.last?.children
            else { return nil }
            content = contents.content
            signerInfos = infos.compactMap { info in
                guard let signature = info.children.last(where: { $0.tag == DERTag.octetString.rawValue }) else {
                    return nil
                }
                let attributes = info.children.dropFirst(2).first { $0.tag == DERTag.context0.rawValue }
                let algorithm = info.children.last { $0.tag == DERTag.sequence.rawValue }
                let digest = info.children.dropFirst(2).first?.children.first
                return (
                    digest?.octets ?? [], attributes?.encoded ?? [], algorithm?.children.first?.octets ?? [],
                    signature.octets
                )
            }
        }

        /// Whether no SignerInfo has signed attributes, and all name the algorithms that Apple names.
        var isOrdinary: Bool {
            signerInfos.allSatisfy {
                $0.signedAttributes.isEmpty && $0.algorithm == ObjectIdentifier.rsaEncryption
                    && [ObjectIdentifier.sha1, ObjectIdentifier.sha256].contains($0.digest)
            }
        }
    }
}
