/// Lists the object identifiers that receipts use, as the octets inside their OBJECT IDENTIFIER elements.
///
/// Compared as octets: DER has one encoding of each, so nothing needs to be decoded.
public enum ObjectIdentifier {
    /// 1.2.840.113549.1.7.1, `data` (RFC 5652, section 4).
    public static let data: [UInt8] = pkcs7 + [0x01]
    /// 1.2.840.113549.1.7.2, `signedData` (RFC 5652, section 5).
    public static let signedData: [UInt8] = pkcs7 + [0x02]
    /// 1.2.840.113549.1.7, the arc of all PKCS #7 content types (RFC 2315, section 14).
    public static let pkcs7: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07]
    /// 1.2.840.113549.1.1.1, `rsaEncryption` (RFC 8017, appendix C).
    public static let rsaEncryption: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01]
    /// 1.2.840.113549.1.1.5, `sha1WithRSAEncryption` (RFC 8017, appendix C).
    public static let sha1WithRSA: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x05]
    /// 1.2.840.113549.1.1.11, `sha256WithRSAEncryption` (RFC 8017, appendix C).
    public static let sha256WithRSA: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b]
    /// 1.2.840.113549.1.1.12, `sha384WithRSAEncryption` (RFC 8017, appendix C).
    public static let sha384WithRSA: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0c]
    /// 1.2.840.113549.1.1.13, `sha512WithRSAEncryption` (RFC 8017, appendix C).
    public static let sha512WithRSA: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0d]
    /// 1.2.840.113549.1.1.10, `id-RSASSA-PSS` (RFC 8017, appendix C).
    public static let rsassaPSS: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0a]
    /// 1.2.840.10045.2.1, `id-ecPublicKey` (RFC 5480, section 2.1.1).
    public static let ecPublicKey: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]
    /// 1.2.840.10045.3.1.7, the curve P-256 (RFC 5480, section 2.1.1.1).
    public static let secp256r1: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]
    /// 1.3.132.0.34, the curve P-384 (RFC 5480, section 2.1.1.1).
    public static let secp384r1: [UInt8] = [0x2b, 0x81, 0x04, 0x00, 0x22]
    /// 1.3.132.0.35, the curve P-521 (RFC 5480, section 2.1.1.1).
    public static let secp521r1: [UInt8] = [0x2b, 0x81, 0x04, 0x00, 0x23]
    /// 1.2.840.10045.4.1, `ecdsa-with-SHA1` (RFC 3279, section 2.2.3).
    public static let ecdsaWithSHA1: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x01]
    /// 1.2.840.10045.4.3.2, `ecdsa-with-SHA256` (RFC 5758, section 3.2).
    public static let ecdsaWithSHA256: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]
    /// 1.2.840.10045.4.3.3, `ecdsa-with-SHA384` (RFC 5758, section 3.2).
    public static let ecdsaWithSHA384: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x03]
    /// 1.2.840.10045.4.3.4, `ecdsa-with-SHA512` (RFC 5758, section 3.2).
    public static let ecdsaWithSHA512: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x04]
    /// 1.2.840.113635.100, the arc of Apple's certificates.
    public static let apple: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x63, 0x64]
    /// 1.2.840.113635.100.6.11.1, Apple's marker of certificates that sign receipts and tokens.
    public static let appStoreReceiptSigning: [UInt8] = apple + [0x06, 0x0b, 0x01]
    /// 1.2.840.113635.100.6.2.1, Apple's marker of Worldwide Developer Relations intermediates.
    public static let worldwideDeveloperRelations: [UInt8] = apple + [0x06, 0x02, 0x01]
    /// 1.2.840.113549.1.9.3, `id-contentType` (RFC 5652, section 11.1).
    public static let contentType: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x03]
    /// 1.2.840.113549.1.9.4, `id-messageDigest` (RFC 5652, section 11.2).
    public static let messageDigest: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x04]
    /// 2.5.29.14, `id-ce-subjectKeyIdentifier` (RFC 5280, section 4.2.1.2).
    public static let subjectKeyIdentifier: [UInt8] = [0x55, 0x1d, 0x0e]
    /// 2.5.29.19, `id-ce-basicConstraints` (RFC 5280, section 4.2.1.9).
    public static let basicConstraints: [UInt8] = [0x55, 0x1d, 0x13]
    /// 1.3.14.3.2.26, `id-sha1` (RFC 3370, section 2.1).
    public static let sha1: [UInt8] = [0x2b, 0x0e, 0x03, 0x02, 0x1a]
    /// 2.16.840.1.101.3.4.2.1, `id-sha256` (RFC 5754, section 2.2).
    public static let sha256: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
    /// 2.16.840.1.101.3.4.2.2, `id-sha384` (RFC 5754, section 2.3).
    public static let sha384: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02]
    /// 2.16.840.1.101.3.4.2.3, `id-sha512` (RFC 5754, section 2.4).
    public static let sha512: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03]
}
