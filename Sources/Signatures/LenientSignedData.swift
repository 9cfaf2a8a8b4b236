private import COpenSSL
public import Encodings

/// A container that is not in the strict form, read by OpenSSL's decoder, only to be reported.
///
/// Xcode's local test store writes BER with indefinite lengths; a forger may write anything.
public final class LenientSignedData {
    /// More signatures than this are not checked: each costs an RSA operation.
    private static let signatureLimit = 4

    /// What was signed: the receipt's attributes.
    public let content: [UInt8]
    private let message: Owned<CMSMessage>
    private let deviation: ContainerDeviation
    private let library: OpenSSLLibrary

    /// Reads a container in any form of BER.
    ///
    /// - Parameter deviation: why it is not in the strict form.
    public init(
        _ bytes: Span<UInt8>, deviation: ContainerDeviation, verifier: SignatureVerifier
    ) throws(ContainerFault) {
        if let fault = ContainerFault(header: bytes) { throw fault }
        try ContainerCensus.check(bytes)
        do throws(OpenSSLError) {
            message = try Self.decode(bytes, library: verifier.library)
        } catch {
            throw .malformed(error.reasons.first ?? "cannot be decoded")
        }
        guard unsafe OBJ_obj2nid(CMS_get0_type(message.pointer)) == NID_pkcs7_signed else { throw .notSigned }
        guard unsafe OBJ_obj2nid(CMS_get0_eContentType(message.pointer)) == NID_pkcs7_data,
            let slot = unsafe CMS_get0_content(message.pointer), let string = unsafe slot.pointee
        else { throw .noContent }
        content = unsafe [UInt8](
            UnsafeBufferPointer(start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string))))
        self.deviation = deviation
        library = verifier.library
    }

    private static func decode(_ bytes: Span<UInt8>, library: OpenSSLLibrary) throws(OpenSSLError) -> Owned<CMSMessage>
    {
        ERR_clear_error()
        var pointer = unsafe CMS_ContentInfo_new_ex(library.context.pointer, nil)
        let isRead = unsafe bytes.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            return unsafe d2i_CMS_ContentInfo(&pointer, &cursor, bytes.count) != nil
        }
        // On failure, d2i_CMS_ContentInfo frees the object and clears the pointer.
        return try unsafe Owned(isRead ? pointer : nil, orThrow: .readMessage)
    }

    /// Verifies the signature and judges the signer's chain at `date`.
    public func verdict(by verifier: SignatureVerifier, at date: Instant?) -> SignatureVerdict {
        let signature = checkSignature()
        let content = content
        let chain = chain(judgedBy: verifier.chains, at: date)
        return SignatureVerdict(
            signature: signature,
            chain: chain,
            digestAlgorithm: digestAlgorithm,
            contentDigest: verifier.library.digest(.sha256, of: content.span),
            deviation: deviation)
    }

    private func chain(judgedBy chains: ChainVerifier, at date: Instant?) -> ChainVerdict {
        do throws(OpenSSLError) {
            let certificates = try decodedCertificates()
            let dated = chains.verdict(on: certificates, at: date)
            guard case .untrusted = dated.trust else { return dated }
            return chains.verdict(on: certificates, at: nil)
        } catch {
            return ChainVerdict(
                trust: .untrusted(reason: error.description), signerSerialNumber: "", certificates: [], deviation: nil)
        }
    }

    /// Whether all signatures hold, whoever made them: CMS_verify without its judgement of the chain.
    private func checkSignature() -> SignatureVerdict.Signature {
        let count = unsafe OPENSSL_sk_num(CMS_get0_SignerInfos(message.pointer))
        guard count > 0, count <= Self.signatureLimit else { return .notChecked }
        ERR_clear_error()
        defer { ERR_clear_error() }
        let flags = UInt32(CMS_BINARY | CMS_NO_SIGNER_CERT_VERIFY)
        if unsafe CMS_verify(message.pointer, nil, nil, nil, nil, flags) == 1 { return .holds }
        let reason = ERR_GET_REASON(ERR_peek_last_error())
        return reason == CMS_R_SIGNER_CERTIFICATE_NOT_FOUND ? .notChecked : .broken
    }

    /// The DER of each certificate, in the container's order.
    func certificates() throws(ContainerFault) -> [[UInt8]] {
        do throws(OpenSSLError) { return try decodedCertificates().encodings } catch { throw .malformed("\(error)") }
    }

    private func decodedCertificates() throws(OpenSSLError) -> DecodedCertificates {
        // The signers are known once CMS_verify has looked for them; the stack is ours, its certificates are not.
        let signers = unsafe CMS_get0_signers(message.pointer)
        defer { unsafe OPENSSL_sk_free(signers) }
        let signer = unsafe signers == nil ? nil : OPENSSL_sk_value(signers, 0)
        let stack = unsafe CMS_get1_certs(message.pointer) ?? OPENSSL_sk_new_null()
        return try unsafe DecodedCertificates(taking: stack, signer: signer.map { OpaquePointer($0) })
    }

    private var digestAlgorithm: DigestAlgorithm? {
        guard let info = unsafe OPENSSL_sk_value(CMS_get0_SignerInfos(message.pointer), 0) else { return nil }
        var algorithm: UnsafeMutablePointer<X509_ALGOR>?
        unsafe CMS_SignerInfo_get0_algs(OpaquePointer(info), nil, nil, &algorithm, nil)
        guard let algorithm = unsafe algorithm else { return nil }
        switch unsafe OBJ_obj2nid(algorithm.pointee.algorithm) {
        case NID_sha1: return .sha1
        case NID_sha256: return .sha256
        default: return nil
        }
    }
}
