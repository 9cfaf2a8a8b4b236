import DER

/// A receipt's container (RFC 5652, SignedData) in the one strict form that Apple writes, as slices of its bytes.
///
/// One pass, no allocation, no OpenSSL. Whatever is not in this form is thrown as the first
/// ``ContainerDeviation``; ``LenientSignedData`` can still read it, to be reported.
///
///     ContentInfo ::= SEQUENCE { signedData, [0] SEQUENCE { version 1, SET { digest algorithm },
///         SEQUENCE { data, [0] OCTET STRING }, [0] certificates, SET { SignerInfo } } }
///     SignerInfo ::= SEQUENCE { version 1, SEQUENCE { issuer, serialNumber }, digest algorithm,
///         rsaEncryption, OCTET STRING }
public struct SignedData: ~Escapable {
    /// What was signed: the receipt's attributes.
    public let content: Span<UInt8>
    public let digestAlgorithm: DigestAlgorithm
    /// The certificates, one after the other.
    let certificates: Span<UInt8>
    /// Where the certificates begin in the container's bytes.
    let certificatesPosition: Int
    let signerIdentifier: IssuerAndSerialNumber
    let signature: Span<UInt8>

    /// Reads a container, all of it.
    @_lifetime(copy bytes)
    public init(strict bytes: Span<UInt8>) throws(ContainerDeviation) {
        let fields = try StrictReader.read(bytes) { outermost throws(ContainerDeviation) in
            try outermost.inside(.sequence) { contentInfo throws(ContainerDeviation) in
                guard try contentInfo.contents(of: .objectIdentifier).equals(ObjectIdentifier.signedData) else {
                    throw .contentType
                }
                return try contentInfo.inside(.context0) { explicit throws(ContainerDeviation) in
                    try explicit.inside(.sequence, Fields.init)
                }
            }
        }
        content = bytes.extracting(fields.content)
        digestAlgorithm = fields.digestAlgorithm
        certificates = bytes.extracting(fields.certificates)
        certificatesPosition = fields.certificates.lowerBound
        signerIdentifier = IssuerAndSerialNumber(bytes, fields.signer.identifier)
        signature = bytes.extracting(fields.signer.signature)
    }

    /// Where the fields stand in the container's bytes.
    private struct Fields {
        let digestAlgorithm: DigestAlgorithm
        let content: Range<Int>
        let certificates: Range<Int>
        let signer: SignerFields

        /// Reads what is inside the SignedData.
        init(_ signedData: inout StrictReader) throws(ContainerDeviation) {
            try signedData.version1()
            let digestAlgorithm = try signedData.inside(.set) { algorithms throws(ContainerDeviation) in
                let algorithm = DigestAlgorithm(objectIdentifier: try algorithms.algorithm())
                guard let algorithm, algorithms.isAtEnd else { throw .digestAlgorithm }
                return algorithm
            }
            content = try signedData.inside(.sequence) { encapContentInfo throws(ContainerDeviation) in
                guard try encapContentInfo.contents(of: .objectIdentifier).equals(ObjectIdentifier.data) else {
                    throw .contentType
                }
                return try encapContentInfo.inside(.context0) { explicit throws(ContainerDeviation) in
                    try explicit.rangeOfContents(of: .octetString)
                }
            }
            guard signedData.isNext(.context0) else { throw .noCertificates }
            certificates = try signedData.inside(.context0) { $0.rangeOfRest() }
            guard !certificates.isEmpty else { throw .noCertificates }
            guard !signedData.isNext(.context1) else { throw .unexpected(.revocationLists) }
            signer = try signedData.inside(.set) { signerInfos throws(ContainerDeviation) in
                let signer = try signerInfos.inside(.sequence) { signerInfo throws(ContainerDeviation) in
                    try SignerFields(&signerInfo, digestAlgorithm)
                }
                guard signerInfos.isAtEnd else { throw .unexpected(.secondSigner) }
                return signer
            }
            self.digestAlgorithm = digestAlgorithm
        }
    }

    private struct SignerFields {
        let identifier: IssuerAndSerialNumber.Ranges
        let signature: Range<Int>

        /// Reads what is inside the SignerInfo.
        init(
            _ signerInfo: inout StrictReader, _ digestAlgorithm: DigestAlgorithm
        ) throws(ContainerDeviation) {
            try signerInfo.version1()
            identifier = try IssuerAndSerialNumber.Ranges(&signerInfo)
            guard DigestAlgorithm(objectIdentifier: try signerInfo.algorithm()) == digestAlgorithm else {
                throw .digestAlgorithm
            }
            guard !signerInfo.isNext(.context0) else { throw .unexpected(.signedAttributes) }
            guard try signerInfo.algorithm().equals(ObjectIdentifier.rsaEncryption) else {
                throw .signatureAlgorithm
            }
            signature = try signerInfo.rangeOfContents(of: .octetString)
            guard signerInfo.isAtEnd else { throw .unexpected(.unsignedAttributes) }
        }
    }
}
