import DER

/// Who signed a container, of which there should be one (RFC 5652, section 5.3).
struct LenientSigners {
    /// `nil` if nobody signed.
    private(set) var first: LenientSignerInfo?
    private(set) var isOnly = true

    init(_ signerInfos: Span<UInt8>, digestAlgorithms: Span<UInt8>) throws(ContainerDeviation) {
        var reader = StrictReader(signerInfos)
        while !reader.isAtEnd {
            let info = try LenientSignerInfo(reader.contents(of: .sequence), digestAlgorithms: digestAlgorithms)
            isOnly = first == nil
            first = first ?? info
        }
    }
}

/// One SignerInfo (RFC 5652, section 5.3), with all the freedom that the standard leaves.
struct LenientSignerInfo {
    /// The inside of issuerAndSerialNumber, or a whole subjectKeyIdentifier.
    let identifier: [UInt8]
    /// `nil` if it is neither SHA-1 nor SHA-256.
    let digestAlgorithm: DigestAlgorithm?
    /// How the signature says that it was made.
    let claim: Claim
    let signedAttributes: SignedAttributes?
    let signature: [UInt8]

    enum Claim {
        /// RSA as of PKCS #1, version 1.5.
        case rsa(DigestAlgorithm)
        /// An algorithm that is not used for receipts.
        case unknown
        /// In a way in which none can be made.
        case impossible
    }

    init(_ signerInfo: Span<UInt8>, digestAlgorithms: Span<UInt8>) throws(ContainerDeviation) {
        var reader = StrictReader(signerInfo)
        _ = try reader.contents(of: .integer)
        if reader.isNext(.sequence) {
            identifier = try reader.contents(of: .sequence).copy()
        } else if reader.isNext(.context0) {
            // The implicit tag's string in pieces, which a rewriting cannot know for one.
            var pieces = StrictReader(try reader.contents(of: .context0))
            let keyIdentifier = try pieces.contents(of: .octetString)
            try pieces.end()
            identifier = DERWriter.element(DERTag.keyIdentifier.rawValue, [keyIdentifier.copy()])
        } else {
            identifier = try reader.element(of: .keyIdentifier).copy()
        }
        let digestIdentifier = try reader.anyAlgorithm()
        let digestAlgorithm = DigestAlgorithm(objectIdentifier: digestIdentifier)
        signedAttributes = reader.isNext(.context0) ? try SignedAttributes(reader.element(of: .context0)) : nil
        var signatureAlgorithm = StrictReader(try reader.contents(of: .sequence))
        let signatureIdentifier = try signatureAlgorithm.contents(of: .objectIdentifier)
        let hasParameters = signatureAlgorithm.isNext(.sequence)
        signature = try reader.contents(of: .octetString).copy()
        if reader.isNext(.context1) { _ = try reader.contents(of: .context1) }
        try reader.end()

        self.digestAlgorithm = digestAlgorithm
        if signatureIdentifier.equals(ObjectIdentifier.rsassaPSS) {
            // Its parameters say which digest: none is made without them (RFC 4056, section 3).
            claim = hasParameters ? .unknown : .impossible
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
        var reader = StrictReader(digestAlgorithms)
        for _ in 0..<digestLimit {
            if reader.isAtEnd { return false }
            if try reader.anyAlgorithm().equals(wanted) { return true }
        }
        throw .digestAlgorithm
    }
}
