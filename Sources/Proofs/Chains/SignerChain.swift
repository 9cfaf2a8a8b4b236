import Encodings

/// A signer's certificate and those that lead from it to a trust anchor, decoded and verified.
///
/// Containers that differ only in certificates outside the chain share one.
final class SignerChain {
    /// The signer's DER first, then the others that may be part of the chain.
    let encodings: [[UInt8]]
    /// Whether the verdict may depend on the date.
    let dependsOnDate: Bool
    /// The verdict regardless of any date.
    let undated: ChainVerdict
    /// Whether the chain ends at a trust anchor, whatever its certificates are for.
    private(set) lazy var isTrustedForAnyPurpose = undated.isTrusted || chains.isTrustedForAnyPurpose(decoded)
    private let decoded: DecodedCertificates
    private let chains: ChainVerifier
    private let library: OpenSSLLibrary
    /// The signer's key, which is used only if the chain is trusted.
    private lazy var key = encodings.first.flatMap { RSANumbers(certificate: $0.span) }.flatMap { numbers in
        numbers.isOfUsualSize ? RSAKey(numbers, library: library) : nil
    }
    /// The keys for use without a ``key``, one for each digest algorithm.
    private var unusualKeys: [UnusualKey] = []
    /// The last valid signatures; `nil` if each is verified.
    private let recent: RecentSignatures?
    private let certificateDigest: Digest

    init(
        _ encodings: [[UInt8]], chains: ChainVerifier, recent: RecentSignatures?, library: OpenSSLLibrary
    ) throws(OpenSSLError) {
        self.encodings = encodings
        self.recent = recent
        let certificate = encodings.first ?? []
        certificateDigest = library.digest(.sha256, of: certificate.span)
        decoded = try DecodedCertificates(encodings, library: library)
        dependsOnDate = chains.dependsOnDate(decoded)
        undated = chains.verdict(on: decoded, at: nil)
        self.chains = chains
        self.library = library
    }

    /// Returns the verdict at a date. OpenSSL takes a certificate for expired in its last second already.
    func verdict(at date: Instant) -> ChainVerdict {
        let verdict = chains.verdict(on: decoded, at: date)
        return verdict.isTrusted ? verdict : chains.verdict(on: decoded, at: date.adding(seconds: -1))
    }

    /// Whether a signature over this digest belongs to the signer, with a trusted chain.
    func signature(
        _ signature: Span<UInt8>, over digest: borrowing Digest, _ algorithm: DigestAlgorithm
    ) -> SignatureVerdict.Signature {
        cached(signature, over: digest, algorithm == .sha1 ? .rsaWithSHA1 : .rsaWithSHA256) { signature, digest in
            verify(signature, over: digest, algorithm)
        }
    }

    /// Verifies a signature over this digest, unless it is one of the last valid ones.
    func cached(
        _ signature: Span<UInt8>, over digest: borrowing Digest, _ algorithm: SignatureAlgorithm,
        _ verify: (Span<UInt8>, borrowing Digest) -> SignatureVerdict.Signature
    ) -> SignatureVerdict.Signature {
        guard let recent else { return verify(signature, digest) }
        // The algorithm determines the length of each piece except the last.
        var head: [UInt8] = [algorithm.rawValue]
        head.append(copying: digest.octets)
        let key = library.digest(.sha256, of: certificateDigest.octets, head.span, signature)
        if recent.holds(key) { return .holds }
        let verdict = verify(signature, digest)
        if verdict == .holds { recent.insert(key) }
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

/// A signature algorithm of proofs with cached signatures.
enum SignatureAlgorithm: UInt8 {
    case rsaWithSHA1 = 1
    case rsaWithSHA256 = 2
    case es256 = 3
}
