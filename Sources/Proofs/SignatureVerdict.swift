public import Encodings

/// The signer of a container, and whether the signature is valid.
public struct SignatureVerdict: Sendable {
    /// Whether the signature matches the content, whoever made it.
    public enum Signature: Sendable, Equatable {
        case holds
        case broken
        case notChecked(Obstacle)
    }

    /// The reason why a signature was not checked.
    public enum Obstacle: Sendable {
        /// Nobody signed.
        case noSignature
        /// None of the certificates belongs to the signer.
        case noCertificate
        /// The chain is not trusted, and the signer's key costs more than one of Apple's.
        case costlyKey
    }

    /// The reason why a signature cannot be an RSA signature over the content.
    public enum Flaw: Sendable {
        /// The SignerInfo names a signature algorithm other than RSASSA-PKCS1-v1_5, or a digest other than SHA-1 and
        /// SHA-256.
        case otherAlgorithm
        /// The signature is over signed attributes (RFC 5652, section 5.4).
        case signedAttributes
    }

    /// One of a container's SignerInfos.
    public struct SignerInfo: Sendable, Equatable {
        /// The position, from 0.
        public let index: Int
        /// The number of SignerInfos.
        public let count: Int
        /// The number of SignerInfos that are read.
        public var examined: Int { min(count, LenientSigners.limit) }
    }

    public let signature: Signature
    public let chain: ChainVerdict
    /// The signer's digest algorithm; `nil` if it is neither SHA-1 nor SHA-256.
    public let digestAlgorithm: DigestAlgorithm?
    /// SHA-256 of the content: the identity of a receipt.
    public let contentDigest: Digest
    /// The first deviation from the strict form.
    public let deviation: ProofDeviation?
    /// The reason why the signature is broken, if it is visible without verification.
    public let flaw: Flaw?
    /// The SignerInfo that the verdict is about.
    public let signerInfo: SignerInfo

    package init(
        signature: Signature, chain: ChainVerdict, digestAlgorithm: DigestAlgorithm?, contentDigest: Digest,
        deviation: ProofDeviation?, flaw: Flaw? = nil, signerInfo: SignerInfo = SignerInfo(index: 0, count: 1)
    ) {
        self.signature = signature
        self.chain = chain
        self.digestAlgorithm = digestAlgorithm
        self.contentDigest = contentDigest
        self.deviation = deviation
        self.flaw = flaw
        self.signerInfo = signerInfo
    }

    /// Whether the signature holds, and its chain ends at a trust anchor, for whatever purpose and at any date.
    public var isTrusted: Bool { signature == .holds && chain.isTrusted }

    /// Whether all certificates of a trusted chain are valid at this date; `nil` if there is none or no date.
    public func isChainCurrent(at date: Instant?) -> Bool? { chain.isCurrent(at: date) }

    /// Whether the signature is valid, and the chain is the App Store's receipt signing chain at this date.
    func isGenuine(at date: Instant?) -> Bool {
        guard signature == .holds, case .trusted(_, .appStore) = chain.trust else { return false }
        return chain.isCurrent(at: date) == true
    }
}
