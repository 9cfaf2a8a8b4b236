import Encodings

/// A signer and the certificates that lead from it towards a trust anchor, decoded and verified.
///
/// Containers that differ only in certificates which are no part of the chain share one.
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
    /// What verifies if there is no ``key``, one for each digest algorithm.
    private var unusualKeys: [UnusualKey] = []
    private let remembered: CachedSigner?

    init(
        _ encodings: [[UInt8]], chains: ChainVerifier, memory: (any SignatureCache)? = nil, library: OpenSSLLibrary
    ) throws(OpenSSLError) {
        self.encodings = encodings
        remembered = memory.map { CachedSigner(encodings.first ?? [], in: $0, library: library) }
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
        guard let remembered else { return verified(signature, over: digest, algorithm) }
        let key = remembered.key(signature, over: digest, algorithm)
        if let known = remembered.verdict(key) { return known }
        let verdict = verified(signature, over: digest, algorithm)
        remembered.remember(key, verdict)
        return verdict
    }

    private func verified(
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
