import DER
public import Encodings

/// A container that is not in the strict form, read from any form of BER, only to be reported.
///
/// Xcode's local test store writes BER with indefinite lengths; a forger may write anything. The container is
/// rewritten as DER first, so that its certificates and signature are judged as those of a strict one are.
public struct LenientSignedData {
    /// Octets around the content; a container of Apple's has some 4,000.
    private static let overheadLimit = 1 << 18

    /// The container, rewritten.
    let der: [UInt8]
    private let contentRange: Range<Int>
    private let certificatesRange: Range<Int>
    let signers: LenientSigners
    let deviation: ContainerDeviation

    /// Reads a container in any form of BER.
    ///
    /// - Parameter deviation: why it is not in the strict form.
    public init(_ bytes: Span<UInt8>, deviation: ContainerDeviation) throws(ContainerFault) {
        if let fault = ContainerFault(header: bytes) { throw fault }
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
        guard let content = fields.content else { throw .noContent }
        guard der.count - content.count <= Self.overheadLimit else {
            throw .malformed("more than \(Self.overheadLimit) bytes around the content")
        }
        contentRange = content
        certificatesRange = fields.certificates
        self.der = der
        signers = fields.signers
        self.deviation = deviation
    }

    /// What was signed: the receipt's attributes.
    public var content: Span<UInt8> {
        @_lifetime(borrow self) borrowing get { der.span.extracting(contentRange) }
    }

    /// The certificates, one after the other.
    var certificates: Span<UInt8> {
        @_lifetime(borrow self) borrowing get { der.span.extracting(certificatesRange) }
    }

    /// The DER of each certificate, in the container's order.
    var certificateEncodings: [[UInt8]] {
        var encodings: [[UInt8]] = []
        do throws(ContainerDeviation) {
            try StrictReader.read(certificates) { reader throws(ContainerDeviation) in
                while !reader.isAtEnd { encodings.append(try reader.element().copy()) }
            }
        } catch {
            // What cannot be read is as good as missing.
        }
        return encodings
    }
}

extension SignatureVerifier {
    /// Finds a container's signer among those met before, or judges its certificates.
    public func signer(of signedData: borrowing LenientSignedData) throws(ContainerFault) -> SignerHandle {
        let identifier = signedData.signers.first?.identifier ?? .issuerAndSerialNumber(.none)
        return SignerHandle(
            signer: try signer(
                SignerReference(
                    certificates: signedData.certificates, identifier: identifier.identifier(in: signedData.der.span))))
    }

    /// Verifies a container's signature and judges its signer's chain at `date`.
    public func verdict(
        on signedData: borrowing LenientSignedData, by handle: SignerHandle, at date: Instant?
    ) -> SignatureVerdict {
        let content = library.digest(.sha256, of: signedData.content)
        let chain = handle.signer.chain(at: date)
        return SignatureVerdict(
            signature: signature(of: signedData, by: handle.signer, chain, sha256: content),
            chain: chain,
            digestAlgorithm: signedData.signers.first?.digestAlgorithm,
            contentDigest: content,
            deviation: signedData.deviation)
    }

    private func signature(
        of signedData: borrowing LenientSignedData, by signer: Signer, _ chain: ChainVerdict, sha256: Digest
    ) -> SignatureVerdict.Signature {
        guard let info = signedData.signers.first else { return .notChecked(.noSignature) }
        guard signedData.signers.isOnly else { return .notChecked(.severalSigners) }
        guard signer.isKnown else { return .notChecked(.noCertificate) }
        switch info.claim {
        case .unknown: return .notChecked(.unusedAlgorithm)
        case .impossible: return .broken
        case .rsa(let algorithm):
            let digest = algorithm == .sha256 ? sha256 : library.digest(algorithm, of: signedData.content)
            let signature = signedData.der.span.extracting(info.signature)
            guard let attributes = info.signedAttributes else {
                return signer.signature(signature, over: digest, algorithm, chain)
            }
            guard attributes.vouch(for: digest) else { return .broken }
            return signer.signature(signature, over: attributes.digest(algorithm, library), algorithm, chain)
        }
    }
}
