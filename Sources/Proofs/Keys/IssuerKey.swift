import DER
import Encodings

/// The keys of authorities that are used for one kind of proof.
enum IssuerKeys {
    /// RSA keys, as in all chains of receipts.
    case rsa
    /// Those and keys on elliptic curves, as in all chains of tokens.
    case rsaAndECDSA
}

/// Verifies signatures with a trusted key: a trust anchor's, or one that a trusted authority certified.
final class IssuerKey {
    /// Not an enumeration of the two kinds of keys: leak checkers do not recognize the pointers in one.
    private let key: any CertificateVerifier
    private let library: OpenSSLLibrary
    /// The cost of a verification with this key among keys of its kind; 1 with a key like Apple's.
    let cost: Int

    /// Reads a certificate's key; `nil` if it is not one of these.
    init?(certificate encoding: [UInt8], _ keys: IssuerKeys, library: OpenSSLLibrary) {
        if let numbers = RSANumbers(certificate: encoding.span) {
            guard let key = RSAKey(numbers, library: library) else { return nil }
            self.key = key
            cost = numbers.verificationCost
        } else {
            guard keys == .rsaAndECDSA, let key = ECDSAKey(certificate: encoding, library: library) else { return nil }
            self.key = key
            cost = 1
        }
        self.library = library
    }

    /// Whether a certificate was signed with this key (RFC 5280, section 4.1.1.3), by RSASSA-PKCS1-v1_5 or ECDSA.
    func signed(_ encoding: [UInt8]) -> Bool {
        do throws(ContainerDeviation) {
            let certificate = try StrictCertificate(encoding.span)
            let identifier = type(of: key).identifier
            guard let digest = CertificateDigest(of: certificate.signatureAlgorithm, identifier) else { return false }
            return key.signed(certificate.tbsCertificate, certificate.signature, digest, library)
        } catch {
            return false
        }
    }

    /// Whether a message was signed with this key, by RSASSA-PKCS1-v1_5 or ECDSA.
    func signed(_ message: Span<UInt8>, _ signature: Span<UInt8>, _ digest: CertificateDigest) -> Bool {
        key.signed(message, signature, digest, library)
    }
}

/// A key that verifies certificates, and objects other than receipts.
private protocol CertificateVerifier: AnyObject {
    /// Returns the object identifier of the algorithm of keys of this kind with a digest.
    static func identifier(with digest: CertificateDigest) -> [UInt8]

    /// Whether a message was signed with this key.
    func signed(
        _ message: Span<UInt8>, _ signature: Span<UInt8>, _ algorithm: CertificateDigest, _ library: OpenSSLLibrary
    ) -> Bool
}

extension RSAKey: CertificateVerifier {
    fileprivate static func identifier(with digest: CertificateDigest) -> [UInt8] { digest.rsaIdentifier }

    fileprivate func signed(
        _ message: Span<UInt8>, _ signature: Span<UInt8>, _ algorithm: CertificateDigest, _ library: OpenSSLLibrary
    ) -> Bool {
        verifies(signature, of: library.certificateDigest(algorithm, of: message), algorithm)
    }
}

extension ECDSAKey: CertificateVerifier {
    fileprivate static func identifier(with digest: CertificateDigest) -> [UInt8] { digest.ecdsaIdentifier }

    fileprivate func signed(
        _ message: Span<UInt8>, _ signature: Span<UInt8>, _ algorithm: CertificateDigest, _ library: OpenSSLLibrary
    ) -> Bool {
        verifies(signature, of: library.certificateDigest(algorithm, of: message).span)
    }
}

/// A message digest algorithm with which an authority signs certificates by RSA (RFC 4055, section 5; RFC 3279) or
/// ECDSA (RFC 5758, section 3.2; RFC 3279).
enum CertificateDigest: CaseIterable {
    case sha1
    case sha256
    case sha384
    case sha512

    /// Makes the digest of the signature algorithm in the AlgorithmIdentifier of a certificate; `nil` for another
    /// algorithm.
    ///
    /// - Parameter identifier: returns the object identifier of the algorithm with a digest.
    init?(of signatureAlgorithm: Span<UInt8>, _ identifier: (CertificateDigest) -> [UInt8]) {
        do throws(ContainerDeviation) {
            let found = try StrictReader.read(signatureAlgorithm) {
                reader throws(ContainerDeviation) -> CertificateDigest? in
                let octets = try reader.algorithm()
                for digest in Self.allCases where octets.isSame(as: identifier(digest)) { return digest }
                return nil
            }
            guard let found else { return nil }
            self = found
        } catch {
            return nil
        }
    }

    /// The digest by itself.
    var identifier: [UInt8] {
        switch self {
        case .sha1: ObjectIdentifier.sha1
        case .sha256: ObjectIdentifier.sha256
        case .sha384: ObjectIdentifier.sha384
        case .sha512: ObjectIdentifier.sha512
        }
    }

    /// RSASSA-PKCS1-v1_5 with this digest.
    var rsaIdentifier: [UInt8] {
        switch self {
        case .sha1: ObjectIdentifier.sha1WithRSA
        case .sha256: ObjectIdentifier.sha256WithRSA
        case .sha384: ObjectIdentifier.sha384WithRSA
        case .sha512: ObjectIdentifier.sha512WithRSA
        }
    }

    /// ECDSA with this digest.
    var ecdsaIdentifier: [UInt8] {
        switch self {
        case .sha1: ObjectIdentifier.ecdsaWithSHA1
        case .sha256: ObjectIdentifier.ecdsaWithSHA256
        case .sha384: ObjectIdentifier.ecdsaWithSHA384
        case .sha512: ObjectIdentifier.ecdsaWithSHA512
        }
    }

    /// The bytes before the digest in a signature's DigestInfo (RFC 8017, section 9.2, note 1).
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
