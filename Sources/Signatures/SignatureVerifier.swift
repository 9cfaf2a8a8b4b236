public import Encodings

/// Verifies the signatures of receipts, for one worker.
///
/// Not to be shared between threads: it holds an OpenSSL library context of its own, prefetched digests,
/// and the last signers that it met.
public final class SignatureVerifier {
    /// How many signers are kept. Apple's change every year or two.
    private static let keptSigners = 8
    /// Larger ones are not kept, so that a stranger cannot fill the memory. Apple's have some 3,500 bytes.
    private static let largestKept = 64 << 10

    let library: OpenSSLLibrary
    let chains: ChainVerifier
    /// The last signers, the most recent first.
    private var signers: [Signer] = []

    public init(trust: TrustAnchors) throws(OpenSSLError) {
        library = try OpenSSLLibrary()
        chains = try ChainVerifier(trust: trust, library: library)
    }

    /// Who signed a container, as far as its bytes say; ``verdict(on:by:at:)`` says whether it is true.
    public struct SignerHandle {
        let signer: Signer
    }

    /// Why a container in the strict form must be read another way, or not at all.
    public enum Refusal: Error {
        /// Its certificates are not in the strict form.
        case deviation(ContainerDeviation)
        case fault(ContainerFault)
    }

    /// Finds a container's signer among those met before, or decodes its certificates.
    public func signer(of signedData: borrowing SignedData) throws(Refusal) -> SignerHandle {
        for (index, signer) in signers.enumerated() where signer.signed(signedData) {
            if index > 0 { signers.insert(signers.remove(at: index), at: 0) }
            return SignerHandle(signer: signer)
        }
        let signer: Signer
        do throws(DecodedCertificates.Refusal) {
            signer = try Signer(of: signedData, chains: chains, library: library)
        } catch {
            switch error {
            case .deviation(let deviation): throw .deviation(deviation)
            case .malformed(let reason): throw .fault(.malformed(reason))
            }
        }
        if signedData.certificates.count <= Self.largestKept {
            if signers.count == Self.keptSigners { signers.removeLast() }
            signers.insert(signer, at: 0)
        }
        return SignerHandle(signer: signer)
    }

    /// Verifies a container's signature and judges its signer's chain at `date`.
    public func verdict(
        on signedData: borrowing SignedData, by handle: SignerHandle, at date: Instant?
    ) -> SignatureVerdict {
        let algorithm = signedData.digestAlgorithm
        let digest = library.digest(algorithm, of: signedData.content)
        let chain = handle.signer.chain(at: date)
        return SignatureVerdict(
            signature: handle.signer.signature(signedData.signature, over: digest, algorithm),
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
