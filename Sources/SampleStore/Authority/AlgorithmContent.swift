public import DER

/// An `AlgorithmIdentifier` to be written (RFC 5280, section 4.1.1.2).
public struct AlgorithmContent: Sendable, Equatable {
    /// The octets inside the OBJECT IDENTIFIER.
    public var algorithm: [UInt8]
    /// The parameters' DER; NULL if nothing else is said, `nil` for none.
    public var parameters: [UInt8]?

    public init(_ algorithm: [UInt8], parameters: [UInt8]? = DERWriter.null) {
        self.algorithm = algorithm
        self.parameters = parameters
    }

    /// The element in DER.
    public var der: [UInt8] {
        DERWriter.element(.sequence, DERWriter.element(.objectIdentifier, algorithm), parameters ?? [])
    }

    /// `rsaEncryption`, which the App Store names in every SignerInfo.
    public static var rsaEncryption: AlgorithmContent { AlgorithmContent(ObjectIdentifier.rsaEncryption) }
}
