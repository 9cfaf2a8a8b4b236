/// Knows signatures that were verified before, so that they need not be verified again. For one thread.
///
/// What is remembered is whether one signature over one digest is that of one certificate's key: nothing else decides it,
/// neither time nor trust.
public protocol SignatureCache: AnyObject {
    /// Whether a signature holds, if that is known.
    ///
    /// - Parameter key: SHA-256 of the signer's certificate, the digest's algorithm, the digest and the signature.
    func holds(_ key: Digest) -> Bool?

    /// Takes what a verification said.
    func remember(_ key: Digest, holds: Bool)
}

/// A signer's certificate, as one whose signatures are remembered.
struct CachedSigner {
    private let memory: any SignatureCache
    private let library: OpenSSLLibrary
    private let certificate: Digest

    init(_ certificate: [UInt8], in memory: any SignatureCache, library: OpenSSLLibrary) {
        self.memory = memory
        self.library = library
        self.certificate = library.digest(.sha256, of: certificate.span)
    }

    /// Under what a signature is remembered.
    func key(_ signature: Span<UInt8>, over digest: borrowing Digest, _ algorithm: DigestAlgorithm) -> Digest {
        // All but the last piece have a length that the algorithm tells.
        var head: [UInt8] = [algorithm == .sha1 ? 1 : 2]
        for index in digest.octets.indices { head.append(digest.octets[index]) }
        return library.digest(.sha256, of: certificate.octets, head.span, signature)
    }

    func verdict(_ key: Digest) -> SignatureVerdict.Signature? { memory.holds(key).map { $0 ? .holds : .broken } }

    func remember(_ key: Digest, _ verdict: SignatureVerdict.Signature) {
        memory.remember(key, holds: verdict == .holds)
    }
}
