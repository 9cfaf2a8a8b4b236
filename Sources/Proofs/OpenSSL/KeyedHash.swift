private import COpenSSL
import Encodings

/// Computes HMAC-SHA-256 (RFC 2104) under one key. For one thread at a time.
public final class KeyedHash {
    private let context: Owned<KeyedHashContext>
    // Last: nothing may outlive its library.
    private let library: Owned<Library>

    public init(key: [UInt8]) throws(OpenSSLError) {
        ERR_clear_error()
        let library: Owned<Library> = try unsafe Owned(OSSL_LIB_CTX_new(), orThrow: .startLibrary)
        let algorithm: Owned<KeyedHashAlgorithm> = try unsafe Owned(
            EVP_MAC_fetch(library.pointer, OSSL_MAC_NAME_HMAC, nil), orThrow: .fetchDigest)
        context = try unsafe Owned(EVP_MAC_CTX_new(algorithm.pointer), orThrow: .allocate)
        self.library = library
        var digest = Array(OSSL_DIGEST_NAME_SHA2_256.utf8CString)
        let isReady = unsafe digest.withUnsafeMutableBufferPointer { digest in
            let parameters = unsafe [
                OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST_key, digest.baseAddress, 0),
                OSSL_PARAM_construct_end(),
            ]
            return unsafe EVP_MAC_init(context.pointer, key, key.count, parameters)
        }
        guard isReady == 1 else { throw OpenSSLError(.fetchDigest) }
    }

    /// Computes the 32-byte authentication code of these bytes.
    public func hash(of bytes: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: 32)
        var count = 0
        // Without a key argument it starts over with the current key.
        guard unsafe EVP_MAC_init(context.pointer, nil, 0, nil) == 1,
            unsafe EVP_MAC_update(context.pointer, bytes, bytes.count) == 1,
            unsafe EVP_MAC_final(context.pointer, &octets, &count, octets.count) == 1, count == octets.count
        else { throw OpenSSLError(.hashWithKey) }
        return octets
    }
}
