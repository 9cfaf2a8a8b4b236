import DER
import Encodings

/// The signer of one SignerInfo of a container: its certificates, and the verdicts on their chain.
///
/// Decoding a certificate costs OpenSSL some 100 µs, six times a signature. So a worker caches signers, and finds them
/// again by the container's bytes.
final class Signer {
    private let bag: CertificateBag
    /// The position of the signer's certificate; `nil` if the container lacks it.
    private let index: Int?
    /// The chain; `nil` if trusted authorities signed none of the signer's certificates.
    private let chain: SignerChain?
    private let undated: ChainVerdict
    private let library: OpenSSLLibrary
    /// The key for an untrusted chain; `nil` if the container lacks the signer's certificate.
    private lazy var untrustedKey = index.map { index in
        UntrustedKey(certificate: bag.entries[index].encoding, library: library)
    }

    /// - Parameter chain: the certificates that trusted authorities signed.
    init(_ bag: CertificateBag, at index: Int, chain: SignerChain, library: OpenSSLLibrary) {
        self.bag = bag
        self.index = index
        self.chain = chain
        self.library = library
        undated = bag.verdict(chain.undated, at: index)
    }

    /// - Parameter reason: the reason why there is no trusted chain.
    init(_ bag: CertificateBag, at index: Int?, untrusted reason: String, library: OpenSSLLibrary) {
        self.bag = bag
        self.index = index
        chain = nil
        self.library = library
        undated = bag.verdict(untrusted: reason, at: index)
    }

    /// The deviation of the certificates themselves from the strict form.
    var deviation: ContainerDeviation? { bag.deviation }
    /// Whether the container holds the signer's certificate.
    var isKnown: Bool { index != nil }
    /// Whether the chain is trusted, and the certificates have no deviation.
    var isTrustedAndCanonical: Bool { undated.isTrusted && undated.deviation == nil && deviation == nil }

    /// Returns the verdict on the chain; `date` matters only if more than one chain is possible.
    func chain(at date: Instant?) -> ChainVerdict {
        guard let date, let chain, let index, chain.dependsOnDate else { return undated }
        let dated = chain.verdict(at: date)
        return dated.isTrusted ? bag.verdict(dated, at: index) : undated
    }

    /// Whether a signature over this digest is the signer's.
    ///
    /// - Parameter verdict: the verdict on the chain. A key that costs more than Apple's is used only if the chain is
    ///   trusted.
    func signature(
        _ signature: Span<UInt8>, over digest: borrowing Digest, _ algorithm: DigestAlgorithm, _ verdict: ChainVerdict
    ) -> SignatureVerdict.Signature {
        if let chain, verdict.isTrusted { return chain.signature(signature, over: digest, algorithm) }
        return untrustedKey?.signature(signature, over: digest, algorithm) ?? .notChecked(.noCertificate)
    }
}

extension CertificateBag {
    /// Returns the verdict on a chain, with a deviation if these certificates are not exactly that chain: the set and
    /// the order of certificates in a container are not signed.
    fileprivate func verdict(_ chain: ChainVerdict, at index: Int) -> ChainVerdict {
        guard chain.isTrusted else {
            return ChainVerdict(
                trust: chain.trust, signerSerialNumber: chain.signerSerialNumber,
                certificates: encodings(beginningWith: index), deviation: duplicate)
        }
        return ChainVerdict(
            trust: chain.trust, signerSerialNumber: chain.signerSerialNumber, certificates: chain.certificates,
            deviation: duplicate ?? (encodings == chain.certificates ? nil : .otherThanChain))
    }

    /// Returns the verdict on certificates that do not lead to a trust anchor.
    fileprivate func verdict(untrusted reason: String, at index: Int?) -> ChainVerdict {
        guard let index else {
            return ChainVerdict(
                trust: .noSigner, signerSerialNumber: "", certificates: encodings, deviation: duplicate)
        }
        return ChainVerdict(
            trust: .untrusted(reason: reason), signerSerialNumber: entries[index].serialNumber,
            certificates: encodings(beginningWith: index), deviation: duplicate)
    }

    private var duplicate: ContainerDeviation? { hasDuplicates ? .duplicateCertificate : nil }

}
