import Checks
import Encodings
import Proofs

/// The container, and the signer's certificates.
extension InspectionText {
    var container: [String] {
        guard let contents = inspection.contents else { return [] }
        var lines = TextLayout.field("content", "\(grouped(contents.content.count)) bytes")
        guard let signature = inspection.facts.signature else { return lines }
        let digest = signature.contentDigest
        lines += TextLayout.field("SHA-256", Hex.string(digest.octets))
        let form = inspection.deviation.map { "not as Apple writes it: \($0)" } ?? "as Apple writes it"
        lines += TextLayout.field("form", TextLayout.safe(form))
        lines += TextLayout.field("digest", name(of: signature.digestAlgorithm))
        return lines + TextLayout.field("certificates", "\(contents.certificates.count)")
    }

    var chainTitle: String {
        guard case .trusted = inspection.facts.signature?.chain.trust else { return "Certificates in the container" }
        return "Chain, signer first"
    }

    var chain: [String] {
        inspection.certificates.enumerated().flatMap { index, certificate in
            switch certificate {
            case .success(let description): return block(index + 1, description)
            case .failure(let error): return ["  \(index + 1)  " + TextLayout.safe("unreadable: \(error)")]
            }
        }
    }

    private func block(_ number: Int, _ certificate: CertificateDescription) -> [String] {
        let issuer = certificate.isSelfIssued ? "itself" : certificate.issuerName
        var lines = ["  \(TextLayout.padded(String(number), to: 3))\(TextLayout.safe(certificate.subjectName))"]
        for (label, text) in [
            ("issuer", issuer), ("serial", certificate.serialNumber),
            ("valid", "\(certificate.notBefore) to \(certificate.notAfter)"),
            ("key", "\(certificate.publicKey), signed with \(certificate.signatureAlgorithm)"),
            ("SHA-256", certificate.fingerprint),
        ] {
            lines += TextLayout.field(label, TextLayout.safe(text), indentation: 5, labelWidth: 9)
        }
        return lines
    }

    private func name(of algorithm: DigestAlgorithm?) -> String {
        switch algorithm {
        case .sha1?: "SHA-1"
        case .sha256?: "SHA-256"
        case nil: "neither SHA-1 nor SHA-256"
        }
    }
}
