private import COpenSSL

/// One worker's own OpenSSL library context, which no other thread uses.
///
/// OpenSSL 3 locks the default context for every fetch and every decode. With its own context a worker never waits. It
/// costs about half a millisecond and 110 KB to start.
final class OpenSSLLibrary {
    let sha1: Owned<MessageDigest>
    let sha256: Owned<MessageDigest>
    private let sha384: Owned<MessageDigest>
    private let sha512: Owned<MessageDigest>
    private let digestContext: Owned<MessageDigestContext>
    /// The reason why a digest could not be computed. Digests made after it are invalid. Callers check once for many
    /// digests.
    private(set) var failure: OpenSSLError?
    // Last, here and wherever a library is a field: fields are freed in order, and nothing may outlive its library.
    let context: Owned<Library>

    init() throws(OpenSSLError) {
        ERR_clear_error()
        let context: Owned<Library> = try unsafe Owned(OSSL_LIB_CTX_new(), orThrow: .startLibrary)
        sha1 = try unsafe Owned(EVP_MD_fetch(context.pointer, "SHA1", nil), orThrow: .fetchDigest)
        sha256 = try unsafe Owned(EVP_MD_fetch(context.pointer, "SHA256", nil), orThrow: .fetchDigest)
        sha384 = try unsafe Owned(EVP_MD_fetch(context.pointer, "SHA384", nil), orThrow: .fetchDigest)
        sha512 = try unsafe Owned(EVP_MD_fetch(context.pointer, "SHA512", nil), orThrow: .fetchDigest)
        digestContext = try unsafe Owned(EVP_MD_CTX_new(), orThrow: .allocate)
        self.context = context
    }

    /// Computes the digest of these concatenated pieces.
    func digest(_ algorithm: DigestAlgorithm, of first: Span<UInt8>, _ second: Span<UInt8>, _ third: Span<UInt8>)
        -> Digest
    {
        start(algorithm)
        update(first)
        update(second)
        update(third)
        return finish(algorithm)
    }

    /// Computes the digest of these bytes.
    func digest(_ algorithm: DigestAlgorithm, of bytes: Span<UInt8>) -> Digest {
        start(algorithm)
        update(bytes)
        return finish(algorithm)
    }

    /// Computes the digest of bytes that an authority signed.
    func certificateDigest(_ algorithm: CertificateDigest, of bytes: Span<UInt8>) -> [UInt8] {
        switch algorithm {
        case .sha1: return digest(.sha1, of: bytes).bytes
        case .sha256: return digest(.sha256, of: bytes).bytes
        case .sha384: unsafe check(EVP_DigestInit_ex2(digestContext.pointer, sha384.pointer, nil))
        case .sha512: unsafe check(EVP_DigestInit_ex2(digestContext.pointer, sha512.pointer, nil))
        }
        update(bytes)
        var octets = [UInt8](repeating: 0, count: algorithm == .sha384 ? 48 : 64)
        unsafe check(EVP_DigestFinal_ex(digestContext.pointer, &octets, nil))
        return octets
    }

    private func start(_ algorithm: DigestAlgorithm) {
        switch algorithm {
        case .sha1: unsafe check(EVP_DigestInit_ex2(digestContext.pointer, sha1.pointer, nil))
        case .sha256: unsafe check(EVP_DigestInit_ex2(digestContext.pointer, sha256.pointer, nil))
        }
    }

    private func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe check(EVP_DigestUpdate(digestContext.pointer, bytes.baseAddress, bytes.count))
        }
    }

    private func finish(_ algorithm: DigestAlgorithm) -> Digest {
        var digest = Digest(count: algorithm.octetCount)
        unsafe digest.withUnsafeMutableOctets { octets in
            unsafe check(EVP_DigestFinal_ex(digestContext.pointer, octets.baseAddress, nil))
        }
        return digest
    }

    /// Records a failure unless OpenSSL returned 1.
    func check(_ result: CInt) {
        if result != 1 { fail() }
    }

    @inline(never) private func fail() { failure = failure ?? OpenSSLError(.digest) }
}

/// The version of OpenSSL that this process is linked with.
public enum OpenSSLVersion {
    /// For example `OpenSSL 3.0.15 3 Sep 2024`.
    public static var text: String { unsafe String(cString: OpenSSL_version(OPENSSL_VERSION)) }

    /// For example `3.0.15`.
    public static var inUse: String { unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING)) }

    /// The version of the headers that this was built with.
    public static var builtWith: String { OPENSSL_VERSION_STR }
}
