public import Encodings

/// Verifies the signatures of receipts, for one worker.
///
/// Not to be shared between threads: it holds an OpenSSL library context of its own, prefetched digests,
/// and the last signers that it met.
public final class SignatureVerifier {
    /// How many signers of each kind are kept. Apple's change every year or two.
    private static let cachedSigners = 8
    /// Signers whose certificates and identifier have more octets are not kept, so that untrusted ones cannot fill the
    /// memory. Apple's have some 3,700.
    private static let largestKept = 64 << 10

    let library: OpenSSLLibrary
    let chains: ChainVerifier
    private let screen: ChainScreen
    private let memory: (any SignatureCache)?
    /// The last signers whose chain is trusted, in the form in which Apple writes it; the most recent first.
    private(set) var trustedSigners: [CachedSigners] = []
    /// The last others, apart: however many there are, they do not have the trusted ones decoded again and again.
    private(set) var otherSigners: [CachedSigners] = []
    /// The last chains that are trusted, and the last others, the most recent first.
    private(set) var trustedChains: [SignerChain] = []
    private(set) var otherChains: [SignerChain] = []
    /// Whether OpenSSL is asked why a chain is not trusted: for a person who looks at one receipt, not for many.
    public var asksForReasons = false { didSet { otherSigners = [] } }

    /// Why a digest could not be computed: no verdict since then is worth anything.
    public var failure: OpenSSLError? { library.failure }

    /// - Parameter memory: knows signatures that were verified before.
    public init(trust: TrustAnchors, memory: (any SignatureCache)? = nil) throws(OpenSSLError) {
        self.memory = memory
        library = try OpenSSLLibrary()
        chains = try ChainVerifier(trust: trust, library: library)
        screen = ChainScreen(trust: trust, library: library)
    }

    /// Signers, and what their container says of them.
    struct CachedSigners {
        let references: CachedSignerReferences
        let signers: [Signer]
    }

    /// Who signed a container, as far as its bytes say; ``verdict(on:by:at:)`` says whether it is true.
    public struct SignerHandle {
        /// One for each SignerInfo that is looked at; one that is nobody if there is none.
        let signers: [Signer]
    }

    /// Why a container in the strict form must be read another way, or not at all.
    public enum Refusal: Error {
        /// Its certificates are not in the strict form.
        case deviation(ContainerDeviation)
        case fault(ContainerFault)
    }

    /// Finds a container's signer among those met before, or judges its certificates.
    public func signer(of signedData: borrowing SignedData) throws(Refusal) -> SignerHandle {
        let references = SignerReferences(
            certificates: signedData.certificates, identifier: .issuerAndSerialNumber(signedData.signerIdentifier))
        if let signers = find(references) {
            if let deviation = signers.first?.deviation { throw .deviation(deviation) }
            return SignerHandle(signers: signers)
        }
        let bag: CertificateBag
        do throws(ContainerDeviation) {
            bag = try CertificateBag(references, isStrict: true)
        } catch {
            throw .deviation(error.moved(by: signedData.certificatesPosition))
        }
        do throws(ContainerFault) {
            return SignerHandle(signers: try makeSigners(bag, references))
        } catch {
            throw .fault(error)
        }
    }

    /// The same for a container that is not in the strict form, of which these were read.
    func signers(_ references: SignerReferences) throws(ContainerFault) -> [Signer] {
        if let signers = find(references) { return signers }
        let bag: CertificateBag
        do throws(ContainerDeviation) {
            bag = try CertificateBag(references, isStrict: false)
        } catch {
            throw .malformed(error.description)
        }
        return try makeSigners(bag, references)
    }

    private func find(_ references: SignerReferences) -> [Signer]? {
        // By index: a loop over values would copy each, and count its references.
        for index in trustedSigners.indices where trustedSigners[index].references.equals(references) {
            if index > 0 { trustedSigners.insert(trustedSigners.remove(at: index), at: 0) }
            return trustedSigners[0].signers
        }
        return otherSigners.first { $0.references.equals(references) }?.signers
    }

    /// The signers of a container with these certificates, kept if they are not large.
    private func makeSigners(
        _ bag: CertificateBag, _ references: SignerReferences
    ) throws(ContainerFault) -> [Signer] {
        var search = screen.search(bag)
        var signers: [Signer] = []
        for index in bag.signerIndexes {
            if let index, let candidates = search.candidates(for: index) {
                signers.append(Signer(bag, at: index, chain: try chain(of: candidates), library: library))
            } else {
                signers.append(Signer(bag, at: index, untrusted: reason(bag, index), library: library))
            }
        }
        if signers.isEmpty { signers = [Signer(bag, at: nil, untrusted: "", library: library)] }
        guard references.octetCount <= Self.largestKept else { return signers }
        let kept = CachedSigners(references: CachedSignerReferences(references), signers: signers)
        let isTrusted = signers.count == 1 && signers[0].isTrustedAndCanonical
        Self.keep(kept, in: isTrusted ? \.trustedSigners : \.otherSigners, of: self)
        return signers
    }

    private static func keep<Kept>(
        _ kept: Kept, in list: ReferenceWritableKeyPath<SignatureVerifier, [Kept]>, of verifier: SignatureVerifier
    ) {
        if verifier[keyPath: list].count == cachedSigners { verifier[keyPath: list].removeLast() }
        verifier[keyPath: list].insert(kept, at: 0)
    }

    /// The chain of the first of these certificates, decoded now unless it was before.
    private func chain(of candidates: ChainCandidates) throws(ContainerFault) -> SignerChain {
        let encodings = candidates.encodings
        if let known = trustedChains.first(where: { $0.encodings == encodings }) {
            screen.keep(candidates)
            return known
        }
        if let known = otherChains.first(where: { $0.encodings == encodings }) { return known }
        do throws(OpenSSLError) {
            let chain = try SignerChain(encodings, chains: chains, memory: memory, library: library)
            Self.keep(chain, in: chain.undated.isTrusted ? \.trustedChains : \.otherChains, of: self)
            if chain.undated.isTrusted { screen.keep(candidates) }
            return chain
        } catch {
            throw .malformed(error.description)
        }
    }

    /// Why no chain of a container's can be trusted.
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

    /// Verifies a container's signature and judges its signer's chain at `date`.
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
            deviation: chain.deviation)
    }

    /// SHA-1 of three pieces, one after the other: the form of a receipt's device hash.
    public func sha1(of first: Span<UInt8>, _ second: Span<UInt8>, _ third: Span<UInt8>) -> Digest {
        library.digest(.sha1, of: first, second, third)
    }
}
