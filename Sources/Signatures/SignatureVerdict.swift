public import Encodings

/// What is known of who signed a container, and whether the signature holds.
public struct SignatureVerdict: Sendable {
    /// Whether the signature holds over the content, whoever made it.
    public enum Signature: Sendable, Equatable {
        case holds
        case broken
        case notChecked(Obstacle)
    }

    /// Why a signature was not checked.
    public enum Obstacle: Sendable {
        /// Nobody signed.
        case noSignature
        /// More than one signed, and it would be the first one's word only.
        case severalSigners
        /// None of the certificates is the signer's.
        case noCertificate
        /// It was made in a way that is not used for receipts.
        case unusedAlgorithm
        /// The chain is not trusted, and the signer's key costs more than one of Apple's.
        case costlyKey
    }

    public let signature: Signature
    public let chain: ChainVerdict
    /// The signer's digest algorithm; `nil` if it is neither SHA-1 nor SHA-256.
    public let digestAlgorithm: DigestAlgorithm?
    /// SHA-256 of the content: the identity of a receipt.
    public let contentDigest: Digest
    /// The first thing that is not in the strict form.
    public let deviation: ContainerDeviation?

    package init(
        signature: Signature, chain: ChainVerdict, digestAlgorithm: DigestAlgorithm?, contentDigest: Digest,
        deviation: ContainerDeviation?
    ) {
        self.signature = signature
        self.chain = chain
        self.digestAlgorithm = digestAlgorithm
        self.contentDigest = contentDigest
        self.deviation = deviation
    }

    /// Whether all certificates of a trusted chain are valid at this date; `nil` if there is none or no date.
    public func isChainCurrent(at date: Instant?) -> Bool? {
        guard let date, case .trusted(let validity, _) = chain.trust else { return nil }
        return validity.contains(date)
    }
}
