import DER

/// Who signed a container, of which there should be one (RFC 5652, section 5.3).
struct LenientSigners {
    /// How many SignerInfos are looked at: one of them is that of a receipt's, however many were added.
    static let limit = 4

    /// The first ones, up to the limit.
    private(set) var infos: [LenientSignerInfo] = []
    /// How many there are.
    private(set) var count = 0

    /// Reads what is inside the SET of SignerInfos.
    init(_ reader: inout StrictReader) throws(ContainerDeviation) {
        while !reader.isAtEnd {
            count += 1
            if count <= Self.limit {
                infos.append(try reader.inside(.sequence, LenientSignerInfo.init))
            } else {
                _ = try reader.element(of: .sequence)
            }
        }
    }
}

/// One SignerInfo (RFC 5652, section 5.3), with all the freedom that the standard leaves. Ranges are of the container's
/// DER.
struct LenientSignerInfo {
    let identifier: Identifier
    /// `nil` if it is neither SHA-1 nor SHA-256.
    let digestAlgorithm: DigestAlgorithm?
    /// Why the signature is none of RSA's over the content, whoever made it.
    let flaw: SignatureVerdict.Flaw?
    let signature: Range<Int>

    /// Where the two kinds of ``SignerIdentifier`` stand.
    enum Identifier {
        case issuerAndSerialNumber(IssuerAndSerialNumber.Ranges)
        case subjectKeyIdentifier(Range<Int>)
    }

    /// Reads what is inside a SignerInfo.
    init(_ reader: inout StrictReader) throws(ContainerDeviation) {
        _ = try reader.contents(of: .integer)
        identifier = try Identifier(&reader)
        digestAlgorithm = DigestAlgorithm(objectIdentifier: try reader.anyAlgorithm())
        let hasSignedAttributes = reader.isNext(.context0)
        if hasSignedAttributes { _ = try reader.element(of: .context0) }
        let algorithm = try reader.anyAlgorithm()
        // Whatever digest a name of both says, the one that was declared is used.
        let isRSA =
            algorithm.equals(ObjectIdentifier.rsaEncryption) || CertificateDigest(signatureIdentifier: algorithm) != nil
        signature = try reader.rangeOfContents(of: .octetString)
        if reader.isNext(.context1) { _ = try reader.element(of: .context1) }
        flaw = hasSignedAttributes ? .signedAttributes : digestAlgorithm == nil || !isRSA ? .otherAlgorithm : nil
    }
}

extension LenientSignerInfo.Identifier {
    /// Reads a SignerIdentifier; its tag says which of the two it is.
    init(_ reader: inout StrictReader) throws(ContainerDeviation) {
        if reader.isNext(.sequence) {
            self = .issuerAndSerialNumber(try IssuerAndSerialNumber.Ranges(&reader))
        } else if reader.isNext(.context0) {
            // The implicit tag's string in pieces, which a rewriting cannot know for one.
            self = .subjectKeyIdentifier(
                try reader.inside(.context0) { pieces throws(ContainerDeviation) in
                    try pieces.rangeOfContents(of: .octetString)
                })
        } else {
            self = .subjectKeyIdentifier(try reader.rangeOfContents(of: .keyIdentifier))
        }
    }

    /// The identifier in the container's DER.
    @_lifetime(copy der)
    func identifier(in der: Span<UInt8>) -> SignerIdentifier {
        switch self {
        case .issuerAndSerialNumber(let ranges): .issuerAndSerialNumber(IssuerAndSerialNumber(der, ranges))
        case .subjectKeyIdentifier(let range): .subjectKeyIdentifier(der.extracting(range))
        }
    }
}
