private import COpenSSL

/// A kind of OpenSSL object, and the one C function that frees it.
protocol OpenSSLObject {
    static func free(_ pointer: OpaquePointer)
}

/// Owns one OpenSSL object, which is freed exactly once, at the end of its owner's life.
///
/// C sees every object as the same opaque pointer; `Object` prevents passing an `X509 *` where an `X509_STORE *` is
/// meant. An `Owned` cannot be copied, so a double free does not compile.
@safe struct Owned<Object: OpenSSLObject>: ~Copyable {
    let pointer: OpaquePointer

    /// Takes ownership of a C function's result; `nil` is its way to fail.
    init(_ pointer: OpaquePointer?, orThrow failure: OpenSSLError.Step) throws(OpenSSLError) {
        guard let pointer = unsafe pointer else { throw OpenSSLError(failure) }
        unsafe self.pointer = pointer
    }

    deinit { unsafe Object.free(pointer) }
}

enum Library: OpenSSLObject {
    static func free(_ pointer: OpaquePointer) { unsafe OSSL_LIB_CTX_free(pointer) }
}

enum MessageDigest: OpenSSLObject {
    static func free(_ pointer: OpaquePointer) { unsafe EVP_MD_free(pointer) }
}

enum MessageDigestContext: OpenSSLObject {
    static func free(_ pointer: OpaquePointer) { unsafe EVP_MD_CTX_free(pointer) }
}

enum PublicKey: OpenSSLObject {
    static func free(_ pointer: OpaquePointer) { unsafe EVP_PKEY_free(pointer) }
}

enum PublicKeyContext: OpenSSLObject {
    static func free(_ pointer: OpaquePointer) { unsafe EVP_PKEY_CTX_free(pointer) }
}

enum BigNumber: OpenSSLObject {
    static func free(_ pointer: OpaquePointer) { unsafe BN_free(pointer) }
}

enum BigNumberContext: OpenSSLObject {
    static func free(_ pointer: OpaquePointer) { unsafe BN_CTX_free(pointer) }
}

enum MontgomeryContext: OpenSSLObject {
    static func free(_ pointer: OpaquePointer) { unsafe BN_MONT_CTX_free(pointer) }
}

enum CurveGroup: OpenSSLObject {
    static func free(_ pointer: OpaquePointer) { unsafe EC_GROUP_free(pointer) }
}

enum CurvePoint: OpenSSLObject {
    static func free(_ pointer: OpaquePointer) { unsafe EC_POINT_free(pointer) }
}

enum X509Certificate: OpenSSLObject {
    static func free(_ pointer: OpaquePointer) { unsafe X509_free(pointer) }
}

enum X509Stack: OpenSSLObject {
    /// Frees the stack and the certificates on it.
    static func free(_ pointer: OpaquePointer) {
        while let certificate = unsafe OPENSSL_sk_pop(pointer) { unsafe X509_free(OpaquePointer(certificate)) }
        unsafe OPENSSL_sk_free(pointer)
    }
}

enum X509Store: OpenSSLObject {
    static func free(_ pointer: OpaquePointer) { unsafe X509_STORE_free(pointer) }
}

enum X509StoreContext: OpenSSLObject {
    static func free(_ pointer: OpaquePointer) { unsafe X509_STORE_CTX_free(pointer) }
}

enum ASN1Object: OpenSSLObject {
    static func free(_ pointer: OpaquePointer) { unsafe ASN1_OBJECT_free(pointer) }
}

enum KeyedHashAlgorithm: OpenSSLObject {
    static func free(_ pointer: OpaquePointer) { unsafe EVP_MAC_free(pointer) }
}

enum KeyedHashContext: OpenSSLObject {
    static func free(_ pointer: OpaquePointer) { unsafe EVP_MAC_CTX_free(pointer) }
}
