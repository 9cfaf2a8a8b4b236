import DER

/// A `Name` to be written: by default one organization and one common name (RFC 5280, section 4.1.2.4).
public struct DistinguishedName: Sendable, Equatable {
    public var organization: String
    public var commonName: String
    /// The whole Name in DER, to be written in place of the two.
    public var encoding: [UInt8]?

    public init(_ commonName: String, organization: String = "Sample Store") {
        self.commonName = commonName
        self.organization = organization
    }

    /// The RDNSequence in DER.
    public var der: [UInt8] {
        encoding
            ?? Self.encoding([(SampleOID.organizationName, organization), (SampleOID.commonName, commonName)])
    }

    /// An RDNSequence of attributes, each by itself, with their values as strings of this kind.
    public static func encoding(_ attributes: [(type: [UInt8], value: String)], tag: UInt8 = 0x0c) -> [UInt8] {
        DERWriter.element(
            DERTag.sequence.rawValue,
            attributes.map { type, value in
                DERWriter.element(
                    .set,
                    DERWriter.element(
                        .sequence, DERWriter.element(.objectIdentifier, type),
                        DERWriter.element(tag, [Array(value.utf8)])))
            })
    }
}
