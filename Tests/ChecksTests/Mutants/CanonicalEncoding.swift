import DER
import Encodings
import SampleStore

@testable import Checks
@testable import Proofs

/// What the product read of a container, as values, and the only bytes that the strict form has for them.
///
/// The encoder knows nothing of the parser: the structure is RFC 5652's (sections 3, 5.1 and 5.3) and RFC 5280's
/// (section 4.1) with the choices that Apple makes. If a container that is valid differs from this, somebody could write
/// something into it that nobody signed.
struct CanonicalEncoding: Equatable {
    /// A certificate: what its issuer signed, with which algorithm, and the signature's bytes.
    struct Certificate: Hashable {
        let toBeSigned: [UInt8]
        let algorithm: [UInt8]
        let signature: [UInt8]
    }

    let content: [UInt8]
    let digestAlgorithm: DigestAlgorithm
    let certificates: [Certificate]
    /// The issuer's Name and the serial number in the certificate of the signer.
    let issuer: [UInt8]
    let serialNumber: [UInt8]
    let signature: [UInt8]
    /// Attributes that the signature is over, whole: a container in the strict form has none.
    var signedAttributes: [UInt8] = []

    /// Takes the values out of what the product says of a container in the strict form; `nil` if it lacks any.
    init?(of container: [UInt8], _ verdict: SignatureVerdict, by verifier: SignatureVerifier) {
        guard let contents = try? verifier.contents(of: container.span),
            let signedData = try? SignedData(strict: container.span)
        else { return nil }
        self.init(
            contents.content, verdict, certificates: contents.certificates, signature: signedData.signature.copy())
    }

    /// Takes the signer and the digest algorithm out of a verdict.
    init?(_ content: [UInt8], _ verdict: SignatureVerdict, certificates: [[UInt8]], signature: [UInt8]) {
        guard let digest = verdict.digestAlgorithm,
            let signer = verdict.chain.certificates.first.flatMap(CertificateParts.init(_:))
        else { return nil }
        var parts: [Certificate] = []
        for encoding in certificates {
            guard let certificate = CertificateParts(encoding) else { return nil }
            parts.append(
                Certificate(
                    toBeSigned: certificate.toBeSigned.encoded, algorithm: certificate.algorithm.encoded,
                    signature: certificate.signature))
        }
        self.content = content
        digestAlgorithm = digest
        self.certificates = parts
        issuer = signer.issuer.encoded
        serialNumber = signer.serialNumber.encoded
        self.signature = signature
    }

    /// Which of the three AlgorithmIdentifiers have a NULL as parameters; the others have none.
    struct Nulls: OptionSet, CaseIterable {
        let rawValue: Int
        static let digestAlgorithms = Nulls(rawValue: 1)
        static let digestAlgorithm = Nulls(rawValue: 2)
        static let signatureAlgorithm = Nulls(rawValue: 4)
        static let allCases = (0..<8).map(Nulls.init)
    }

    /// The parameters with which these values give this container; `nil` if none do.
    func nulls(in container: [UInt8]) -> Nulls? { Nulls.allCases.first { encoding($0) == container } }

    /// The container.
    func encoding(_ nulls: Nulls) -> [UInt8] {
        let digest = digestAlgorithm == .sha1 ? ObjectIdentifier.sha1 : ObjectIdentifier.sha256
        let signerInfo = DERWriter.element(
            .sequence,
            DERWriter.integer(1),
            DERWriter.element(.sequence, issuer, serialNumber),
            Self.algorithm(digest, nulls.contains(.digestAlgorithm)),
            signedAttributes,
            Self.algorithm(ObjectIdentifier.rsaEncryption, nulls.contains(.signatureAlgorithm)),
            DERWriter.element(.octetString, signature))
        let signedData = DERWriter.element(
            .sequence,
            DERWriter.integer(1),
            DERWriter.element(.set, Self.algorithm(digest, nulls.contains(.digestAlgorithms))),
            Self.contentInfo(ObjectIdentifier.data, DERWriter.element(.octetString, content)),
            DERWriter.element(DERTag.context0.rawValue, certificates.map(\.encoding)),
            DERWriter.element(.set, signerInfo))
        return Self.contentInfo(ObjectIdentifier.signedData, signedData)
    }

    private static func contentInfo(_ type: [UInt8], _ content: [UInt8]) -> [UInt8] {
        DERWriter.element(
            .sequence, DERWriter.element(.objectIdentifier, type), DERWriter.element(.context0, content))
    }

    private static func algorithm(_ identifier: [UInt8], _ hasNull: Bool) -> [UInt8] {
        DERWriter.element(
            .sequence, DERWriter.element(.objectIdentifier, identifier), hasNull ? DERWriter.null : [])
    }
}

extension CanonicalEncoding.Certificate {
    var encoding: [UInt8] {
        DERWriter.element(.sequence, toBeSigned, algorithm, DERWriter.element(.bitString, [0], signature))
    }
}
