private import COpenSSL
import Synchronization

@testable import Proofs

/// A private key of OpenSSL's, which signs anything, and OpenSSL's own word on whether a signature holds: an oracle for
/// tests, never part of the product.
///
/// `Sendable`, because nothing changes the `EVP_PKEY` after `init`, and OpenSSL locks what it caches inside.
@safe final class RSAOracle: @unchecked Sendable {
    private let key: OpaquePointer
    let numbers: RSANumbers

    private static let made = Mutex<[[UInt]: RSAOracle]>([:])

    /// The key of this size and exponent, which all tests share: making one takes OpenSSL up to seconds.
    static func key(bits: Int, exponent: UInt = 65537) -> RSAOracle? {
        made.withLock { made in
            let known = made[[UInt(bits), exponent]] ?? RSAOracle(bits: bits, exponent: exponent)
            made[[UInt(bits), exponent]] = known
            return known
        }
    }

    private init?(bits: Int, exponent: UInt) {
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "RSA", nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        let wanted = unsafe BN_new()
        defer { unsafe BN_free(wanted) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, CInt(bits)) == 1,
            unsafe BN_set_word(wanted, exponent) == 1,
            unsafe EVP_PKEY_CTX_set1_rsa_keygen_pubexp(context, wanted) == 1,
            unsafe EVP_PKEY_generate(context, &key) == 1, let key = unsafe key
        else { return nil }
        unsafe self.key = key
        numbers = unsafe RSANumbers(modulus: Self.number("n", of: key), exponent: Self.number("e", of: key))
    }

    deinit { unsafe EVP_PKEY_free(key) }

    private static func number(_ name: String, of key: OpaquePointer) -> [UInt8] {
        var number: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(key, name, &number) == 1 else { return [] }
        defer { unsafe BN_free(number) }
        var octets = [UInt8](repeating: 0, count: Int(unsafe BN_num_bits(number) + 7) / 8)
        unsafe BN_bn2bin(number, &octets)
        return octets
    }

    /// Signs what an encoding says, whatever it is (RFC 8017, section 5.2.1).
    func sign(encoded: [UInt8]) -> [UInt8] {
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { return [] }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: numbers.modulus.count)
        var count = signature.count
        guard unsafe EVP_PKEY_sign_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_NO_PADDING) == 1,
            unsafe EVP_PKEY_sign(context, &signature, &count, encoded, encoded.count) == 1
        else { return [] }
        return signature
    }

    /// Signs a digest as RFC 8017 says it (section 8.2.1).
    func sign(_ digest: [UInt8], _ algorithm: DigestAlgorithm) -> [UInt8] {
        sign(encoded: encoding(of: algorithm.digestInfoHead + digest))
    }

    /// 0, 1, 0xff as often as there is room, 0 and a DigestInfo.
    func encoding(of digestInfo: [UInt8]) -> [UInt8] {
        let room = numbers.modulus.count - digestInfo.count - 3
        return [0, 1] + Array(repeating: 0xff, count: max(0, room)) + [0] + digestInfo
    }

    /// Hands on a certificate with the public half, which nobody has signed.
    func withCertificate<Result>(_ body: (OpaquePointer) throws -> Result) rethrows -> Result? {
        guard let certificate = unsafe X509_new() else { return nil }
        defer { unsafe X509_free(certificate) }
        guard unsafe X509_set_pubkey(certificate, key) == 1 else { return nil }
        return try unsafe body(certificate)
    }

    /// The answer of `EVP_PKEY_verify` about a certificate's signature.
    func accepts(_ signature: [UInt8], ofCertificate digest: [UInt8], _ algorithm: CertificateDigest) -> Bool {
        switch algorithm {
        case .sha1: unsafe accepts(signature, of: digest, EVP_sha1())
        case .sha256: unsafe accepts(signature, of: digest, EVP_sha256())
        case .sha384: unsafe accepts(signature, of: digest, EVP_sha384())
        case .sha512: unsafe accepts(signature, of: digest, EVP_sha512())
        }
    }

    /// What `EVP_PKEY_verify` says.
    func accepts(_ signature: [UInt8], of digest: [UInt8], _ algorithm: DigestAlgorithm) -> Bool {
        unsafe accepts(signature, of: digest, algorithm == .sha1 ? EVP_sha1() : EVP_sha256())
    }

    private func accepts(_ signature: [UInt8], of digest: [UInt8], _ type: OpaquePointer?) -> Bool {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { return false }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_verify_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1,
            unsafe EVP_PKEY_CTX_set_signature_md(context, type) == 1
        else { return false }
        return unsafe EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
    }
}
