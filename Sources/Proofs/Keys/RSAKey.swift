import DER
import Encodings

/// The two numbers of an RSA public key (RFC 8017, appendix A.1.1), most significant octet first.
struct RSANumbers {
    let modulus: [UInt8]
    let exponent: [UInt8]

    /// Whether verifying with this key costs no more than with Apple's keys, which have 2,048 bits and the exponent
    /// 65,537.
    ///
    /// A more expensive key is used only if its chain is verified.
    var isWithinCostLimit: Bool { modulus.count <= 256 && exponent.count <= 3 }

    /// Whether this is a key of a usual size, up to 4,096 bits, for ``RSAKey``. Others are ``UnusualKey``s.
    var isOfUsualSize: Bool { modulus.count <= 512 && exponent.count <= 4 }

    /// The cost of a verification, as a multiple of one with a key like Apple's: multiplications grow with the square
    /// of the modulus.
    var verificationCost: Int {
        let size = max(1, (modulus.count + 255) / 256)
        return size * size * (exponent.count > 3 ? 4 : 1)
    }
}

extension RSANumbers {
    /// Reads a certificate's key; `nil` if it is not an RSA key.
    init?(certificate encoding: Span<UInt8>) {
        do throws(ContainerDeviation) {
            let certificate = try StrictCertificate(encoding)
            let numbers = try StrictReader.read(certificate.publicKeyInfo) { info throws(ContainerDeviation) in
                try info.inside(.sequence, Self.numbers)
            }
            guard let numbers else { return nil }
            self = numbers
        } catch {
            return nil
        }
    }

    /// Reads the contents of a SubjectPublicKeyInfo.
    private static func numbers(_ keyInfo: inout StrictReader) throws(ContainerDeviation) -> RSANumbers? {
        let isRSA = try keyInfo.anyAlgorithm().isSame(as: ObjectIdentifier.rsaEncryption)
        let bits = try keyInfo.contents(of: .bitString)
        guard isRSA, bits.count > 1, bits[0] == 0 else { return nil }
        return try StrictReader.read(bits.extracting(droppingFirst: 1)) { key throws(ContainerDeviation) in
            try key.inside(.sequence) { numbers throws(ContainerDeviation) in
                let modulus = positive(try numbers.integerOctets())
                let exponent = positive(try numbers.integerOctets())
                guard let modulus, let exponent else { return nil }
                return RSANumbers(modulus: modulus, exponent: exponent)
            }
        }
    }

    /// Returns the octets of a number above zero, without leading zeros.
    private static func positive(_ octets: Span<UInt8>) -> [UInt8]? {
        guard octets.count > 0, octets[0] < 0x80 else { return nil }
        let digits = octets.copy().drop { $0 == 0 }
        return digits.isEmpty ? nil : Array(digits)
    }
}

/// Verifies signatures with one RSA public key (RFC 8017, section 8.2.2: RSASSA-PKCS1-v1_5).
///
/// As in the RFC, the power of a signature is computed and compared with the one number that encodes the digest: no
/// part of a signature is ever parsed. `EVP_PKEY_verify` does the same multiplications and three more, and copies and
/// wipes numbers for each signature, a fifth of its time; but nothing here is secret. Tests compare the results with
/// OpenSSL's.
final class RSAKey {
    private let modulus: any RSAModulus
    private let exponent: UInt32
    /// The number of octets of the modulus, and of each signature.
    private let octetCount: Int
    /// The encodings of digests of zeros; empty if the modulus is too short for one.
    private let sha1Encoding: [UInt8]
    private let sha256Encoding: [UInt8]

    /// Returns `nil` if the numbers are not an RSA key (RFC 8017, section 3.1), or the exponent has more than 32 bits.
    convenience init?(_ numbers: RSANumbers, library: OpenSSLLibrary) {
        let modulus: (any RSAModulus)? =
            VectorModulus(numbers.modulus, library: library) ?? OpenSSLModulus(numbers.modulus, library: library)
        self.init(numbers, modulus)
    }

    /// - Parameter modulus: the same number, with its arithmetic.
    init?(_ numbers: RSANumbers, _ modulus: (any RSAModulus)?) {
        guard let modulus, numbers.exponent.count <= 4 else { return nil }
        exponent = numbers.exponent.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        guard exponent >= 3, exponent & 1 == 1 else { return nil }
        self.modulus = modulus
        octetCount = numbers.modulus.count
        sha1Encoding = DigestAlgorithm.sha1.encoding(in: octetCount)
        sha256Encoding = DigestAlgorithm.sha256.encoding(in: octetCount)
    }

    /// Whether `signature` was made over this digest with the private half of the key.
    func verifies(_ signature: Span<UInt8>, of digest: borrowing Digest, _ algorithm: DigestAlgorithm) -> Bool {
        let encoding = algorithm == .sha1 ? sha1Encoding : sha256Encoding
        guard !encoding.isEmpty, signature.count == octetCount, digest.octets.count == algorithm.octetCount else {
            return false
        }
        return modulus.power(of: signature, to: exponent, is: encoding, endingIn: digest.octets)
    }

    /// Whether a certificate's `signature` was made over this digest with the private half of the key.
    func verifies(_ signature: Span<UInt8>, of digest: [UInt8], _ algorithm: CertificateDigest) -> Bool {
        let encoding = algorithm.digestInfoHead.encoding(beforeDigestOf: digest.count, in: octetCount)
        guard !encoding.isEmpty, signature.count == octetCount else { return false }
        return modulus.power(of: signature, to: exponent, is: encoding, endingIn: digest.span)
    }
}

extension DigestAlgorithm {
    fileprivate func encoding(in octetCount: Int) -> [UInt8] {
        digestInfoHead.encoding(beforeDigestOf: self.octetCount, in: octetCount)
    }
}

extension [UInt8] {
    /// The encoding EMSA-PKCS1-v1_5 (RFC 8017, section 9.2) of a DigestInfo that begins with these octets and ends with
    /// a digest of zeros: 0, 1, at least eight times 0xff, 0, DigestInfo. Empty if that does not fit.
    fileprivate func encoding(beforeDigestOf digestCount: Int, in octetCount: Int) -> [UInt8] {
        let padding = octetCount - count - digestCount - 3
        guard padding >= 8 else { return [] }
        return [0, 1] + Array(repeating: 0xff, count: padding) + [0] + self + Array(repeating: 0, count: digestCount)
    }
}
