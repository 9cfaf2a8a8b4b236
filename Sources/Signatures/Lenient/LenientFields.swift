import DER

/// The fields of a SignedData in DER (RFC 5652, section 5.1), with all the freedom that the standard leaves.
///
/// Where ``SignedData`` refuses what Apple does not write, this refuses only what is no SignedData.
struct LenientFields: ~Escapable {
    /// Whether there is an embedded content of type `data`.
    let hasContent: Bool
    let content: Span<UInt8>
    let certificates: Span<UInt8>
    let signers: LenientSigners

    @_lifetime(copy der)
    init(_ der: Span<UInt8>) throws(ContainerDeviation) {
        var outermost = StrictReader(der)
        var contentInfo = StrictReader(try outermost.contents(of: .sequence))
        _ = try contentInfo.contents(of: .objectIdentifier)
        var explicit = StrictReader(try contentInfo.contents(of: .context0))
        try contentInfo.end()
        var signedData = StrictReader(try explicit.contents(of: .sequence))
        try explicit.end()

        _ = try signedData.contents(of: .integer)
        let digestAlgorithms = try signedData.contents(of: .set)
        var encapContentInfo = StrictReader(try signedData.contents(of: .sequence))
        let isData = try encapContentInfo.contents(of: .objectIdentifier).equals(ObjectIdentifier.data)
        hasContent = isData && !encapContentInfo.isAtEnd
        content = try Self.content(&encapContentInfo)
        certificates = try Self.optional(.context0, of: &signedData)
        _ = try Self.optional(.context1, of: &signedData)
        signers = try LenientSigners(try signedData.contents(of: .set), digestAlgorithms: digestAlgorithms)
        try signedData.end()
    }

    /// The embedded content: an OCTET STRING, whatever its type.
    @_lifetime(copy encapContentInfo)
    private static func content(_ encapContentInfo: inout StrictReader) throws(ContainerDeviation) -> Span<UInt8> {
        guard !encapContentInfo.isAtEnd else { return encapContentInfo.rest }
        var explicit = StrictReader(try encapContentInfo.contents(of: .context0))
        try encapContentInfo.end()
        let content = try explicit.contents(of: .octetString)
        try explicit.end()
        return content
    }

    /// The contents of a field that may be missing, which is as good as empty.
    @_lifetime(copy reader)
    private static func optional(
        _ tag: DERTag, of reader: inout StrictReader
    ) throws(ContainerDeviation) -> Span<UInt8> {
        guard reader.isNext(tag) else { return reader.rest.extracting(first: 0) }
        return try reader.contents(of: tag)
    }
}
