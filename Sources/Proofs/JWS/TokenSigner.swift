import DER
import Encodings

/// The signer of a token according to its header, with the verdicts on the chain.
///
/// Decoding a certificate costs OpenSSL some 100 µs, more than a signature. So a worker caches signers, and finds them
/// again by the header's bytes.
final class TokenSigner {
    let header: TokenHeader
    /// The two first certificates, if trusted authorities signed them; `nil` otherwise.
    private let chain: SignerChain?
    private let undated: ChainVerdict
    private let library: OpenSSLLibrary
    /// The signer's key, if it is an ES256 key; `nil` also if there is no certificate.
    private lazy var key: ECDSAKey? = header.leaf.flatMap { leaf in
        guard let key = ECDSAKey(certificate: leaf.encoding, library: library), key.curve == .p256 else { return nil }
        return key
    }

    /// - Parameters:
    ///   - chain: the signer's certificate and its issuer's, if trusted authorities signed them.
    ///   - reason: the reason why there is no such chain.
    init(_ header: TokenHeader, chain: SignerChain?, untrusted reason: String, library: OpenSSLLibrary) {
        self.header = header
        self.chain = chain
        self.library = library
        undated = header.verdict(chain?.undated, untrusted: reason)
    }

    var isTrusted: Bool { undated.isTrusted }
    /// The bytes of the certificates.
    var octetCount: Int { header.certificates.reduce(0) { $0 + ($1?.encoding.count ?? 0) } }

    /// Returns the verdict on the chain; `date` matters only if more than one chain is possible.
    func chain(at date: Instant?) -> ChainVerdict {
        guard let date, let chain, chain.dependsOnDate else { return undated }
        let dated = chain.verdict(at: date)
        return dated.isTrusted ? header.verdict(dated, untrusted: "") : undated
    }

    /// Whether a signature over this digest is the signer's (RFC 7518, section 3.4).
    ///
    /// The key is used even if the chain is not trusted, because all keys on P-256 cost the same.
    func signature(_ signature: ES256Signature?, over digest: borrowing Digest) -> SignatureVerdict.Signature {
        guard header.algorithm == "ES256", let signature, signature.isInRange else { return .broken }
        guard header.leaf != nil else { return .notChecked(.noCertificate) }
        guard let key else { return .broken }
        guard let chain, isTrusted else {
            return key.verifies(signature.der.span, of: digest.octets) ? .holds : .broken
        }
        return chain.cached(signature.octets, over: digest, .es256) { _, digest in
            key.verifies(signature.der.span, of: digest.octets) ? .holds : .broken
        }
    }
}

extension TokenHeader {
    /// The signer's certificate; `nil` if there is none.
    var leaf: EncodedCertificate? { certificates.first ?? nil }
    /// The certificate of the signer's issuer; `nil` if there is none.
    var issuer: EncodedCertificate? { certificates.count > 1 ? certificates[1] : nil }

    /// Returns the verdict on a chain of the first two certificates, with what all of them show by themselves.
    fileprivate func verdict(_ chain: ChainVerdict?, untrusted reason: String) -> ChainVerdict {
        let encodings = certificates.compactMap { $0?.encoding }
        guard let leaf else {
            return ChainVerdict(trust: .noSigner, signerSerialNumber: "", certificates: encodings, deviation: nil)
        }
        let validity = certificates.reduce(Instant.always) { validity, certificate in
            certificate.map { validity.clamped(to: $0.validity) } ?? validity
        }
        guard let chain, case .trusted(let period, let marking) = chain.trust else {
            var reason = reason
            if case .untrusted(let found)? = chain?.trust { reason = found }
            return ChainVerdict(
                trust: .untrusted(reason: reason), signerSerialNumber: leaf.serialNumber, certificates: encodings,
                deviation: nil, presented: ChainVerdict.Presented(validity: validity, marking: marking(of: leaf)))
        }
        return ChainVerdict(
            trust: .trusted(validity: period.clamped(to: validity), marking: marking),
            signerSerialNumber: leaf.serialNumber, certificates: chain.certificates, deviation: nil)
    }

    private func marking(of leaf: EncodedCertificate) -> ChainVerdict.Marking {
        guard let issuer else { return .chainLength(1) }
        guard leaf.hasExtension(ObjectIdentifier.appStoreReceiptSigning) else { return .noLeafMarker }
        guard issuer.hasExtension(ObjectIdentifier.worldwideDeveloperRelations) else { return .noIntermediateMarker }
        return .appStore
    }
}

extension EncodedCertificate {
    /// The certificate's validity; empty if it cannot be read.
    fileprivate var validity: Range<Instant> {
        do throws(ContainerDeviation) {
            return try StrictCertificate(encoding.span).validity ?? .never
        } catch {
            return .never
        }
    }

    fileprivate func hasExtension(_ type: [UInt8]) -> Bool {
        do throws(ContainerDeviation) {
            return try StrictCertificate(encoding.span).hasExtension(type)
        } catch {
            return false
        }
    }
}

extension Instant {
    fileprivate static var always: Range<Instant> { Instant(milliseconds: .min)..<Instant(milliseconds: .max) }
}
