import DER

/// A receipt's container (RFC 5652, SignedData) in the one strict form that Apple writes, as slices of its bytes.
///
/// One pass, no allocation, no OpenSSL. Whatever is not in this form is thrown as the first
/// ``ContainerDeviation``; ``LenientSignedData`` can still read it, to be reported.
///
///     ContentInfo ::= SEQUENCE { signedData, [0] SEQUENCE { version 1, SET { digest algorithm },
///         SEQUENCE { data, [0] OCTET STRING }, [0] certificates, SET { SignerInfo } } }
///     SignerInfo ::= SEQUENCE { version 1, issuerAndSerialNumber, digest algorithm,
///         rsaEncryption, OCTET STRING }
public struct SignedData: ~Escapable {
    /// What was signed: the receipt's attributes.
    public let content: Span<UInt8>
    public let digestAlgorithm: DigestAlgorithm
    /// The certificates, one after the other.
    let certificates: Span<UInt8>
    /// The inside of the signer's issuerAndSerialNumber.
    let signerIdentifier: Span<UInt8>
    let signature: Span<UInt8>

    /// Reads a container, all of it.
    @_lifetime(copy bytes)
    public init(strict bytes: Span<UInt8>) throws(ContainerDeviation) {
        var outermost = StrictReader(bytes)
        var contentInfo = StrictReader(try outermost.contents(of: .sequence))
        try outermost.end()
        guard try contentInfo.contents(of: .objectIdentifier).equals(ObjectIdentifier.signedData) else {
            throw .contentType
        }
        var explicit = StrictReader(try contentInfo.contents(of: .context0))
        try contentInfo.end()
        var signedData = StrictReader(try explicit.contents(of: .sequence))
        try explicit.end()

        try signedData.version1()
        var algorithms = StrictReader(try signedData.contents(of: .set))
        guard let digestAlgorithm = DigestAlgorithm(objectIdentifier: try algorithms.algorithm()), algorithms.isAtEnd
        else { throw .digestAlgorithm }
        let content = try readContent(&signedData)
        guard signedData.isNext(.context0) else { throw .noCertificates }
        let certificates = try signedData.contents(of: .context0)
        guard certificates.count > 0 else { throw .noCertificates }
        guard !signedData.isNext(.context1) else { throw .unexpected(.revocationLists) }

        var signerInfos = StrictReader(try signedData.contents(of: .set))
        try signedData.end()
        var signerInfo = StrictReader(try signerInfos.contents(of: .sequence))
        guard signerInfos.isAtEnd else { throw .unexpected(.secondSigner) }
        try signerInfo.version1()
        let signerIdentifier = try signerInfo.contents(of: .sequence)
        guard DigestAlgorithm(objectIdentifier: try signerInfo.algorithm()) == digestAlgorithm else {
            throw .digestAlgorithm
        }
        guard !signerInfo.isNext(.context0) else { throw .unexpected(.signedAttributes) }
        guard try signerInfo.algorithm().equals(ObjectIdentifier.rsaEncryption) else { throw .signatureAlgorithm }
        let signature = try signerInfo.contents(of: .octetString)
        guard signerInfo.isAtEnd else { throw .unexpected(.unsignedAttributes) }

        self.content = content
        self.digestAlgorithm = digestAlgorithm
        self.certificates = certificates
        self.signerIdentifier = signerIdentifier
        self.signature = signature
    }
}

/// Reads encapContentInfo: the content type `data` and one primitive OCTET STRING.
@_lifetime(copy signedData)
private func readContent(_ signedData: inout StrictReader) throws(ContainerDeviation) -> Span<UInt8> {
    var encapContentInfo = StrictReader(try signedData.contents(of: .sequence))
    guard try encapContentInfo.contents(of: .objectIdentifier).equals(ObjectIdentifier.data) else {
        throw .contentType
    }
    var explicit = StrictReader(try encapContentInfo.contents(of: .context0))
    try encapContentInfo.end()
    let content = try explicit.contents(of: .octetString)
    try explicit.end()
    return content
}
