import DER

/// Verifies certificates with the RSA key of a trusted authority: a trust anchor, or one that a trusted authority signed.
final class IssuerKey {
    private let key: RSAKey
    private let library: OpenSSLLibrary
    /// The cost of a verification with this key; 1 with a key like Apple's.
    let cost: Int

    /// Reads the key that a certificate is about; `nil` if it is not an RSA key.
    init?(certificate encoding: [UInt8], library: OpenSSLLibrary) {
        guard let numbers = RSANumbers(certificate: encoding.span), let key = RSAKey(numbers, library: library) else {
            return nil
        }
        self.key = key
        self.library = library
        cost = numbers.verificationCost
    }

    /// Whether a certificate was signed with this key (RFC 5280, section 4.1.1.3), by RSASSA-PKCS1-v1_5.
    func signed(_ encoding: [UInt8]) -> Bool {
        do throws(ContainerDeviation) {
            let certificate = try StrictCertificate(encoding.span)
            guard let algorithm = CertificateDigest(signatureAlgorithm: certificate.signatureAlgorithm) else {
                return false
            }
            let digest = library.certificateDigest(algorithm, of: certificate.tbsCertificate)
            return key.verifies(certificate.signature, of: digest, algorithm)
        } catch {
            return false
        }
    }
}

/// Names a message digest algorithm with which an authority signs certificates by RSA (RFC 4055, section 5; RFC 3279).
enum CertificateDigest: CaseIterable {
    case sha1
    case sha256
    case sha384
    case sha512

    /// The digest of RSASSA-PKCS1-v1_5 in the AlgorithmIdentifier of a certificate; `nil` if that is another algorithm.
    init?(signatureAlgorithm: Span<UInt8>) {
        do throws(ContainerDeviation) {
            let found = try StrictReader.read(signatureAlgorithm) { reader throws(ContainerDeviation) in
                CertificateDigest(signatureIdentifier: try reader.algorithm())
            }
            guard let found else { return nil }
            self = found
        } catch {
            return nil
        }
    }

    /// The digest of RSASSA-PKCS1-v1_5 with this object identifier.
    init?(signatureIdentifier: Span<UInt8>) {
        for digest in Self.allCases where signatureIdentifier.equals(digest.signatureIdentifier) {
            self = digest
            return
        }
        return nil
    }

    private var signatureIdentifier: [UInt8] {
        switch self {
        case .sha1: ObjectIdentifier.sha1WithRSA
        case .sha256: ObjectIdentifier.sha256WithRSA
        case .sha384: ObjectIdentifier.sha384WithRSA
        case .sha512: ObjectIdentifier.sha512WithRSA
        }
    }

    /// What stands before the digest in a signature's DigestInfo (RFC 8017, section 9.2, note 1).
    var digestInfoHead: [UInt8] {
        switch self {
        case .sha1: DigestAlgorithm.sha1.digestInfoHead
        case .sha256: DigestAlgorithm.sha256.digestInfoHead
        case .sha384: Self.sha384Head
        case .sha512: Self.sha512Head
        }
    }

    private static let sha384Head: [UInt8] =
        [0x30, 0x41, 0x30, 0x0d, 0x06, 0x09] + ObjectIdentifier.sha384 + [0x05, 0x00, 0x04, 0x30]
    private static let sha512Head: [UInt8] =
        [0x30, 0x51, 0x30, 0x0d, 0x06, 0x09] + ObjectIdentifier.sha512 + [0x05, 0x00, 0x04, 0x40]
}
