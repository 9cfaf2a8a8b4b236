public import Encodings

/// Verifies the signatures of receipts, for one worker.
///
/// It is for one thread at a time: it has its own OpenSSL library context, prefetched digests, and a cache of signers
/// and chains.
public final class SignatureVerifier {
    /// The size of each cache. Apple's signers change every year or two.
    private static let maxCached = 8
    /// The maximum size of certificates and identifiers in bytes for cached signers, so that untrusted ones cannot fill
    /// the memory. Apple's have some 3,700.
    private static let maxCachedOctets = 64 << 10

    let library: OpenSSLLibrary
    let chains: ChainVerifier
    private let screen: ChainScreen
    let tokenScreen: ChainScreen
    let tokenSigners = TokenSigners()
    private let tokenSignatures = RecentSignatures()
    /// The last signers whose chain is trusted and in the strict form, the most recent first.
    private(set) var trustedSigners: [CachedSigners] = []
    /// The last other signers, in a separate cache: however many there are, they do not evict trusted ones.
    private(set) var otherSigners: [CachedSigners] = []
    /// The last chains that are trusted, and the last others, the most recent first.
    private(set) var trustedChains: [SignerChain] = []
    private(set) var otherChains: [SignerChain] = []
    /// Whether to ask OpenSSL why a chain is not trusted, which is too slow for more than one receipt.
    public var asksForReasons = false { didSet { otherSigners = [] } }

    /// The reason why a digest could not be computed. Verdicts made after it are invalid.
    public var failure: OpenSSLError? { library.failure }

    public init(trust: TrustAnchors) throws(OpenSSLError) {
        library = try OpenSSLLibrary()
        chains = try ChainVerifier(trust: trust, library: library)
        screen = ChainScreen(trust: trust, .rsa, library: library)
        tokenScreen = ChainScreen(trust: trust, .rsaAndECDSA, library: library)
    }

    /// Signers, with their container's references to them.
    struct CachedSigners {
        let references: CachedSignerReferences
        let signers: [Signer]
    }

    /// The signers of a container according to its bytes; ``verdict(on:by:at:)`` verifies it.
    public struct SignerHandle {
        /// One signer per SignerInfo that is read; one without a certificate if there is none.
        let signers: [Signer]
    }

    /// The reason why a container in the strict form must be read in another way, or not at all.
    public enum Refusal: Error {
        /// Its certificates are not in the strict form.
        case deviation(ContainerDeviation)
        case fault(ContainerFault)
    }

    /// Finds a container's signer in the cache, or examines its certificates.
    public func signer(of signedData: borrowing SignedData) throws(Refusal) -> SignerHandle {
        if let signers = find(signedData.references) {
            if let deviation = signers.first?.deviation { throw .deviation(deviation) }
            return SignerHandle(signers: signers)
        }
        let bag = CertificateBag(signedData.references)
        if let deviation = bag.deviation { throw .deviation(deviation) }
        do throws(ContainerFault) {
            return SignerHandle(signers: try makeSigners(bag, signedData.references))
        } catch {
            throw .fault(error)
        }
    }

    /// Finds a container's signers in the cache, or examines its certificates.
    public func signer(of signedData: borrowing LenientSignedData) throws(ContainerFault) -> SignerHandle {
        SignerHandle(signers: try signers(signedData.references))
    }

    /// Finds the signers of a container that need not be in the strict form.
    func signers(_ references: SignerReferences) throws(ContainerFault) -> [Signer] {
        if let signers = find(references) { return signers }
        return try makeSigners(CertificateBag(references), references)
    }

    private func find(_ references: SignerReferences) -> [Signer]? {
        // By index, because a loop over values would copy each, and retain its references.
        for index in trustedSigners.indices where trustedSigners[index].references.equals(references) {
            if index > 0 { trustedSigners.insert(trustedSigners.remove(at: index), at: 0) }
            return trustedSigners[0].signers
        }
        return otherSigners.first { $0.references.equals(references) }?.signers
    }

    /// Makes the signers of a container with these certificates, and caches them.
    private func makeSigners(
        _ bag: CertificateBag, _ references: SignerReferences
    ) throws(ContainerFault) -> [Signer] {
        var search = ChainSearch(bag.entries, screen: screen)
        var signers: [Signer] = []
        for index in bag.signerIndexes {
            if let index, let candidates = search.candidates(for: index) {
                signers.append(
                    Signer(bag, at: index, chain: try chain(of: candidates, screen: screen), library: library))
            } else {
                signers.append(Signer(bag, at: index, untrusted: reason(bag, index), library: library))
            }
        }
        if signers.isEmpty { signers = [Signer(bag, at: nil, untrusted: "", library: library)] }
        guard references.octetCount <= Self.maxCachedOctets else { return signers }
        let isTrusted = signers.count == 1 && signers[0].isTrustedAndCanonical
        let cached = CachedSigners(references: CachedSignerReferences(references), signers: signers)
        if isTrusted {
            Self.insert(cached, into: &trustedSigners)
        } else {
            Self.insert(cached, into: &otherSigners)
        }
        return signers
    }

