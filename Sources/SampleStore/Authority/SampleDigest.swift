private import COpenSSL
public import DER

/// The message digests with which the App Store signs: SHA-1 until January 2025, SHA-256 since; and MD5, with which it
/// never did.
public enum SampleDigest: String, CaseIterable, Sendable {
    case sha1
    case sha256
    /// MD5, broken since 2004 (RFC 6151), for forged certificates only.
    case md5

    /// The App Store's own.
    public static let allCases: [SampleDigest] = [.sha1, .sha256]

    /// The digest algorithm, parameters NULL.
    public var algorithm: AlgorithmContent {
        switch self {
        case .sha1: AlgorithmContent(ObjectIdentifier.sha1)
        case .sha256: AlgorithmContent(ObjectIdentifier.sha256)
        case .md5: AlgorithmContent(SampleOID.md5)
        }
    }

    /// The signature algorithm that names this digest too: what certificates carry.
    public var signatureAlgorithm: AlgorithmContent {
        switch self {
        case .sha1: AlgorithmContent(SampleOID.sha1WithRSAEncryption)
        case .sha256: AlgorithmContent(SampleOID.sha256WithRSAEncryption)
        case .md5: AlgorithmContent(SampleOID.md5WithRSAEncryption)
        }
    }

    /// The digest of bytes.
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
        case .md5:
            var hash = [UInt8](repeating: 0, count: 16)
            _ = unsafe EVP_Q_digest(LibraryContext.shared.pointer, "MD5", nil, bytes, bytes.count, &hash, nil)
            return hash
        }
    }
}

/// The fields of an `AlgorithmIdentifier` (RFC 5280, section 4.1.1.2).
public struct AlgorithmContent: Sendable, Equatable {
    /// The octets inside the OBJECT IDENTIFIER.
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
