public import DER
import Encodings

/// Reads a receipt's container (RFC 5652, SignedData) in the one strict form that Apple writes, as slices of its bytes.
///
/// It takes one pass, no allocation and no OpenSSL. The first deviation from this form is thrown as a
/// ``ContainerDeviation``; ``LenientSignedData`` can still read the container, to report it.
///
///     ContentInfo ::= SEQUENCE { signedData, [0] SEQUENCE { version 1, SET { digest algorithm },
///         SEQUENCE { data, [0] OCTET STRING }, [0] certificates, SET { SignerInfo } } }
///     SignerInfo ::= SEQUENCE { version 1, SEQUENCE { issuer, serialNumber }, digest algorithm,
///         rsaEncryption, OCTET STRING }
public struct SignedData: ~Escapable {
    /// The signed content: the receipt's attributes.
    public let content: Span<UInt8>
    public let digestAlgorithm: DigestAlgorithm
    /// The certificates, and how the SignerInfo names the signer's.
    let references: SignerReferences
    let signature: Span<UInt8>

    /// Reads a whole container.
    @_lifetime(copy bytes)
    public init(strict bytes: Span<UInt8>) throws(ContainerDeviation) {
        let fields = try StrictReader.read(bytes) { outermost throws(ContainerDeviation) in
            try outermost.inside(.sequence) { contentInfo throws(ContainerDeviation) in
                guard try contentInfo.contents(of: .objectIdentifier).isSame(as: ObjectIdentifier.signedData) else {
                    throw .contentType
                }
                return try contentInfo.inside(.context0) { explicit throws(ContainerDeviation) in
                    try explicit.inside(.sequence, Fields.init)
                }
            }
        }
        content = bytes.extracting(fields.content)
        digestAlgorithm = fields.digestAlgorithm
        references = SignerReferences(
            certificates: fields.certificates,
            identifier: .issuerAndSerialNumber(IssuerAndSerialNumber(bytes, fields.signer.identifier)), in: bytes)
        signature = bytes.extracting(fields.signer.signature)
    }

    /// The positions of the fields in the container's bytes.
    private struct Fields {
        let digestAlgorithm: DigestAlgorithm
        let content: Range<Int>
        let certificates: Range<Int>
        let signer: SignerFields

        /// Reads the contents of the SignedData.
        init(_ signedData: inout StrictReader) throws(ContainerDeviation) {
            try signedData.version1()
            let digestAlgorithm = try signedData.inside(.set) { algorithms throws(ContainerDeviation) in
                let algorithm = DigestAlgorithm(objectIdentifier: try algorithms.algorithm())
                guard let algorithm, algorithms.isAtEnd else { throw .digestAlgorithm }
                return algorithm
            }
            content = try signedData.inside(.sequence) { encapContentInfo throws(ContainerDeviation) in
                guard try encapContentInfo.contents(of: .objectIdentifier).isSame(as: ObjectIdentifier.data) else {
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

        /// Reads the contents of the SignerInfo.
        init(
            _ signerInfo: inout StrictReader, _ digestAlgorithm: DigestAlgorithm
        ) throws(ContainerDeviation) {
            try signerInfo.version1()
            identifier = try IssuerAndSerialNumber.Ranges(&signerInfo)
            guard DigestAlgorithm(objectIdentifier: try signerInfo.algorithm()) == digestAlgorithm else {
                throw .digestAlgorithm
            }
            guard !signerInfo.isNext(.context0) else { throw .unexpected(.signedAttributes) }
            guard try signerInfo.algorithm().isSame(as: ObjectIdentifier.rsaEncryption) else {
                throw .signatureAlgorithm
            }
            signature = try signerInfo.rangeOfContents(of: .octetString)
            guard signerInfo.isAtEnd else { throw .unexpected(.unsignedAttributes) }
        }
    }
}

/// Reads DER, and throws refused bytes as a deviation from the strict form of a container.
typealias StrictReader = ElementReader<ContainerDeviation>

extension ContainerDeviation: DERFailure {
    public init(encoding error: DERError) { self = .encoding(error) }
}

extension ElementReader where Failure == ContainerDeviation {
    /// Reads a version number, which must be 1.
    @_lifetime(self: copy self)
    mutating func version1() throws(ContainerDeviation) {
        let version = try integer()
        guard version == 1 else { throw .version(version) }
    }

    /// Reads an AlgorithmIdentifier (RFC 5280, section 4.1.1.2) and returns its object identifier.
    /// The parameters must be NULL or absent.
    @_lifetime(copy self)
    mutating func algorithm() throws(ContainerDeviation) -> Span<UInt8> {
        let range = try inside(.sequence) { algorithm throws(ContainerDeviation) in
            let range = try algorithm.rangeOfContents(of: .objectIdentifier)
            if !algorithm.isAtEnd {
                guard algorithm.isNext(.null), try algorithm.contents(of: .null).count == 0, algorithm.isAtEnd else {
                    throw .algorithmParameters
                }
            }
            return range
        }
        return bytes(at: range)
    }

    /// Reads an AlgorithmIdentifier with any parameters and returns its object identifier.
    @_lifetime(copy self)
    mutating func anyAlgorithm() throws(ContainerDeviation) -> Span<UInt8> {
        let range = try inside(.sequence) { algorithm throws(ContainerDeviation) in
            let range = try algorithm.rangeOfContents(of: .objectIdentifier)
            if !algorithm.isAtEnd { _ = try algorithm.element() }
            return range
        }
        return bytes(at: range)
    }
}
