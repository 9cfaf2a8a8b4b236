import Checks
import Encodings
import Inputs
import Proofs
import Receipts

/// The JSON object of an inspection; ``InspectionJSON`` documents it.
struct InspectionObject: Encodable {
    let receipt: ExactText
    let size: Nullable<Int>
    let isBase64: Bool
    let asOf: String
    let verdict: String
    let failedChecks: [String]
    let checks: [CheckObject]
    let guid: String
    let container: Nullable<ContainerObject>
    let chain: Nullable<ChainObject>
    let attributes: [AttributeObject]
    let unreadable: [UnreadableObject]

    init(_ inspection: Inspection) {
        let facts = inspection.facts
        receipt = facts.claim.source
        size = Nullable(inspection.byteCount)
        isBase64 = inspection.isBase64
        asOf = inspection.asOf.description
        verdict = facts.verdict.rawValue
        failedChecks = facts.failed.sorted.map(\.code)
        checks = inspection.checks.map(CheckObject.init)
        guid = facts.deviceHash.rawValue
        container = Nullable(ContainerObject(inspection))
        chain = Nullable(ChainObject(inspection))
        attributes = (inspection.attributes?.attributes ?? []).map(AttributeObject.init)
        unreadable = (inspection.attributes?.unreadable ?? []).map(UnreadableObject.init)
    }
}

struct CheckObject: Encodable {
    let code: String
    let outcome: String
    let reason: String

    init(_ result: CheckResult) {
        code = result.check.code
        outcome = result.outcome.rawValue
        reason = result.reason
    }
}

struct ContainerObject: Encodable {
    let isCanonical: Bool
    let deviation: Nullable<String>
    let digest: Nullable<String>
    let contentSize: Int
    let contentSha256: String
    let certificates: Int

    init?(_ inspection: Inspection) {
        guard let contents = inspection.contents, let signature = inspection.facts.signature else { return nil }
        isCanonical = signature.deviation == nil
        deviation = Nullable(inspection.deviation)
        digest = Nullable(signature.digestAlgorithm?.rawValue)
        contentSize = contents.content.count
        let contentDigest = signature.contentDigest
        contentSha256 = Hex.string(contentDigest.octets)
        certificates = contents.certificates.count
    }
}

struct ChainObject: Encodable {
    let trust: String
    let reason: Nullable<String>
    let certificates: [CertificateObject]

    init?(_ inspection: Inspection) {
        guard let chain = inspection.facts.signature?.chain else { return nil }
        switch chain.trust {
        case .noSigner: (trust, reason) = ("no-signer", Nullable(nil))
        case .untrusted(let openSSL): (trust, reason) = ("untrusted", Nullable(openSSL))
        case .trusted: (trust, reason) = ("trusted", Nullable(nil))
        }
        certificates = inspection.certificates.compactMap { certificate in
            if case .success(let description) = certificate { CertificateObject(description) } else { nil }
        }
    }
}

struct CertificateObject: Encodable {
    let subject: String
    let issuer: String
    let serialNumber: String
    let notBefore: String
    let notAfter: String
    let publicKey: String
    let signatureAlgorithm: String
    let sha256: String

    init(_ certificate: CertificateDescription) {
        subject = certificate.subject
        issuer = certificate.issuer
        serialNumber = certificate.serialNumber
        notBefore = certificate.notBefore.description
        notAfter = certificate.notAfter.description
        publicKey = certificate.publicKey
        signatureAlgorithm = certificate.signatureAlgorithm
        sha256 = certificate.fingerprint
    }
}
