private import COpenSSL

/// An RSA public key, made of its two numbers without a certificate being decoded.
final class RSAKey {
    private let key: Owned<PublicKey>
    private let library: OpenSSLLibrary
    private var ready: [SignerKey] = []

    /// `nil` if OpenSSL makes no key of the numbers.
    init?(_ numbers: RSANumbers, library: OpenSSLLibrary) {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(library.context.pointer, "RSA", nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_fromdata_init(context) == 1,
            let pointer = unsafe Self.make(numbers, in: context),
            let key = try? unsafe Owned<PublicKey>(pointer, orThrow: .allocate)
        else { return nil }
        self.key = key
        self.library = library
    }

    /// Whether `signature` was made over this digest with the private half of the key.
    func verifies(_ signature: Span<UInt8>, of digest: borrowing Digest, _ algorithm: DigestAlgorithm) -> Bool {
        if let key = ready.first(where: { $0.algorithm == algorithm }) { return key.verifies(signature, of: digest) }
        guard let prepared = unsafe SignerKey(key: key.pointer, algorithm: algorithm, library: library) else {
            return false
        }
        ready.append(prepared)
        return prepared.verifies(signature, of: digest)
    }

    private static func make(_ numbers: RSANumbers, in context: OpaquePointer) -> OpaquePointer? {
        // OSSL_PARAM holds numbers as the machine does: least significant octet first.
        var modulus = Array(numbers.modulus.reversed())
        var exponent = Array(numbers.exponent.reversed())
        var key: OpaquePointer?
        unsafe modulus.withUnsafeMutableBufferPointer { modulus in
            unsafe exponent.withUnsafeMutableBufferPointer { exponent in
                unsafe "n".withCString { n in
                    unsafe "e".withCString { e in
                        var parameters = unsafe [
                            OSSL_PARAM_construct_BN(n, modulus.baseAddress, modulus.count),
                            OSSL_PARAM_construct_BN(e, exponent.baseAddress, exponent.count),
                            OSSL_PARAM_construct_end(),
                        ]
                        _ = unsafe EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY_value, &parameters)
                    }
                }
            }
        }
        return unsafe key
    }
}
