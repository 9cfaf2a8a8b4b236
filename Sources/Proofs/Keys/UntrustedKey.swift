private import COpenSSL

/// Verifies signatures with the key of a certificate whose chain is not trusted.
///
/// A forger may choose any key, and a large modulus or exponent makes a signature cost a thousand times as much as one
/// of Apple's. Such keys are not used: their signatures are untrusted, valid or not. Keys of a kind other than RSA are
/// not used either, because no receipt is signed with them: such a signature is invalid.
final class UntrustedKey {
    private let key: RSAKey?
    private let isTooCostly: Bool

    init(certificate encoding: [UInt8], library: OpenSSLLibrary) {
        let numbers = RSANumbers(certificate: encoding.span)
        isTooCostly = numbers?.isWithinCostLimit == false
        key = isTooCostly ? nil : numbers.flatMap { RSAKey($0, library: library) }
    }

    /// Whether a signature over this digest was made with the private half of the key.
    func signature(
        _ signature: Span<UInt8>, over digest: borrowing Digest, _ algorithm: DigestAlgorithm
    ) -> SignatureVerdict.Signature {
        guard !isTooCostly else { return .notChecked(.costlyKey) }
        return key?.verifies(signature, of: digest, algorithm) == true ? .holds : .broken
    }
}

/// Verifies signatures over one digest algorithm (RFC 8017, section 8.2) with OpenSSL's `EVP_PKEY_verify`, with an RSA
/// key of more than 4,096 bits or with an exponent of more than 32 bits, which private authorities may use.
final class UnusualKey {
    let algorithm: DigestAlgorithm
    private let context: Owned<PublicKeyContext>

    /// Returns `nil` if the certificate's key is not an RSA key (RFC 8017, section 3.1).
    init?(of certificate: OpaquePointer, algorithm: DigestAlgorithm, library: OpenSSLLibrary) {
        ERR_clear_error()
        defer { ERR_clear_error() }
        let digest = unsafe algorithm == .sha1 ? library.sha1.pointer : library.sha256.pointer
        guard let key = unsafe X509_get0_pubkey(certificate), unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA,
            unsafe Self.hasUsableExponent(key),
            let pointer = unsafe EVP_PKEY_CTX_new_from_pkey(library.context.pointer, key, nil),
            let context = try? unsafe Owned<PublicKeyContext>(pointer, orThrow: .allocate)
        else { return nil }
        guard unsafe EVP_PKEY_verify_init(context.pointer) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_padding(context.pointer, RSA_PKCS1_PADDING) == 1,
            unsafe EVP_PKEY_CTX_set_signature_md(context.pointer, digest) == 1
        else { return nil }
        self.algorithm = algorithm
        self.context = context
    }

    /// Whether the public exponent is odd and at least 3. OpenSSL also accepts 1, with which every padded digest is its
    /// own signature.
    private static func hasUsableExponent(_ key: OpaquePointer) -> Bool {
        var exponent: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &exponent) == 1 else { return false }
        defer { unsafe BN_free(exponent) }
        return unsafe BN_is_odd(exponent) == 1 && BN_is_one(exponent) == 0
    }

    /// Whether `signature` was made over this digest with the private half of the key.
    func verifies(_ signature: Span<UInt8>, of digest: borrowing Digest) -> Bool {
        ERR_clear_error()
        let octets = digest.octets
        return unsafe signature.withUnsafeBufferPointer { signature in
            unsafe octets.withUnsafeBufferPointer { digest in
                unsafe EVP_PKEY_verify(
                    context.pointer, signature.baseAddress, signature.count, digest.baseAddress, digest.count) == 1
            }
        }
    }
}
