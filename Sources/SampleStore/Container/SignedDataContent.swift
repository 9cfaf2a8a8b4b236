import DER

/// A PKCS #7 container to be written: by default in the one strict form of the App Store (RFC 2315, section 9).
///
/// Every field may be changed after signing. The signature is over the content alone, so
/// it still holds when anything else is changed: that is the freedom of a forger.
public struct SignedDataContent: Sendable {
    /// The kind of container: `signedData`.
    public var outerType = ObjectIdentifier.signedData
    public var version = 1
    public var digestAlgorithms: [AlgorithmContent]
    /// The kind of content: `data`.
    public var contentType = ObjectIdentifier.data
    /// What is signed; `nil` for a detached signature.
    public var content: [UInt8]?
    /// The bag of certificates in DER: leaf, intermediate, root. Without any, the field is left out.
    public var certificates: [[UInt8]]
    /// Revocation lists in DER. Without any, the field is left out.
    public var crls: [[UInt8]] = []
    public var signerInfos: [SignerInfoContent]
    public var encoding = ContainerEncoding.der
    /// Bytes after the last element inside the SignedData.
    public var leftOver: [UInt8] = []

    /// Signs content by the authority's leaf.
    public init(
        signing content: [UInt8], by authority: PrivateAuthority, digest: SampleDigest
    ) throws(SigningError) {
        let signature = try authority.leaf.key.signature(over: content, digest: digest)
        self.init(content, signer: authority.leaf, digest: digest, signature: signature)
        certificates = authority.certificates
    }

    /// A container with a signature made elsewhere; its bag holds the signer's certificate only.
    public init(_ content: [UInt8], signer: SampleIdentity, digest: SampleDigest, signature: [UInt8]) {
        digestAlgorithms = [digest.algorithm]
        self.content = content
        certificates = [signer.certificate]
        signerInfos = [SignerInfoContent(signer: signer, digest: digest, signature: signature)]
    }

    /// The whole container.
    public var encoded: [UInt8] {
        contentInfo(outerType, [signedData])
    }

    private var signedData: [UInt8] {
        var fields = [
            DERWriter.integer(version),
            DERWriter.element(DERTag.set.rawValue, digestAlgorithms.map(\.der)),
            contentInfo(contentType, content.map { [encoding.octetString($0)] } ?? []),
        ]
        if !certificates.isEmpty { fields.append(DERWriter.element(0xa0, certificates)) }
        if !crls.isEmpty { fields.append(DERWriter.element(0xa1, crls)) }
        fields.append(DERWriter.element(DERTag.set.rawValue, signerInfos.map(\.der)))
        fields.append(leftOver)
        return encoding.element(DERTag.sequence.rawValue, fields)
    }

    /// A ContentInfo (RFC 2315, section 7).
    private func contentInfo(_ type: [UInt8], _ content: [[UInt8]]) -> [UInt8] {
        var fields = [DERWriter.element(.objectIdentifier, type)]
        if !content.isEmpty { fields.append(encoding.element(DERTag.context0.rawValue, content)) }
        return encoding.element(DERTag.sequence.rawValue, fields)
    }

    /// A container of the kind `data`: bytes, and no signature (RFC 2315, section 8).
    public static func data(_ content: [UInt8]) -> [UInt8] {
        other(ObjectIdentifier.data, DERWriter.element(.octetString, content))
    }

    /// A container of another kind than `signedData` and `data`, for example ``SampleOID/envelopedData``.
    public static func other(_ type: [UInt8], _ content: [UInt8]) -> [UInt8] {
        DERWriter.element(
            .sequence, DERWriter.element(.objectIdentifier, type), DERWriter.element(.context0, content))
    }
}

extension PrivateAuthority {
    /// Signs a receipt, and leaves the container open for changes.
    public func sign(
        _ receipt: ReceiptContent, digest: SampleDigest = .sha256
    ) throws(SigningError) -> SignedDataContent {
        try SignedDataContent(signing: receipt.der, by: self, digest: digest)
    }

    /// Signs a receipt: the bytes of a genuine receipt file.
    public func receipt(
        _ receipt: ReceiptContent, digest: SampleDigest = .sha256
    ) throws(SigningError) -> [UInt8] {
        try sign(receipt, digest: digest).encoded
    }
}
