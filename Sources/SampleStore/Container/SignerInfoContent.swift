import DER

/// One `SignerInfo` to be written: who signed, how, and the signature (RFC 5652, section 5.3).
public struct SignerInfoContent: Sendable {
    public var version = 1
    /// The signer's issuer: a Name in DER.
    public var issuer: [UInt8]
    public var serialNumber: Int
    /// The SignerIdentifier in DER, if it is anything else than issuer and serial number.
    public var identifier: [UInt8]?
    public var digestAlgorithm: AlgorithmContent
    /// The signed attributes' DER, one by one; `nil` for none, as the App Store has it.
    public var signedAttributes: [[UInt8]]?
    public var signatureAlgorithm = AlgorithmContent.rsaEncryption
    public var signature: [UInt8]
    /// The unsigned attributes' DER, one by one; `nil` for none, as the App Store has it.
    public var unsignedAttributes: [[UInt8]]?

    public init(signer: SampleIdentity, digest: SampleDigest, signature: [UInt8]) {
        issuer = signer.issuerName.der
        serialNumber = signer.content.serialNumber
        digestAlgorithm = digest.algorithm
        self.signature = signature
    }

    /// The SEQUENCE in DER.
    public var der: [UInt8] {
        DERWriter.element(
            .sequence,
            DERWriter.integer(version),
            identifier ?? DERWriter.element(.sequence, issuer, DERWriter.integer(serialNumber)),
            digestAlgorithm.der,
            signedAttributes.map { DERWriter.element(0xa0, $0) } ?? [],
            signatureAlgorithm.der,
            DERWriter.element(.octetString, signature),
            unsignedAttributes.map { DERWriter.element(0xa1, $0) } ?? [])
    }

    /// A SignerInfo with the two signed attributes that CMS demands, and a signature that holds over them.
    public static func withSignedAttributes(
        over content: [UInt8], by signer: SampleIdentity, digest: SampleDigest
    ) throws(SigningError) -> SignerInfoContent {
        let attributes = [
            attribute(SampleOID.contentType, DERWriter.element(.objectIdentifier, ObjectIdentifier.data)),
            attribute(SampleOID.messageDigest, DERWriter.element(.octetString, digest.hash(content))),
        ]
        // The signature is over the attributes as a SET, not as the [0] that is written (section 5.4).
        let signature = try signer.key.signature(
            over: DERWriter.element(DERTag.set.rawValue, attributes), digest: digest)
        var info = SignerInfoContent(signer: signer, digest: digest, signature: signature)
        info.signedAttributes = attributes
        return info
    }

    /// One attribute with one value (RFC 5652, section 5.3).
    public static func attribute(_ type: [UInt8], _ value: [UInt8]) -> [UInt8] {
        DERWriter.element(
            .sequence, DERWriter.element(.objectIdentifier, type), DERWriter.element(.set, value))
    }
}
