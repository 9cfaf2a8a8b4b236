import DER

/// Who signed a container, of which there should be one (RFC 5652, section 5.3).
struct LenientSigners {
    /// `nil` if nobody signed.
    private(set) var first: LenientSignerInfo?
    private(set) var isOnly = true

    /// Reads what is inside the SET of SignerInfos.
    init(_ reader: inout StrictReader, digestAlgorithms: Span<UInt8>) throws(ContainerDeviation) {
        while !reader.isAtEnd {
            let info = try reader.inside(.sequence) { info throws(ContainerDeviation) in
                try LenientSignerInfo(&info, digestAlgorithms: digestAlgorithms)
            }
            isOnly = first == nil
            first = first ?? info
        }
    }
}

/// One SignerInfo (RFC 5652, section 5.3), with all the freedom that the standard leaves. Ranges are of the container's
/// DER.
struct LenientSignerInfo {
    let identifier: Identifier
    /// `nil` if it is neither SHA-1 nor SHA-256.
    let digestAlgorithm: DigestAlgorithm?
    /// How the signature says that it was made.
    let claim: Claim
    let signedAttributes: SignedAttributes?
    let signature: Range<Int>

    /// Where the two kinds of ``SignerIdentifier`` stand.
    enum Identifier {
        case issuerAndSerialNumber(IssuerAndSerialNumber.Ranges)
        case subjectKeyIdentifier(Range<Int>)
    }

    enum Claim {
        /// RSA as of PKCS #1, version 1.5.
        case rsa(DigestAlgorithm)
        /// An algorithm that is not used for receipts.
        case unknown
        /// In a way in which none can be made.
        case impossible
    }

    /// Reads what is inside a SignerInfo.
    init(_ reader: inout StrictReader, digestAlgorithms: Span<UInt8>) throws(ContainerDeviation) {
        _ = try reader.contents(of: .integer)
        identifier = try Identifier(&reader)
        let digestIdentifier = try reader.anyAlgorithm()
        let digestAlgorithm = DigestAlgorithm(objectIdentifier: digestIdentifier)
        signedAttributes = reader.isNext(.context0) ? try SignedAttributes(reader.element(of: .context0)) : nil
        let signatureAlgorithm = try reader.inside(.sequence) { algorithm throws(ContainerDeviation) in
            let range = try algorithm.rangeOfContents(of: .objectIdentifier)
            let hasParameters = algorithm.isNext(.sequence)
            _ = algorithm.rangeOfRest()
            return (range: range, hasParameters: hasParameters)
        }
        let signatureIdentifier = reader.bytes(at: signatureAlgorithm.range)
        signature = try reader.rangeOfContents(of: .octetString)
        if reader.isNext(.context1) { _ = try reader.element(of: .context1) }

        self.digestAlgorithm = digestAlgorithm
        if signatureIdentifier.equals(ObjectIdentifier.rsassaPSS) {
            // Its parameters say which digest: none is made without them (RFC 4056, section 3).
            claim = signatureAlgorithm.hasParameters ? .unknown : .impossible
        } else if let digestAlgorithm,
            signatureIdentifier.equals(ObjectIdentifier.rsaEncryption)
                || DigestAlgorithm(signatureIdentifier: signatureIdentifier) == digestAlgorithm
        {
            claim = try Self.lists(digestAlgorithms, digestIdentifier) ? .rsa(digestAlgorithm) : .impossible
        } else {
            claim = .unknown
        }
    }

    /// Digest algorithms that are looked at; a container of Apple's has one.
    private static let digestLimit = 4

    /// Whether a SignedData announces the digest algorithm, as it should (RFC 5652, section 5.1).
    private static func lists(
        _ digestAlgorithms: Span<UInt8>, _ wanted: Span<UInt8>
    ) throws(ContainerDeviation) -> Bool {
        try StrictReader.read(digestAlgorithms) { outermost throws(ContainerDeviation) in
            try outermost.inside(.set) { algorithms throws(ContainerDeviation) in
                for _ in 0..<digestLimit {
                    if algorithms.isAtEnd { return false }
                    if try algorithms.anyAlgorithm().equals(wanted) {
                        _ = algorithms.rangeOfRest()
                        return true
                    }
                }
                throw .digestAlgorithm
            }
        }
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
