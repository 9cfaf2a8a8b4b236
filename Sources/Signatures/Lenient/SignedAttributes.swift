import DER

/// The attributes that a signature is over in place of the content (RFC 5652, section 5.4), which receipts do not have.
struct SignedAttributes {
    /// What follows the tag: the signature is over a SET, not over the `[0]` that stands in the container.
    private let body: [UInt8]
    /// The digest that stands for the content; `nil` if there is not exactly one, or the content type is not `data`.
    private let messageDigest: [UInt8]?

    init(_ element: Span<UInt8>) throws(ContainerDeviation) {
        body = element.extracting(droppingFirst: 1).copy()
        var messageDigests: [[UInt8]] = []
        var contentTypes: [[UInt8]] = []
        try StrictReader.read(element) { outermost throws(ContainerDeviation) in
            try outermost.inside(.context0) { attributes throws(ContainerDeviation) in
                while !attributes.isAtEnd {
                    try attributes.inside(.sequence) { attribute throws(ContainerDeviation) in
                        let type = try attribute.rangeOfContents(of: .objectIdentifier)
                        let values = try attribute.inside(.set) { $0.rangeOfRest() }
                        if attribute.bytes(at: type).equals(ObjectIdentifier.messageDigest) {
                            messageDigests.append(attribute.bytes(at: values).copy())
                        }
                        if attribute.bytes(at: type).equals(ObjectIdentifier.contentType) {
                            contentTypes.append(attribute.bytes(at: values).copy())
                        }
                    }
                }
            }
        }
        let isData = contentTypes == [DERWriter.element(.objectIdentifier, ObjectIdentifier.data)]
        messageDigest = isData && messageDigests.count == 1 ? messageDigests[0] : nil
    }

    /// Whether they say that this is the content's digest.
    func vouch(for digest: borrowing Digest) -> Bool {
        messageDigest == DERWriter.element(.octetString, digest.octets.copy())
    }

    /// The digest that is signed.
    func digest(_ algorithm: DigestAlgorithm, _ library: OpenSSLLibrary) -> Digest {
        let tag = [DERTag.set.rawValue]
        let nothing = tag.span.extracting(first: 0)
        return library.digest(algorithm, of: tag.span, body.span, nothing)
    }
}
