import DER
public import Encodings

/// A container that is not in the strict form, read from any form of BER, only to be reported.
///
/// Xcode's local test store writes BER with indefinite lengths; a forger may write anything. The container is
/// rewritten as DER first, so that its certificates and signatures are judged as those of a strict one are.
public struct LenientSignedData {
    /// The container, rewritten.
    private let der: [UInt8]
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

    /// The certificates, and how the first SignerInfos name those of their signers.
    var references: SignerReferences {
        @_lifetime(borrow self) borrowing get {
            SignerReferences(certificates: certificatesRange, signerInfos: signers.infos, in: der.span)
        }
    }

    /// The octets of a signature.
    @_lifetime(borrow self)
    borrowing func signature(of info: LenientSignerInfo) -> Span<UInt8> { der.span.extracting(info.signature) }

    /// The DER of each certificate, in the container's order.
    var certificateEncodings: [[UInt8]] {
        var encodings: [[UInt8]] = []
        do throws(ContainerDeviation) {
            try StrictReader.read(references.certificates) { reader throws(ContainerDeviation) in
                while !reader.isAtEnd { encodings.append(try reader.element().copy()) }
            }
        } catch {
            // What cannot be read is as good as missing.
        }
        return encodings
    }
}

extension SignatureVerifier {
    /// Finds a container's signers among those met before, or judges its certificates.
    public func signer(of signedData: borrowing LenientSignedData) throws(ContainerFault) -> SignerHandle {
        SignerHandle(signers: try signers(signedData.references))
    }

    /// Verifies a container's signature and judges its signer's chain at `date`.
    ///
    /// Of several SignerInfos the first counts whose signature and chain hold; if there is none, the first of all.
    public func verdict(
        on signedData: borrowing LenientSignedData, by handle: SignerHandle, at date: Instant?
    ) -> SignatureVerdict {
        let content = library.digest(.sha256, of: signedData.content)
        var sha1: Digest?
        var first: SignatureVerdict?
        for (index, info) in signedData.signers.infos.enumerated() {
            let signer = handle.signers[index]
            let chain = signer.chain(at: date)
            // The others matter only if they are genuine, so that no untrusted key but one is used.
            guard index == 0 || chain.isCurrent(at: date) == true else { continue }
            var signature = SignatureVerdict.Signature.notChecked(.noCertificate)
            if info.flaw != nil {
                signature = .broken
            } else if signer.isKnown, let algorithm = info.digestAlgorithm {
                let digest =
                    algorithm == .sha256 ? content : sha1 ?? library.digest(.sha1, of: signedData.content)
                if algorithm == .sha1 { sha1 = digest }
                signature = signer.signature(signedData.signature(of: info), over: digest, algorithm, chain)
            }
            let verdict = SignatureVerdict(
                signature: signature, chain: chain, digestAlgorithm: info.digestAlgorithm, contentDigest: content,
                deviation: signedData.deviation, flaw: info.flaw,
                signerInfo: SignatureVerdict.SignerInfo(index: index, count: signedData.signers.count))
            if verdict.isGenuine(at: date) { return verdict }
            first = first ?? verdict
        }
        return first
            ?? SignatureVerdict(
                signature: .notChecked(.noSignature), chain: handle.signers[0].chain(at: date), digestAlgorithm: nil,
                contentDigest: content, deviation: signedData.deviation)
    }
}
