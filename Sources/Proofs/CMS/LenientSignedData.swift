import DER
import Encodings

/// Reads a container that is not in the strict form, from any form of BER, only to report it.
///
/// Xcode's local test store writes BER with indefinite lengths; a forger may write anything. The container is first
/// rewritten as DER, so that its certificates and signatures are verified like those of a strict one.
public struct LenientSignedData {
    /// The container, rewritten.
    private let der: [UInt8]
    private let fields: LenientFields
    let deviation: ContainerDeviation

    /// Reads a container in any form of BER.
    ///
    /// - Parameters:
    ///   - deviation: why it is not in the strict form.
    ///   - requiresData: whether to refuse a container without embedded content of type `data`.
    public init(
        _ bytes: Span<UInt8>, deviation: ContainerDeviation, requiresData: Bool = true
    ) throws(ContainerFault) {
        if let fault = ContainerFault(header: bytes) { throw fault }
        let der: [UInt8]
        do throws(DERError) {
            der = try DERRewriter.der(of: bytes)
        } catch {
            throw .encoding(error)
        }
        do throws(ContainerDeviation) {
            fields = try LenientFields(der.span)
        } catch {
            throw .malformed(error.description)
        }
        self.der = der
        self.deviation = deviation
        guard holdsData || !requiresData else { throw .noContent }
    }

    var signers: LenientSigners { fields.signers }

    /// The signed content: the receipt's attributes.
    public var content: Span<UInt8> {
        @_lifetime(borrow self) borrowing get { der.span.extracting(fields.content ?? 0..<0) }
    }

    /// Whether there is embedded content of type `data`.
    public var holdsData: Bool { fields.isData && fields.content != nil }
    /// Whether there is no content: a detached signature.
    var isDetached: Bool { fields.content == nil }

    /// The certificates, and how the first SignerInfos name those of their signers.
    var references: SignerReferences {
        @_lifetime(borrow self) borrowing get {
            SignerReferences(certificates: fields.certificates, signerInfos: signers.infos, in: der.span)
        }
    }

    /// Returns the bytes of a signature.
    @_lifetime(borrow self)
    borrowing func signature(of info: LenientSignerInfo) -> Span<UInt8> { der.span.extracting(info.signature) }

    /// Returns the DER of the SET of signed attributes, which is what the signature is over (RFC 5652, section 5.4);
    /// `nil` without any.
    func signedAttributes(of info: LenientSignerInfo) -> [UInt8]? {
        info.signedAttributes.map { [DERTag.set.rawValue] + der[$0].dropFirst() }
    }

    /// The DER of each certificate, in the container's order, up to the first unreadable one.
    var certificateEncodings: [[UInt8]] {
        var encodings: [[UInt8]] = []
        let references = references
        try? StrictReader.read(references.bytes, in: references.certificateRange) { reader throws(ContainerDeviation) in
            while !reader.isAtEnd { encodings.append(try reader.element().copy()) }
        }
        return encodings
    }
}

/// The ranges of the fields of a SignedData in its DER (RFC 5652, section 5.1), in every form that the standard allows.
private struct LenientFields {
    /// The content; `nil` for a detached signature.
    let content: Range<Int>?
    /// Whether the content type is `data`.
    let isData: Bool
    let certificates: Range<Int>
    let signers: LenientSigners

    init(_ der: Span<UInt8>) throws(ContainerDeviation) {
        self = try StrictReader.read(der) { outermost throws(ContainerDeviation) in
            try outermost.inside(.sequence) { contentInfo throws(ContainerDeviation) in
                _ = try contentInfo.contents(of: .objectIdentifier)
                return try contentInfo.inside(.context0) { explicit throws(ContainerDeviation) in
                    try explicit.inside(.sequence, LenientFields.init)
                }
            }
        }
    }

    private init(_ signedData: inout StrictReader) throws(ContainerDeviation) {
        _ = try signedData.contents(of: .integer)
        // The declared digests do not matter: each SignerInfo names its own.
        _ = try signedData.element(of: .set)
        (isData, content) = try signedData.inside(.sequence, Self.content)
        certificates = try Self.optional(.context0, of: &signedData)
        _ = try Self.optional(.context1, of: &signedData)
        signers = try signedData.inside(.set, LenientSigners.init)
    }

