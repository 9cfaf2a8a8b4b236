import DER
import Encodings

/// The keys of authorities that are used for one kind of proof.
enum IssuerKeys {
    /// RSA keys, as in all chains of receipts.
    case rsa
    /// Those and keys on elliptic curves, as in all chains of tokens.
    case rsaAndECDSA
}

/// Verifies certificates with the key of a trusted authority: a trust anchor, or one that a trusted authority signed.
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
            return key.signed(try StrictCertificate(encoding.span), library)
        } catch {
            return false
        }
    }
}

/// A key that verifies certificates.
private protocol CertificateVerifier: AnyObject {
    /// Whether a certificate was signed with this key, with an algorithm for keys of its kind.
    func signed(_ certificate: borrowing StrictCertificate, _ library: OpenSSLLibrary) -> Bool
}

extension RSAKey: CertificateVerifier {
    fileprivate func signed(_ certificate: borrowing StrictCertificate, _ library: OpenSSLLibrary) -> Bool {
        guard let algorithm = CertificateDigest(of: certificate.signatureAlgorithm, \.rsaIdentifier) else {
            return false
        }
        return verifies(
            certificate.signature, of: library.certificateDigest(algorithm, of: certificate.tbsCertificate), algorithm)
    }
}

extension ECDSAKey: CertificateVerifier {
    fileprivate func signed(_ certificate: borrowing StrictCertificate, _ library: OpenSSLLibrary) -> Bool {
        guard let algorithm = CertificateDigest(of: certificate.signatureAlgorithm, \.ecdsaIdentifier) else {
            return false
        }
        return verifies(
            certificate.signature, of: library.certificateDigest(algorithm, of: certificate.tbsCertificate).span)
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
