import Encodings

/// Holds a signer's certificate and those that lead from it to a trust anchor, decoded and verified.
///
/// Containers that differ only in certificates outside the chain share one.
final class SignerChain {
    /// The signer's DER first, then the others that may be part of the chain.
    let encodings: [[UInt8]]
    /// Whether the verdict may be another one at another date.
    let dependsOnDate: Bool
    /// The verdict without regard to any date.
    let undated: ChainVerdict
    private let decoded: DecodedCertificates
    private let chains: ChainVerifier
    private let library: OpenSSLLibrary
    /// The signer's key, which is used only where the chain is trusted.
    private lazy var key = encodings.first.flatMap { RSANumbers(certificate: $0.span) }.flatMap { numbers in
        numbers.isOfUsualSize ? RSAKey(numbers, library: library) : nil
    }
    /// The keys that are used if there is no ``key``, one for each digest algorithm.
    private var unusualKeys: [UnusualKey] = []
    private let cache: SignerCache?

    init(
        _ encodings: [[UInt8]], chains: ChainVerifier, cache: (any SignatureCache)?, library: OpenSSLLibrary
    ) throws(OpenSSLError) {
        self.encodings = encodings
        self.cache = cache.map { SignerCache($0, certificate: encodings.first ?? [], library: library) }
        decoded = try DecodedCertificates(encodings, library: library)
        dependsOnDate = chains.dependsOnDate(decoded)
        undated = chains.verdict(on: decoded, at: nil)
        self.chains = chains
        self.library = library
    }

    func verdict(at date: Instant) -> ChainVerdict { chains.verdict(on: decoded, at: date) }

    /// Whether a signature over this digest is the signer's, whose chain is trusted.
    func signature(
        _ signature: Span<UInt8>, over digest: borrowing Digest, _ algorithm: DigestAlgorithm
    ) -> SignatureVerdict.Signature {
        cached(signature, over: digest, algorithm == .sha1 ? .rsaWithSHA1 : .rsaWithSHA256) { signature, digest in
            verify(signature, over: digest, algorithm)
        }
    }

    /// Returns what the cache knows of a signature over this digest, or verifies it and caches that.
    func cached(
        _ signature: Span<UInt8>, over digest: borrowing Digest, _ algorithm: SignatureAlgorithm,
        _ verify: (Span<UInt8>, borrowing Digest) -> SignatureVerdict.Signature
    ) -> SignatureVerdict.Signature {
        guard let cache else { return verify(signature, digest) }
        let key = cache.key(signature, over: digest, algorithm)
        if let known = cache.verdict(key) { return known }
        let verdict = verify(signature, digest)
        cache.insert(key, verdict)
        return verdict
    }

    private func verify(
        _ signature: Span<UInt8>, over digest: borrowing Digest, _ algorithm: DigestAlgorithm
    ) -> SignatureVerdict.Signature {
        if let key { return key.verifies(signature, of: digest, algorithm) ? .holds : .broken }
        if let key = unusualKeys.first(where: { $0.algorithm == algorithm }) {
            return key.verifies(signature, of: digest) ? .holds : .broken
        }
        guard let certificate = unsafe decoded.signer,
            let key = unsafe UnusualKey(of: certificate, algorithm: algorithm, library: library)
        else { return .broken }
        unusualKeys.append(key)
        return key.verifies(signature, of: digest) ? .holds : .broken
    }
}

/// Caches which signatures are valid, so that they need not be verified again. For one thread.
///
/// An entry says whether one signature over one digest is that of one certificate's key: nothing else decides it, neither
/// time nor trust.
public protocol SignatureCache: AnyObject {
    /// Whether a signature is valid; `nil` if it is not cached.
    ///
    /// - Parameter key: SHA-256 of the signer's certificate, the digest's algorithm, the digest and the signature.
    func holds(_ key: Digest) -> Bool?

    /// Caches the result of a verification.
    func insert(_ key: Digest, isValid holds: Bool)
}

/// Names a signature algorithm of proofs in the cache of signatures. The ledger holds the numbers.
enum SignatureAlgorithm: UInt8 {
    case rsaWithSHA1 = 1
    case rsaWithSHA256 = 2
    case es256 = 3
}

/// Looks up the signatures of one signer's certificate in a cache.
private struct SignerCache {
    private let cache: any SignatureCache
    private let library: OpenSSLLibrary
    private let certificate: Digest

    init(_ cache: any SignatureCache, certificate: [UInt8], library: OpenSSLLibrary) {
        self.cache = cache
        self.library = library
        self.certificate = library.digest(.sha256, of: certificate.span)
    }

    /// Returns the key of a signature in the cache.
    func key(_ signature: Span<UInt8>, over digest: borrowing Digest, _ algorithm: SignatureAlgorithm) -> Digest {
        // The algorithm determines the length of each piece but the last.
        var head: [UInt8] = [algorithm.rawValue]
        for index in digest.octets.indices { head.append(digest.octets[index]) }
        return library.digest(.sha256, of: certificate.octets, head.span, signature)
    }

    func verdict(_ key: Digest) -> SignatureVerdict.Signature? { cache.holds(key).map { $0 ? .holds : .broken } }

    func insert(_ key: Digest, _ verdict: SignatureVerdict.Signature) { cache.insert(key, isValid: verdict == .holds) }
}
