import Encodings
import Proofs
import Receipts

/// The signature, and the signer's chain of certificates.
extension Explanation {
    func chainSuccess(of check: Check) -> String {
        switch check {
        case .signatureInvalid: "The signature holds over the content (\(digestName))." + whichSignerInfo
        case .signerNotFound: "The signer is \(signerName)."
        case .chainUntrusted: "The chain ends at the trust anchor \(certificates.last.map(name) ?? "")."
        case .chainExpired:
            "All \(certificates.count) certificates were valid when the receipt was created, on \(createdText)."
        default: "Leaf and intermediate carry Apple's markers of receipt signing."
        }
    }

    func chainFailure(of check: Check) -> String {
        switch check {
        case .signatureInvalid: brokenSignature + whichSignerInfo
        case .signerNotFound: "None of the container's certificates is the signer's (\(certificatesText))."
        case .chainUntrusted: untrusted
        case .chainExpired: expired
        default: unmarked
        }
    }

    /// Why a signature that there may be was not checked.
    var uncheckedSignature: String {
        guard case .notChecked(let obstacle)? = facts.signature?.signature else { return "" }
        return switch obstacle {
        case .noSignature: "Nobody signed it."
        case .noCertificate: "There is no certificate to check it with."
        case .costlyKey:
            "The signer's chain is not trusted, and its key is larger than Apple's: such keys are not used."
        }
    }

    private var brokenSignature: String {
        switch facts.signature?.flaw {
        case .otherAlgorithm?: "The signature was made with an algorithm that receipts are not signed with."
        case .signedAttributes?: "The signature is over signed attributes, not over the content."
        case nil:
            "The signature does not hold over the content: "
                + "one of them was altered, or another key signed (\(digestName))."
        }
    }

    /// Which of several SignerInfos the checks are about, with a blank in front.
    private var whichSignerInfo: String {
        guard let info = facts.signature?.signerInfo, info.count > 1 else { return "" }
        if facts.isGenuine { return " It is that of SignerInfo \(info.index + 1) of \(info.count)." }
        let first = " It is that of the first of \(info.count) SignerInfos"
        return info.examined == info.count
            ? "\(first), none of which is Apple's."
            : "\(first); none of the first \(info.examined) is Apple's, and the others are not looked at."
    }

    private var digestName: String {
        switch facts.signature?.digestAlgorithm {
        case .sha1?: "RSA with SHA-1"
        case .sha256?: "RSA with SHA-256"
        case nil: "a digest algorithm that Apple does not use"
        }
    }

    private var createdText: String { facts.createdAt?.description ?? "" }

    private var certificatesText: String {
        certificates.isEmpty ? "it holds none" : "it holds " + certificates.map(name).joined(separator: ", ")
    }

    private var signerName: String {
        guard let signer = certificates.first else { return "known" }
        return "\(name(signer)), serial number \(signer.serialNumber)"
    }

    private func name(_ certificate: CertificateDescription) -> String { quoted(certificate.subjectName) }

    private var untrusted: String {
        var text = "The chain does not end at a trust anchor"
        if case .untrusted(let reason)? = facts.signature?.chain.trust { text += "; OpenSSL says: \(reason)" }
        if let signer = certificates.first {
            text +=
                signer.isSelfIssued
                ? ". The signer \(name(signer)) is self-signed"
                : ". The signer is \(name(signer)), issued by \(quoted(signer.issuerName))"
        }
        return text + "."
    }

    /// Which certificates were not valid, and when they were.
    private var expired: String {
        guard let date = facts.createdAt else { return "" }
        let faults = certificates.compactMap { certificate in
            if date < certificate.notBefore {
                return "\(name(certificate)) became valid only on \(certificate.notBefore)"
            }
            return date < certificate.notAfter ? nil : "\(name(certificate)) had expired on \(certificate.notAfter)"
        }
        let text = faults.isEmpty ? "a certificate was not valid" : faults.joined(separator: ", and ")
        return "When the receipt was created, on \(createdText), \(text)."
    }

    private var unmarked: String {
        guard case .trusted(_, let marking)? = facts.signature?.chain.trust else { return "" }
        let signer = certificates.first.map(name) ?? ""
        switch marking {
        case .appStore: return ""
        case .noLeafMarker:
            return "The signer \(signer) lacks the marker of receipt signing, 1.2.840.113635.100.6.11.1: "
                + "a certificate for another purpose, such as a developer's."
        case .noIntermediateMarker:
            let intermediate = certificates.dropFirst().first.map(name) ?? ""
            return "The intermediate \(intermediate) lacks Apple's marker 1.2.840.113635.100.6.2.1."
        case .chainLength(let count):
            return "The chain is of \(counted(count, "certificate")), where Apple's is leaf, intermediate and root."
        }
    }
}
