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
        context = try Owned(OSSL_MAC_NAME_HMAC, in: library)
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

    /// Computes the 32 octets of these bytes' code.
    public func hash(of bytes: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: 32)
        var count = 0
        // Without a key it starts again with the one it has.
        guard unsafe EVP_MAC_init(context.pointer, nil, 0, nil) == 1,
            unsafe EVP_MAC_update(context.pointer, bytes, bytes.count) == 1,
            unsafe EVP_MAC_final(context.pointer, &octets, &count, octets.count) == 1, count == octets.count
        else { throw OpenSSLError(.hashWithKey) }
        return octets
    }
}

/// Computes Poly1305 (RFC 8439, section 2.5) of many texts under one key. For one thread at a time.
///
/// A tag stands for a text as a cryptographic hash does, towards those who know neither the key nor a tag: two texts of up
/// to L octets that they choose have the same tag under at most 8 ⌈L/16⌉ of 2¹⁰⁶ keys (D. J. Bernstein, The Poly1305-AES
/// message-authentication code, theorem 3.3), of 16 MiB under one of 2⁸³. Whoever knows the key finds such texts at once.
/// RFC 8439 wants another key for each text because its tags are seen by others; these are not.
///
/// With vectors it takes a seventh of the time of OpenSSL's SHA-256.
public final class ContentTagger {
    public static let keyLength = 32
    public static let tagLength = 16

    private let key: [UInt8]
    private let context: Owned<KeyedHashContext>
    // Last: nothing may outlive its library.
    private let library: OpenSSLLibrary

    /// Why a tag or a digest could not be computed with the library; those since then must not be used.
    public var failure: OpenSSLError? { library.failure }

    /// - Parameters:
    ///   - key: ``keyLength`` octets; any other number of them is an error.
    ///   - hasher: one of the same thread, whose library is used.
    public init(key: [UInt8], with hasher: ContentHasher) throws(OpenSSLError) {
        ERR_clear_error()
        library = hasher.library
        context = try Owned(OSSL_MAC_NAME_POLY1305, in: library.context)
        self.key = key
        guard key.count == Self.keyLength, unsafe EVP_MAC_init(context.pointer, key, key.count, nil) == 1 else {
            throw OpenSSLError(.readKey)
        }
    }

    /// Appends the tag of these bytes.
    public func appendTag(of bytes: Span<UInt8>, to output: inout [UInt8]) {
        let start = output.count
        output.append(zeros: Self.tagLength)
        unsafe output.withUnsafeMutableBufferPointer { output in
            let tag = output.extracting(start...)
            var count = 0
            unsafe library.check(EVP_MAC_init(context.pointer, key, key.count, nil))
            unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe library.check(EVP_MAC_update(context.pointer, bytes.baseAddress, bytes.count))
            }
            unsafe library.check(EVP_MAC_final(context.pointer, tag.baseAddress, &count, tag.count))
            library.check(count == Self.tagLength ? 1 : 0)
        }
    }
}

extension Owned where Object == KeyedHashContext {
    /// Makes a context for a message authentication code, by its name in OpenSSL.
    fileprivate init(_ name: String, in library: borrowing Owned<Library>) throws(OpenSSLError) {
        let algorithm: Owned<KeyedHashAlgorithm> = try unsafe Owned<KeyedHashAlgorithm>(
            EVP_MAC_fetch(library.pointer, name, nil), orThrow: .fetchDigest)
        self = try unsafe Owned(EVP_MAC_CTX_new(algorithm.pointer), orThrow: .allocate)
    }
}
