private import COpenSSL
public import DER

/// The message digests with which the App Store signs receipts: SHA-1 until January 2025, SHA-256 since; SHA-384, with
/// which it signs the certificates of tokens; and MD5, which it never used.
public enum SampleDigest: String, CaseIterable, Sendable {
    case sha1
    case sha256
    case sha384
    /// MD5, broken since 2004 (RFC 6151), for forged certificates only.
    case md5

    /// The App Store's digests for receipts.
    public static let allCases: [SampleDigest] = [.sha1, .sha256]

    /// The digest algorithm, parameters NULL.
    public var algorithm: AlgorithmContent {
        switch self {
        case .sha1: AlgorithmContent(ObjectIdentifier.sha1)
        case .sha256: AlgorithmContent(ObjectIdentifier.sha256)
        case .sha384: AlgorithmContent(SampleOID.sha384)
        case .md5: AlgorithmContent(SampleOID.md5)
        }
    }

    /// The signature algorithm of an RSA key that also names this digest: the form in certificates.
    public var signatureAlgorithm: AlgorithmContent {
        switch self {
        case .sha1: AlgorithmContent(SampleOID.sha1WithRSAEncryption)
        case .sha256: AlgorithmContent(SampleOID.sha256WithRSAEncryption)
        case .sha384: AlgorithmContent(SampleOID.sha384WithRSAEncryption)
        case .md5: AlgorithmContent(SampleOID.md5WithRSAEncryption)
        }
    }

    /// The signature algorithm of a key on a curve that also names this digest, without parameters (RFC 5758, section
    /// 3.2).
    ///
    /// SHA-1 and MD5, which are not used with curves here, have that of SHA-256.
    public var ecdsaAlgorithm: AlgorithmContent {
        AlgorithmContent(self == .sha384 ? SampleOID.ecdsaWithSHA384 : SampleOID.ecdsaWithSHA256, parameters: nil)
    }

    /// Returns the digest of bytes.
    public func hash(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .sha1:
            var hash = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
            _ = unsafe SHA1(bytes, bytes.count, &hash)
            return hash
        case .sha256:
            var hash = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
            _ = unsafe SHA256(bytes, bytes.count, &hash)
            return hash
        case .sha384: return fetched("SHA2-384", bytes, count: 48)
        case .md5: return fetched("MD5", bytes, count: 16)
        }
    }

    /// HMAC (RFC 2104).
    public func hmac(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        let size = self == .sha384 ? 128 : 64
        let key = key.count > size ? hash(key) : key
        let block = key + [UInt8](repeating: 0, count: size - key.count)
        return hash(block.map { $0 ^ 0x5c } + hash(block.map { $0 ^ 0x36 } + message))
    }

    private func fetched(_ name: String, _ bytes: [UInt8], count: Int) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: count)
        _ = unsafe EVP_Q_digest(LibraryContext.shared.pointer, name, nil, bytes, bytes.count, &hash, nil)
        return hash
    }
}

/// The fields of an `AlgorithmIdentifier` (RFC 5280, section 4.1.1.2).
public struct AlgorithmContent: Sendable, Equatable {
    /// The bytes inside the OBJECT IDENTIFIER.
    public var algorithm: [UInt8]
    /// The parameters in DER; `nil` for none.
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
