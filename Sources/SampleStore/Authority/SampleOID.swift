import DER

/// The object identifiers that only the sample store writes, as the octets inside their elements.
public enum SampleOID {
    /// 1.2.840.113549.1.7.3, `envelopedData` (RFC 5652, section 6).
    public static let envelopedData: [UInt8] = ObjectIdentifier.pkcs7 + [0x03]
    /// 1.2.840.113549.1.9.16.1.4, `id-ct-TSTInfo`: a content that is not `data` (RFC 3161, section 2.4.2).
    public static let timestampInfo: [UInt8] = pkcs9 + [0x10, 0x01, 0x04]
    /// 1.2.840.113549.1.1.5, `sha1WithRSAEncryption` (RFC 3279, section 2.2.1).
    public static let sha1WithRSAEncryption: [UInt8] = pkcs1 + [0x05]
    /// 1.2.840.113549.1.1.10, `id-RSASSA-PSS` (RFC 4055, section 3.1).
    public static let rsassaPSS: [UInt8] = pkcs1 + [0x0a]
    /// 1.2.840.113549.1.1.11, `sha256WithRSAEncryption` (RFC 4055, section 5).
    public static let sha256WithRSAEncryption: [UInt8] = pkcs1 + [0x0b]
    /// 1.2.840.113549.1.9.3, `contentType`, a signed attribute (RFC 5652, section 11.1).
    public static let contentType: [UInt8] = pkcs9 + [0x03]
    /// 1.2.840.113549.1.9.4, `messageDigest`, a signed attribute (RFC 5652, section 11.2).
    public static let messageDigest: [UInt8] = pkcs9 + [0x04]
    /// 1.2.840.113549.1.9.13, `signingDescription`, an attribute that means nothing here (RFC 2985).
    public static let signingDescription: [UInt8] = pkcs9 + [0x0d]
    /// 2.5.4.3, `commonName` (RFC 5280, appendix A).
    public static let commonName: [UInt8] = [0x55, 0x04, 0x03]
    /// 2.5.4.10, `organizationName` (RFC 5280, appendix A).
    public static let organizationName: [UInt8] = [0x55, 0x04, 0x0a]
    /// 2.5.29.14, `subjectKeyIdentifier` (RFC 5280, section 4.2.1.2).
    static let subjectKeyIdentifier: [UInt8] = [0x55, 0x1d, 0x0e]
    /// 2.5.29.15, `keyUsage` (RFC 5280, section 4.2.1.3).
    static let keyUsage: [UInt8] = [0x55, 0x1d, 0x0f]
    /// 2.5.29.19, `basicConstraints` (RFC 5280, section 4.2.1.9).
    static let basicConstraints: [UInt8] = [0x55, 0x1d, 0x13]
    /// 2.5.29.35, `authorityKeyIdentifier` (RFC 5280, section 4.2.1.1).
    static let authorityKeyIdentifier: [UInt8] = [0x55, 0x1d, 0x23]
    /// 1.2.840.113635.100.6.11.1, Apple's marker of receipt-signing leaves.
    public static let appStoreReceiptSigning: [UInt8] = apple + [0x0b, 0x01]
    /// 1.2.840.113635.100.6.2.1, Apple's marker of its Worldwide Developer Relations authority.
    public static let worldwideDeveloperRelations: [UInt8] = apple + [0x02, 0x01]
    /// 1.2.840.113635.100.6.1.4, Apple's marker of an iOS developer's own leaf.
    public static let developer: [UInt8] = apple + [0x01, 0x04]

    private static let pkcs1: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01]
    private static let pkcs9: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09]
    private static let apple: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x63, 0x64, 0x06]
}
