import DER

/// The object identifiers that only the sample store writes, as the bytes inside their elements.
public enum SampleOID {
    /// 1.2.840.113549.1.7.3, `envelopedData` (RFC 5652, section 6).
    public static let envelopedData: [UInt8] = ObjectIdentifier.pkcs7 + [0x03]
    /// 1.2.840.113549.1.9.16.1.4, `id-ct-TSTInfo`: a content that is not `data` (RFC 3161, section 2.4.2).
    public static let timestampInfo: [UInt8] = pkcs9 + [0x10, 0x01, 0x04]
    /// 1.2.840.113549.2.5, `md5` (RFC 1321).
    public static let md5: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02, 0x05]
    /// 1.2.840.113549.1.1.4, `md5WithRSAEncryption` (RFC 3279, section 2.2.1).
    public static let md5WithRSAEncryption: [UInt8] = pkcs1 + [0x04]
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
    /// 2.5.4.6, `countryName` (RFC 5280, appendix A).
    public static let countryName: [UInt8] = [0x55, 0x04, 0x06]
    /// 2.5.4.11, `organizationalUnitName` (RFC 5280, appendix A).
    public static let organizationalUnitName: [UInt8] = [0x55, 0x04, 0x0b]
    /// 2.5.4.3, `commonName` (RFC 5280, appendix A).
    public static let commonName: [UInt8] = [0x55, 0x04, 0x03]
    /// 2.5.4.10, `organizationName` (RFC 5280, appendix A).
    public static let organizationName: [UInt8] = [0x55, 0x04, 0x0a]
    /// 2.5.29.14, `subjectKeyIdentifier` (RFC 5280, section 4.2.1.2).
    public static let subjectKeyIdentifier: [UInt8] = [0x55, 0x1d, 0x0e]
    /// 2.5.29.15, `keyUsage` (RFC 5280, section 4.2.1.3).
    public static let keyUsage: [UInt8] = [0x55, 0x1d, 0x0f]
    /// 2.5.29.19, `basicConstraints` (RFC 5280, section 4.2.1.9).
    public static let basicConstraints: [UInt8] = [0x55, 0x1d, 0x13]
    /// 2.5.29.35, `authorityKeyIdentifier` (RFC 5280, section 4.2.1.1).
    public static let authorityKeyIdentifier: [UInt8] = [0x55, 0x1d, 0x23]
    /// 2.5.29.30, `nameConstraints` (RFC 5280, section 4.2.1.10).
    public static let nameConstraints: [UInt8] = [0x55, 0x1d, 0x1e]
    /// 2.5.29.32, `certificatePolicies` (RFC 5280, section 4.2.1.4).
    public static let certificatePolicies: [UInt8] = [0x55, 0x1d, 0x20]
    /// 2.5.29.37, `extKeyUsage` (RFC 5280, section 4.2.1.12).
    public static let extendedKeyUsage: [UInt8] = [0x55, 0x1d, 0x25]
    /// 1.3.6.1.5.5.7.3.1, `id-kp-serverAuth` (RFC 5280, section 4.2.1.12).
    public static let serverAuthentication: [UInt8] = [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01]
    /// 1.2.840.10045.2.1, `id-ecPublicKey` (RFC 5480, section 2.1.1).
    public static let ecPublicKey: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]
    /// 1.2.840.10045.3.1.7, `secp256r1` (RFC 5480, section 2.1.1.1).
    public static let secp256r1: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]
    /// 1.2.840.10045.4.3.2, `ecdsa-with-SHA256` (RFC 5758, section 3.2).
    public static let ecdsaWithSHA256: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]
    /// 1.2.840.10045.4.3.3, `ecdsa-with-SHA384` (RFC 5758, section 3.2).
    public static let ecdsaWithSHA384: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x03]
    /// 2.16.840.1.101.3.4.2.2, `id-sha384` (RFC 5754, section 2.3).
    public static let sha384: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02]
    /// 1.2.840.113549.1.1.12, `sha384WithRSAEncryption` (RFC 4055, section 5).
    public static let sha384WithRSAEncryption: [UInt8] = pkcs1 + [0x0c]
    /// 2.16.840.1.101.3.4.2.3, `id-sha512` (RFC 5754, section 2.4).
    public static let sha512: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03]
    /// 1.2.840.113549.1.1.13, `sha512WithRSAEncryption` (RFC 4055, section 5).
    public static let sha512WithRSAEncryption: [UInt8] = pkcs1 + [0x0d]
    /// 1.2.840.113635.100.6.11.1, Apple's marker of receipt-signing leaves.
    public static let appStoreReceiptSigning: [UInt8] = apple + [0x0b, 0x01]
    /// 1.2.840.113635.100.6.2.1, Apple's marker of its Worldwide Developer Relations authority.
    public static let worldwideDeveloperRelations: [UInt8] = apple + [0x02, 0x01]
    /// 1.2.840.113635.100.6.1.4, Apple's marker of an iOS developer's own leaf.
    public static let developer: [UInt8] = apple + [0x01, 0x04]
    /// 1.2.840.113635.100.6.1.16, Apple's marker of the leaf of a pass type.
    public static let pass: [UInt8] = apple + [0x01, 0x10]
    /// 1.2.840.113635.100.6.29, Apple's marker of the leaf that signs payment tokens.
    public static let paymentToken: [UInt8] = apple + [0x1d]
    /// 1.2.840.113635.100.6.2.14, Apple's marker of its Application Integration authority.
    public static let applicationIntegration: [UInt8] = apple + [0x02, 0x0e]
    /// 1.2.840.113635.100.12.15, Apple's marker of the leaf that signs App Attest receipts.
    public static let appAttestReceipt: [UInt8] = apple.dropLast() + [0x0c, 0x0f]
    /// 1.2.840.113635.100.4.14, the purpose of a pass type's leaf.
    public static let passSigning: [UInt8] = apple.dropLast() + [0x04, 0x0e]
    /// 1.3.6.1.5.5.7.3.3, `id-kp-codeSigning` (RFC 5280, section 4.2.1.12).
    public static let codeSigning: [UInt8] = [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x03]

    private static let pkcs1: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01]
    private static let pkcs9: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09]
    private static let apple: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x63, 0x64, 0x06]
}