    /// Reads the contents of encapContentInfo: the content, if there is one, is an OCTET STRING of any type.
    private static func content(
        _ encapContentInfo: inout StrictReader
    ) throws(ContainerDeviation) -> (isData: Bool, content: Range<Int>?) {
        let isData = try encapContentInfo.contents(of: .objectIdentifier).isSame(as: ObjectIdentifier.data)
        guard !encapContentInfo.isAtEnd else { return (isData, nil) }
        let content = try encapContentInfo.inside(.context0) { explicit throws(ContainerDeviation) in
            try explicit.rangeOfContents(of: .octetString)
        }
        return (isData, content)
    }

    /// The range of an optional field's contents; empty if the field is missing.
    private static func optional(
        _ tag: ConstructedTag, of reader: inout StrictReader
    ) throws(ContainerDeviation) -> Range<Int> {
        guard reader.nextTag == tag.rawValue else { return 0..<0 }
        return try reader.inside(tag) { $0.rangeOfRest() }
    }
}

/// A container's SignerInfos. There should be one (RFC 5652, section 5.3).
struct LenientSigners {
    /// The maximum number of SignerInfos that are read: one of them is a genuine receipt's, however many were added.
    static let limit = 4

    /// The first SignerInfos, up to the limit.
    private(set) var infos: [LenientSignerInfo] = []
    /// The number of all SignerInfos.
    private(set) var count = 0

    /// Reads the contents of the SET of SignerInfos.
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

/// One SignerInfo (RFC 5652, section 5.3), in every form that the standard allows. Ranges refer to the container's DER.
struct LenientSignerInfo {
    let identifier: Identifier
    /// The digest algorithm; `nil` if it is neither SHA-1 nor SHA-256.
    let digestAlgorithm: DigestAlgorithm?
    /// The digest algorithm in objects other than receipts; `nil` if it is unknown.
    let objectDigest: CertificateDigest?
    /// The signed attributes: a whole element.
    let signedAttributes: Range<Int>?
    /// The reason why the signature cannot be an RSA signature over the content.
    let flaw: SignatureVerdict.Flaw?
    let signature: Range<Int>

    /// The position of a ``SignerIdentifier``.
    enum Identifier {
        case issuerAndSerialNumber(IssuerAndSerialNumber.Ranges)
        case subjectKeyIdentifier(Range<Int>)
    }

    /// Reads the contents of a SignerInfo.
    init(_ reader: inout StrictReader) throws(ContainerDeviation) {
        _ = try reader.contents(of: .integer)
        identifier = try Identifier(&reader)
        let digest = try reader.anyAlgorithm()
        digestAlgorithm = DigestAlgorithm(objectIdentifier: digest)
        objectDigest = CertificateDigest.allCases.first { digest.isSame(as: $0.identifier) }
        signedAttributes = reader.isNext(.context0) ? try reader.rangeOfElement(of: .context0) : nil
        let algorithm = try reader.anyAlgorithm()
        // If the algorithm also names a digest, that digest is ignored: the one declared above counts.
        let isRSA =
            algorithm.isSame(as: ObjectIdentifier.rsaEncryption)
            || CertificateDigest.allCases.contains { algorithm.isSame(as: $0.rsaIdentifier) }
        signature = try reader.rangeOfContents(of: .octetString)
        if reader.isNext(.context1) { _ = try reader.element(of: .context1) }
        flaw = signedAttributes != nil ? .signedAttributes : digestAlgorithm == nil || !isRSA ? .otherAlgorithm : nil
    }
}

extension LenientSignerInfo.Identifier {
    /// Reads a SignerIdentifier. Its tag distinguishes the two kinds.
    init(_ reader: inout StrictReader) throws(ContainerDeviation) {
        if reader.isNext(.sequence) {
            self = .issuerAndSerialNumber(try IssuerAndSerialNumber.Ranges(&reader))
        } else if reader.isNext(.context0) {
            // A string in pieces under an implicit tag, which the rewriter cannot recognize as a string.
            self = .subjectKeyIdentifier(
                try reader.inside(.context0) { pieces throws(ContainerDeviation) in
                    try pieces.rangeOfContents(of: .octetString)
                })
        } else {
            self = .subjectKeyIdentifier(try reader.rangeOfContents(of: .keyIdentifier))
        }
    }

    /// Returns the identifier in the container's DER.
    @_lifetime(copy der)
    func identifier(in der: Span<UInt8>) -> SignerIdentifier {
        switch self {
        case .issuerAndSerialNumber(let ranges): .issuerAndSerialNumber(IssuerAndSerialNumber(der, ranges))
        case .subjectKeyIdentifier(let range): .subjectKeyIdentifier(der.extracting(range))
        }
    }
}
