import DER
public import Encodings

/// A container that is not in the strict form, read from any form of BER, only to be reported.
///
/// Xcode's local test store writes BER with indefinite lengths; a forger may write anything. The container is
/// rewritten as DER first, so that its certificates and signature are judged as those of a strict one are.
public struct LenientSignedData {
    /// What was signed: the receipt's attributes.
    public let content: [UInt8]
    /// The certificates, one after the other.
    let certificates: [UInt8]
    let signers: LenientSigners
    let deviation: ContainerDeviation

    /// Reads a container in any form of BER.
    ///
    /// - Parameter deviation: why it is not in the strict form.
    public init(_ bytes: Span<UInt8>, deviation: ContainerDeviation) throws(ContainerFault) {
        if let fault = ContainerFault(header: bytes) { throw fault }
        try ContainerCensus.check(bytes)
        let der: [UInt8]
        do throws(DERError) {
            der = try DERRewriter.der(of: bytes)
        } catch {
            throw .malformed(error.description)
        }
        let fields: LenientFields
        do throws(ContainerDeviation) {
            fields = try LenientFields(der.span)
        } catch {
            throw .malformed(error.description)
        }
        guard fields.hasContent else { throw .noContent }
        content = fields.content.copy()
        certificates = fields.certificates.copy()
        signers = fields.signers
        self.deviation = deviation
    }

    /// The DER of each certificate, in the container's order.
    var certificateEncodings: [[UInt8]] {
        var encodings: [[UInt8]] = []
        let certificates = certificates
        var reader = StrictReader(certificates.span)
        while !reader.isAtEnd, let encoding = try? reader.element().copy() { encodings.append(encoding) }
        return encodings
    }
}

extension SignatureVerifier {
    /// Finds a container's signer among those met before, or judges its certificates.
    public func signer(of signedData: LenientSignedData) throws(ContainerFault) -> SignerHandle {
        let identifier = signedData.signers.first?.identifier ?? []
        return SignerHandle(signer: try signer(of: signedData.certificates.span, named: identifier.span))
    }

    /// Verifies a container's signature and judges its signer's chain at `date`.
    public func verdict(
        on signedData: LenientSignedData, by handle: SignerHandle, at date: Instant?
    ) -> SignatureVerdict {
        let content = signedData.content
        return SignatureVerdict(
            signature: signature(of: signedData, by: handle.signer),
            chain: handle.signer.chain(at: date),
            digestAlgorithm: signedData.signers.first?.digestAlgorithm,
            contentDigest: library.digest(.sha256, of: content.span),
            deviation: signedData.deviation)
    }

    private func signature(of signedData: LenientSignedData, by signer: Signer) -> SignatureVerdict.Signature {
        guard let info = signedData.signers.first, signedData.signers.isOnly, signer.isKnown else { return .notChecked }
        switch info.claim {
        case .unknown: return .notChecked
        case .impossible: return .broken
        case .rsa(let algorithm):
            let content = signedData.content
            let digest = library.digest(algorithm, of: content.span)
            guard let attributes = info.signedAttributes else {
                return signer.signature(info.signature.span, over: digest, algorithm)
            }
            guard attributes.vouch(for: digest) else { return .broken }
            return signer.signature(info.signature.span, over: attributes.digest(algorithm, library), algorithm)
        }
    }
}
