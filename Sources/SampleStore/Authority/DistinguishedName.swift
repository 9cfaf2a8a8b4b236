import DER

/// A `Name` to be written: one organization and one common name (RFC 5280, section 4.1.2.4).
public struct DistinguishedName: Sendable, Equatable {
    public var organization: String
    public var commonName: String

    public init(_ commonName: String, organization: String = "Sample Store") {
        self.commonName = commonName
        self.organization = organization
    }

    /// The RDNSequence in DER.
    public var der: [UInt8] {
        DERWriter.element(
            .sequence,
            attribute(SampleOID.organizationName, organization),
            attribute(SampleOID.commonName, commonName))
    }

    private func attribute(_ type: [UInt8], _ value: String) -> [UInt8] {
        DERWriter.element(
            .set,
            DERWriter.element(
                .sequence, DERWriter.element(.objectIdentifier, type), DERWriter.utf8String(value)))
    }
}
