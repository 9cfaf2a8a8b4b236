import DER

/// Where the fields of a SignedData stand in its DER (RFC 5652, section 5.1), with all the freedom that the standard
/// leaves.
///
/// Where ``SignedData`` refuses what Apple does not write, this refuses only what is no SignedData.
struct LenientFields {
    /// `nil` without an embedded content of type `data`.
    let content: Range<Int>?
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
        // What digests it declares is of no consequence: each SignerInfo says which one it uses.
        _ = try signedData.element(of: .set)
        content = try signedData.inside(.sequence, Self.content)
        certificates = try Self.optional(.context0, of: &signedData)
        _ = try Self.optional(.context1, of: &signedData)
        signers = try signedData.inside(.set, LenientSigners.init)
    }

    /// Reads what is inside encapContentInfo: the content, if there is one, is an OCTET STRING, whatever its type.
    private static func content(_ encapContentInfo: inout StrictReader) throws(ContainerDeviation) -> Range<Int>? {
        let isData = try encapContentInfo.contents(of: .objectIdentifier).equals(ObjectIdentifier.data)
        guard !encapContentInfo.isAtEnd else { return nil }
        let content = try encapContentInfo.inside(.context0) { explicit throws(ContainerDeviation) in
            try explicit.rangeOfContents(of: .octetString)
        }
        return isData ? content : nil
    }

    /// Where the contents stand of a field that may be missing, which is as good as empty.
    private static func optional(
        _ tag: ConstructedTag, of reader: inout StrictReader
    ) throws(ContainerDeviation) -> Range<Int> {
        guard reader.nextTag == tag.rawValue else { return 0..<0 }
        return try reader.inside(tag) { $0.rangeOfRest() }
    }
}
