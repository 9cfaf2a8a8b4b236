public import Encodings

/// What a person wants to know of a certificate (RFC 5280).
public struct CertificateDescription: Equatable, Sendable {
    /// The subject's distinguished name (RFC 4514), for example `CN=Apple Root CA,OU=…`.
    public let subject: String
    public let issuer: String
    /// The serial number in hex.
    public let serialNumber: String
    /// The validity period; its end is the last moment, in whole seconds.
    public let notBefore: Instant
    public let notAfter: Instant
    /// For example `RSA-2048`.
    public let publicKey: String
    /// The signature's algorithm, for example `sha256WithRSAEncryption`.
    public let signatureAlgorithm: String
    /// SHA-256 of the DER encoding, in hex.
    public let fingerprint: String

    public var isSelfIssued: Bool { subject == issuer }
}
