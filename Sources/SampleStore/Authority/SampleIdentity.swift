import DER

/// A certificate together with its private key: somebody who can sign.
public struct SampleIdentity: Sendable {
    /// What the certificate says.
    public let content: CertificateContent
    /// The certificate in DER.
    public let certificate: [UInt8]
    public let key: SigningKey

    /// Makes an identity that signs its own certificate.
    public init(selfSigned content: CertificateContent) throws(SigningError) {
        let key = try SigningKey(content.key)
        try self.init(content, key: key, issuerName: content.subject, issuerKey: key)
    }

    /// Issues a certificate to somebody else.
    public func issue(_ content: CertificateContent) throws(SigningError) -> SampleIdentity {
        try SampleIdentity(
            content, key: SigningKey(content.key), issuerName: self.content.subject, issuerKey: key)
    }

    /// The name that the certificate gives as its issuer's.
    public let issuerName: DistinguishedName

    private init(
        _ content: CertificateContent, key: SigningKey, issuerName: DistinguishedName, issuerKey: SigningKey
    ) throws(SigningError) {
        let toBeSigned = content.toBeSigned(
            by: issuerName, issuerKey: issuerKey.publicKeyInfo, subjectKey: key.publicKeyInfo)
        let signature = try issuerKey.signature(over: toBeSigned, digest: content.digest)
        self.content = content
        self.key = key
        self.issuerName = content.issuer ?? issuerName
        certificate = DERWriter.element(
            .sequence, toBeSigned, content.digest.signatureAlgorithm.der,
            DERWriter.element(.bitString, [0], signature))
    }
}
