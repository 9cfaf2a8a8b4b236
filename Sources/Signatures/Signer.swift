import DER
import Encodings

/// Who signed a container: its certificates, and what is known of their chain.
///
/// Decoding a certificate costs OpenSSL some 100 µs, six times a signature; so a worker keeps the
/// signers that it has met, and finds them again by the container's bytes.
final class Signer {
    private let bag: CertificateBag
    /// `nil` if no chain can lead to a trust anchor.
    private let chain: SignerChain?
    private let undated: ChainVerdict
    /// A key that nobody vouches for.
    private let strangersKey: StrangersKey?

    /// Takes a signer whose certificates may lead to a trust anchor.
    init(_ bag: CertificateBag, chain: SignerChain) {
        self.bag = bag
        self.chain = chain
        strangersKey = nil
        undated = bag.verdict(chain.undated)
    }

    /// Takes a signer whom nobody trusts, or a container that holds none.
    init(_ bag: CertificateBag, untrusted reason: String, library: OpenSSLLibrary) {
        self.bag = bag
        chain = nil
        strangersKey = bag.signerIndex.map { StrangersKey(certificate: bag.entries[$0].encoding, library: library) }
        undated = bag.verdict(untrusted: reason)
    }

    /// What about the certificates themselves is not in the strict form.
    var deviation: ContainerDeviation? { bag.deviation }
    /// Whether the container holds the signer's certificate.
    var isKnown: Bool { bag.signerIndex != nil }
    /// Whether there is a chain that may lead to a trust anchor.
    var hasChain: Bool { chain != nil }

    /// What is known of the chain; `date` matters only where more than one chain is possible.
    func chain(at date: Instant?) -> ChainVerdict {
        guard let date, let chain, chain.dependsOnDate else { return undated }
        let dated = chain.verdict(at: date)
        guard case .untrusted = dated.trust else { return bag.verdict(dated) }
        return undated
    }

    /// Whether a signature over this digest is the signer's.
    func signature(
        _ signature: Span<UInt8>, over digest: borrowing Digest, _ algorithm: DigestAlgorithm
    ) -> SignatureVerdict.Signature {
        if let chain { return chain.signature(signature, over: digest, algorithm) }
        return strangersKey?.signature(signature, over: digest, algorithm) ?? .notChecked(.noCertificate)
    }
}

extension CertificateBag {
    /// The verdict on a chain of these certificates, with what is to be said of those that are not part of it.
    fileprivate func verdict(_ chain: ChainVerdict) -> ChainVerdict {
        guard case .trusted = chain.trust else {
            return ChainVerdict(
                trust: chain.trust, signerSerialNumber: chain.signerSerialNumber, certificates: signerFirst,
                deviation: duplicate)
        }
        let isRelated = encodings.allSatisfy(chain.certificates.contains)
        return ChainVerdict(
            trust: chain.trust, signerSerialNumber: chain.signerSerialNumber, certificates: chain.certificates,
            deviation: duplicate ?? (isRelated ? nil : .unrelatedCertificate))
    }

    /// The verdict on certificates of which none leads to a trust anchor.
    fileprivate func verdict(untrusted reason: String) -> ChainVerdict {
        guard let signerIndex else {
            return ChainVerdict(
                trust: .noSigner, signerSerialNumber: "", certificates: encodings, deviation: duplicate)
        }
        return ChainVerdict(
            trust: .untrusted(reason: reason), signerSerialNumber: Self.serialNumber(entries[signerIndex].encoding),
            certificates: signerFirst, deviation: duplicate)
    }

    private var duplicate: ContainerDeviation? { hasDuplicates ? .duplicateCertificate : nil }

    /// The serial number in hex, as ``Certificate`` writes it.
    private static func serialNumber(_ encoding: [UInt8]) -> String {
        do throws(ContainerDeviation) {
            let certificate = try StrictCertificate(encoding.span)
            let octets = certificate.name.serialNumber
            guard octets.count > 0, octets[0] >= 0x80 else { return Hex.number(octets) }
            // The magnitude of a negative number: its two's complement.
            var magnitude = octets.copy().map { ~$0 }
            for index in magnitude.indices.reversed() {
                magnitude[index] &+= 1
                if magnitude[index] != 0 { break }
            }
            return "-" + Hex.number(magnitude.span)
        } catch {
            return ""
        }
    }
}
