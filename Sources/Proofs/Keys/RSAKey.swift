/// An RSA public key, ready to verify signatures (RFC 8017, section 8.2.2: RSASSA-PKCS1-v1_5).
///
/// The number under a signature is computed and compared with the one number that encodes the digest, as the RFC has
/// it: nothing of a signature is ever parsed. `EVP_PKEY_verify` does the same multiplications and three more, and
/// copies and wipes numbers for each signature, a fifth of its time; but nothing here is secret. A test holds the
/// answers equal to OpenSSL's.
final class RSAKey {
    private let modulus: any RSAModulus
    private let exponent: UInt32
    /// How many octets the modulus has, and each signature.
    private let octetCount: Int
    /// Encodings of digests of zeros; empty if the modulus has no room for one.
    private let sha1Encoding: [UInt8]
    private let sha256Encoding: [UInt8]

    /// `nil` if the numbers are no key of RSA's (RFC 8017, section 3.1), or the exponent has more than 32 bits.
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

    /// Whether `signature`, that of a certificate, was made over this digest with the private half of the key.
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
