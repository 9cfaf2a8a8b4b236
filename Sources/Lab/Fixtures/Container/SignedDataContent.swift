import DER

/// The fields of a PKCS #7 container, by default in the strict form of the App Store (RFC 2315, section 9).
///
/// Every field may be changed after signing. The signature covers only the content, so it stays valid when a forger
/// changes anything else.
public struct SignedDataContent: Sendable {
    /// The kind of container: `signedData`.
    public var outerType = ObjectIdentifier.signedData
    public var version = 1
    public var digestAlgorithms: [AlgorithmContent]
    /// The kind of content: `data`.
    public var contentType = ObjectIdentifier.data
    /// The signed content; `nil` for a detached signature.
    public var content: [UInt8]?
    /// The certificates in DER: leaf, intermediate, root. Without any, the field is left out.
    public var certificates: [[UInt8]]
    /// Revocation lists in DER. Without any, the field is left out.
    public var crls: [[UInt8]] = []
    public var signerInfos: [SignerInfoContent]
    public var encoding = ContainerEncoding.der
    /// Bytes after the last element inside the SignedData.
    public var leftOver: [UInt8] = []

    /// Signs content with the authority's leaf.
    public init(
        signing content: [UInt8], by authority: PrivateAuthority, digest: SampleDigest
    ) throws(SigningError) {
        let signature = try authority.leaf.key.signature(over: content, digest: digest)
        self.init(content, signer: authority.leaf, digest: digest, signature: signature)
        certificates = authority.certificates
    }

    /// Makes a container with a signature made elsewhere, and only the certificate of the signer.
    public init(_ content: [UInt8], signer: SampleIdentity, digest: SampleDigest, signature: [UInt8]) {
        digestAlgorithms = [digest.algorithm]
        self.content = content
        certificates = [signer.certificate]
        signerInfos = [SignerInfoContent(signer: signer, digest: digest, signature: signature)]
    }

    /// The whole container.
    public var encoded: [UInt8] { contentInfo(outerType, [signedData]) }

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

    /// Returns a ContentInfo (RFC 2315, section 7).
    private func contentInfo(_ type: [UInt8], _ content: [[UInt8]]) -> [UInt8] {
        var fields = [DERWriter.element(.objectIdentifier, type)]
        if !content.isEmpty { fields.append(encoding.element(DERTag.context0.rawValue, content)) }
        return encoding.element(DERTag.sequence.rawValue, fields)
    }

    /// Returns a container of the kind `data`: bytes, and no signature (RFC 2315, section 8).
    public static func data(_ content: [UInt8]) -> [UInt8] {
        other(ObjectIdentifier.data, DERWriter.element(.octetString, content))
    }

    /// Returns a container of a kind other than `signedData` and `data`, for example ``SampleOID/envelopedData``.
    public static func other(_ type: [UInt8], _ content: [UInt8]) -> [UInt8] {
        DERWriter.element(
            .sequence, DERWriter.element(.objectIdentifier, type), DERWriter.element(.context0, content))
    }
}

extension PrivateAuthority {
    /// Signs a receipt, and returns the unencoded container.
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

/// The fields of one `SignerInfo` (RFC 5652, section 5.3).
public struct SignerInfoContent: Sendable {
    public var version = 1
    /// The signer's issuer: a Name in DER.
    public var issuer: [UInt8]
    public var serialNumber: Int
    /// A SignerIdentifier in DER that replaces issuer and serial number.
    public var identifier: [UInt8]?
    public var digestAlgorithm: AlgorithmContent
    /// The DER of each signed attribute; `nil` for none, as from the App Store.
    public var signedAttributes: [[UInt8]]?
    public var signatureAlgorithm = AlgorithmContent.rsaEncryption
    public var signature: [UInt8]
    /// The DER of each unsigned attribute; `nil` for none, as from the App Store.
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

    /// Returns a SignerInfo with the two signed attributes that CMS requires, and a valid signature over them.
    public static func withSignedAttributes(
        over content: [UInt8], by signer: SampleIdentity, digest: SampleDigest
    ) throws(SigningError) -> SignerInfoContent {
        let attributes = [
            attribute(SampleOID.contentType, DERWriter.element(.objectIdentifier, ObjectIdentifier.data)),
            attribute(SampleOID.messageDigest, DERWriter.element(.octetString, digest.hash(content))),
        ]
        // The signature covers the attributes as a SET, not as the [0] that is written (section 5.4).
        let signature = try signer.key.signature(
            over: DERWriter.element(DERTag.set.rawValue, attributes), digest: digest)
        var info = SignerInfoContent(signer: signer, digest: digest, signature: signature)
        info.signedAttributes = attributes
        return info
    }

    /// Returns one attribute with one value (RFC 5652, section 5.3).
    public static func attribute(_ type: [UInt8], _ value: [UInt8]) -> [UInt8] {
        DERWriter.element(
            .sequence, DERWriter.element(.objectIdentifier, type), DERWriter.element(.set, value))
    }
}

/// The encoding of the elements around the content.
public enum ContainerEncoding: Sendable, Equatable {
    /// Shortest definite lengths (X.690, section 10.1).
    case der
    /// Indefinite lengths, and the content in pieces of at most this many bytes: BER, as written by Xcode's local
    /// store.
    case indefinite(pieces: Int)
    /// Definite lengths, but the content in pieces of at most this many bytes inside a constructed OCTET STRING.
    case constructed(pieces: Int)
    /// Definite lengths that take one octet more than they need.
    case longLengths

    /// Returns one element around other elements.
    func element(_ tag: UInt8, _ contents: [[UInt8]]) -> [UInt8] {
        switch self {
        case .der, .constructed: return DERWriter.element(tag, contents)
        case .indefinite: return [tag, 0x80] + contents.joined() + [0, 0]
        case .longLengths:
            let body = Array(contents.joined())
            let octets = (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (24 - 8 * $0)) }
            return [tag, 0x84] + octets + body
        }
    }

    /// Returns the OCTET STRING that holds the content.
    func octetString(_ content: [UInt8]) -> [UInt8] {
        switch self {
        case .der, .longLengths: DERWriter.element(.octetString, content)
        case .indefinite(let size), .constructed(let size): element(0x24, Self.pieces(of: content, size))
        }
    }

    private static func pieces(of content: [UInt8], _ size: Int) -> [[UInt8]] {
        stride(from: 0, to: content.count, by: max(size, 1)).map { start in
            DERWriter.element(.octetString, Array(content[start..<min(start + max(size, 1), content.count)]))
        }
    }
}
