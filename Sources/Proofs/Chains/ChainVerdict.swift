public import Encodings

/// What is known of a signer's certificate chain, for every date at once.
///
/// Nothing in the verification of a chain depends on the date but the validity periods, so a chain is
/// verified once and judged at each receipt's creation date by comparing instants.
public final class ChainVerdict: Sendable {
    /// Whether the chain ends at a trust anchor.
    public enum Trust: Equatable, Sendable {
        /// No certificate in the container is the signer's, so that there is no chain.
        case noSigner
        /// The chain does not end at a trust anchor; the reason is OpenSSL's.
        case untrusted(reason: String)
        /// It does, and all its certificates are valid in this period.
        case trusted(validity: Range<Instant>, marking: Marking)
    }

    /// Whether Apple's App Store is who signs with this chain.
    public enum Marking: Equatable, Sendable {
        /// Leaf, intermediate and root, the first two with their marker extensions.
        case appStore
        /// 1.2.840.113635.100.6.11.1 is missing.
        case noLeafMarker
        /// 1.2.840.113635.100.6.2.1 is missing.
        case noIntermediateMarker
        /// Another number of certificates than three.
        case chainLength(Int)
    }

    public let trust: Trust
    /// The signing certificate's serial number in hex; empty if it was not found.
    public let signerSerialNumber: String
    /// The chain's certificates in DER, signer first; for an untrusted chain those that the container holds.
    public let certificates: [[UInt8]]
    /// What about the certificates is not in the strict form.
    public let deviation: ContainerDeviation?

    /// Whether the chain ends at a trust anchor.
    var isTrusted: Bool { if case .trusted = trust { true } else { false } }

    /// Whether all certificates of a trusted chain are valid at this date; `nil` if there is none or no date.
    func isCurrent(at date: Instant?) -> Bool? {
        guard let date, case .trusted(let validity, _) = trust else { return nil }
        return validity.contains(date)
    }

    package init(trust: Trust, signerSerialNumber: String, certificates: [[UInt8]], deviation: ContainerDeviation?) {
        self.trust = trust
        self.signerSerialNumber = signerSerialNumber
        self.certificates = certificates
        self.deviation = deviation
    }
}
