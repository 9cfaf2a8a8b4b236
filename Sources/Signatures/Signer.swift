import DER
import Encodings

/// Who signed a container: its certificates, and what is known of their chain.
///
/// Decoding a certificate costs OpenSSL some 100 µs, six times a signature; so a worker keeps the
/// signers that it has met, and finds them again by the container's bytes.
final class Signer {
    private let certificates: [UInt8]
    private let signerIdentifier: [UInt8]
    private let decoded: DecodedCertificates
    private let chains: ChainVerifier
    private let undated: ChainVerdict
    private let dependsOnDate: Bool
    private var keys: [SignerKey] = []
    private let library: OpenSSLLibrary

    init(
        of signedData: borrowing SignedData, chains: ChainVerifier, library: OpenSSLLibrary
    ) throws(DecodedCertificates.Refusal) {
        decoded = try DecodedCertificates(of: signedData, library: library)
        certificates = signedData.certificates.copy()
        signerIdentifier = signedData.signerIdentifier.copy()
        self.chains = chains
        self.library = library
        dependsOnDate = chains.dependsOnDate(decoded)
        undated = chains.verdict(on: decoded, at: nil)
    }

    /// Whether this is the signer of that container: its certificates and its signer's name are the same bytes.
    func signed(_ signedData: borrowing SignedData) -> Bool {
        areSame(signedData.signerIdentifier, signerIdentifier) && areSame(signedData.certificates, certificates)
    }

    /// What is known of the chain; `date` matters only where more than one chain is possible.
    func chain(at date: Instant?) -> ChainVerdict {
        guard let date, dependsOnDate else { return undated }
        let dated = chains.verdict(on: decoded, at: date)
        guard case .untrusted = dated.trust else { return dated }
        return undated
    }

    /// Whether a signature over this digest is the signer's.
    func signature(
        _ signature: Span<UInt8>, over digest: borrowing Digest, _ algorithm: DigestAlgorithm
    ) -> SignatureVerdict.Signature {
        guard let certificate = unsafe decoded.signer else { return .notChecked }
        if let key = keys.first(where: { $0.algorithm == algorithm }) {
            return key.verifies(signature, of: digest) ? .holds : .broken
        }
        guard let key = unsafe SignerKey(of: certificate, algorithm: algorithm, library: library) else {
            return .broken
        }
        keys.append(key)
        return key.verifies(signature, of: digest) ? .holds : .broken
    }
}