    private static func insert<Value>(_ value: Value, into cache: inout [Value]) {
        if cache.count == maxCached { cache.removeLast() }
        cache.insert(value, at: 0)
    }

    /// Returns the chain of the first of these certificates, from the cache or newly verified.
    func chain(of candidates: ChainCandidates, screen: ChainScreen) throws(ContainerFault) -> SignerChain {
        let encodings = candidates.encodings
        if let known = trustedChains.first(where: { $0.encodings == encodings }) {
            screen.cache(candidates)
            return known
        }
        if let known = otherChains.first(where: { $0.encodings == encodings }) { return known }
        do throws(OpenSSLError) {
            let chain = try SignerChain(
                encodings, chains: chains, recent: screen === tokenScreen ? tokenSignatures : nil, library: library)
            if chain.isTrustedForAnyPurpose {
                Self.insert(chain, into: &trustedChains)
                screen.cache(candidates)
            } else {
                Self.insert(chain, into: &otherChains)
            }
            return chain
        } catch {
            throw .malformed(error.description)
        }
    }

    /// Returns the reason why none of a container's chains can be trusted.
    private func reason(_ bag: CertificateBag, _ index: Int?) -> String {
        let reason = "no RSA signatures link the signer to a trust anchor"
        guard asksForReasons, let index else { return reason }
        do throws(OpenSSLError) {
            let decoded = try DecodedCertificates(bag.encodings(beginningWith: index), library: library)
            guard case .untrusted(let reason) = chains.verdict(on: decoded, at: nil).trust else { return reason }
            return reason
        } catch {
            return error.description
        }
    }

    /// Verifies a container's signature, and its signer's chain at `date`.
    public func verdict(
        on signedData: borrowing SignedData, by handle: SignerHandle, at date: Instant?
    ) -> SignatureVerdict {
        let algorithm = signedData.digestAlgorithm
        let digest = library.digest(algorithm, of: signedData.content)
        let signer = handle.signers[0]
        let chain = signer.chain(at: date)
        return SignatureVerdict(
            signature: signer.signature(signedData.signature, over: digest, algorithm, chain),
            chain: chain,
            digestAlgorithm: algorithm,
            contentDigest: algorithm == .sha256 ? digest : library.digest(.sha256, of: signedData.content),
            deviation: chain.deviation.map { .container($0) })
    }

    /// Verifies a container's signature, and its signer's chain at `date`.
    ///
    /// Of several SignerInfos, the first one with a valid signature and chain counts; if there is none, the first of
    /// all.
    public func verdict(
        on signedData: borrowing LenientSignedData, by handle: SignerHandle, at date: Instant?
    ) -> SignatureVerdict {
        let content = library.digest(.sha256, of: signedData.content)
        var sha1: Digest?
        var first: SignatureVerdict?
        for (index, info) in signedData.signers.infos.enumerated() {
            let signer = handle.signers[index]
            let chain = signer.chain(at: date)
            // The others matter only if they are genuine, so only one untrusted key is used.
            guard index == 0 || chain.isCurrent(at: date) == true else { continue }
            var signature = SignatureVerdict.Signature.notChecked(.noCertificate)
            if info.flaw != nil {
                signature = .broken
            } else if signer.isKnown, let algorithm = info.digestAlgorithm {
                let digest =
                    algorithm == .sha256 ? content : sha1 ?? library.digest(.sha1, of: signedData.content)
                if algorithm == .sha1 { sha1 = digest }
                signature = signer.signature(signedData.signature(of: info), over: digest, algorithm, chain)
            }
            let verdict = SignatureVerdict(
                signature: signature, chain: chain, digestAlgorithm: info.digestAlgorithm, contentDigest: content,
                deviation: .container(signedData.deviation), flaw: info.flaw,
                signerInfo: SignatureVerdict.SignerInfo(index: index, count: signedData.signers.count))
            if verdict.isGenuine(at: date) { return verdict }
            first = first ?? verdict
        }
        return first
            ?? SignatureVerdict(
                signature: .notChecked(.noSignature), chain: handle.signers[0].chain(at: date), digestAlgorithm: nil,
                contentDigest: content, deviation: .container(signedData.deviation))
    }

    /// Computes SHA-1 of three concatenated pieces: the form of a receipt's device hash.
    public func sha1(of first: Span<UInt8>, _ second: Span<UInt8>, _ third: Span<UInt8>) -> Digest {
        library.digest(.sha1, of: first, second, third)
    }
}
