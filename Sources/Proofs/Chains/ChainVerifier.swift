private import COpenSSL
public import Encodings

/// The verdict on a signer's certificate chain, for every date at once.
///
/// Only the validity periods depend on the date, so a chain is verified once and checked at each receipt's creation
/// date by comparing instants.
public final class ChainVerdict: Sendable {
    /// Whether the chain ends at a trust anchor.
    public enum Trust: Equatable, Sendable {
        /// No certificate in the container belongs to the signer, so there is no chain.
        case noSigner
        /// The chain does not end at a trust anchor; the reason is OpenSSL's.
        case untrusted(reason: String)
        /// The chain ends at a trust anchor, and all its certificates are valid in this period.
        case trusted(validity: Range<Instant>, marking: Marking)
    }

    /// Whether it is the App Store's receipt signing chain.
    public enum Marking: Equatable, Sendable {
        /// Leaf, intermediate and root, the first two with their marker extensions.
        case appStore
        /// 1.2.840.113635.100.6.11.1 is missing.
        case noLeafMarker
        /// 1.2.840.113635.100.6.2.1 is missing.
        case noIntermediateMarker
        /// The number of certificates is not three.
        case chainLength(Int)
    }

    public let trust: Trust
    /// The signing certificate's serial number in hex; empty if it was not found.
    public let signerSerialNumber: String
    /// The chain's certificates in DER, signer first; for an untrusted chain those in the container.
    public let certificates: [[UInt8]]
    /// The deviation of the certificates from the strict form.
    public let deviation: ContainerDeviation?
    /// What the presented certificates show by themselves, where they are checked even if the chain is not trusted: for
    /// tokens.
    public let presented: Presented?

    /// The facts from certificates whose chain may not be trusted.
    public struct Presented: Equatable, Sendable {
        /// When all of them are valid.
        public let validity: Range<Instant>
        public let marking: Marking
    }

    /// Whether the chain ends at a trust anchor.
    var isTrusted: Bool { if case .trusted = trust { true } else { false } }

    /// Whether all certificates of a trusted chain are valid at this date; `nil` if there is none or no date.
    func isCurrent(at date: Instant?) -> Bool? {
        guard let date, case .trusted(let validity, _) = trust else { return nil }
        return validity.contains(date)
    }

    package init(
        trust: Trust, signerSerialNumber: String, certificates: [[UInt8]], deviation: ContainerDeviation?,
        presented: Presented? = nil
    ) {
        self.presented = presented
        self.trust = trust
        self.signerSerialNumber = signerSerialNumber
        self.certificates = certificates
        self.deviation = deviation
    }
}

/// Verifies certificate chains against trust anchors (RFC 5280, section 6), with OpenSSL's `X509_verify_cert`.
final class ChainVerifier {
    private let store: Owned<X509Store>
    private let leafMarker: Owned<ASN1Object>
    private let intermediateMarker: Owned<ASN1Object>
    private let library: OpenSSLLibrary

    init(trust: TrustAnchors, library: OpenSSLLibrary) throws(OpenSSLError) {
        self.library = library
        let store: Owned<X509Store> = try unsafe Owned(X509_STORE_new(), orThrow: .allocate)
        for anchor in trust.anchors {
            let root = try Certificate(der: anchor.der.span, library: library)
            guard unsafe X509_STORE_add_cert(store.pointer, root.pointer) == 1 else {
                throw OpenSSLError(.addTrustAnchor)
            }
        }
        self.store = store
        // Apple's markers: receipt signing, and Worldwide Developer Relations.
        leafMarker = try unsafe Owned(OBJ_txt2obj("1.2.840.113635.100.6.11.1", 1), orThrow: .allocate)
        intermediateMarker = try unsafe Owned(OBJ_txt2obj("1.2.840.113635.100.6.2.1", 1), orThrow: .allocate)
    }

    /// Whether more than one chain is possible, so that the chain may depend on the date: if two certificates have the
    /// same name, OpenSSL prefers the one that is valid.
    func dependsOnDate(_ certificates: DecodedCertificates) -> Bool {
        var seen: [OpaquePointer] = unsafe []
        for index in 0..<max(0, unsafe OPENSSL_sk_num(certificates.stack.pointer)) {
            guard let other = unsafe OPENSSL_sk_value(certificates.stack.pointer, index) else { continue }
            if unsafe seen.contains(where: { unsafe Self.haveSameSubject($0, OpaquePointer(other)) }) { return true }
            unsafe seen.append(OpaquePointer(other))
        }
        let anchors = unsafe X509_STORE_get0_objects(store.pointer)
        for index in 0..<max(0, unsafe OPENSSL_sk_num(anchors)) {
            guard let object = unsafe OPENSSL_sk_value(anchors, index),
                let other = unsafe X509_OBJECT_get0_X509(OpaquePointer(object))
            else { continue }
            if unsafe seen.contains(where: { unsafe Self.haveSameSubject($0, other) }) { return true }
            unsafe seen.append(other)
        }
        return false
    }

    /// Whether two different certificates have the same subject, in OpenSSL's comparison of names.
    private static func haveSameSubject(_ a: OpaquePointer, _ b: OpaquePointer) -> Bool {
        unsafe X509_NAME_cmp(X509_get_subject_name(a), X509_get_subject_name(b)) == 0 && X509_cmp(a, b) != 0
    }

    /// Builds and verifies the chain of the first of these certificates.
    ///
    /// - Parameter date: the date at which it must be valid; without one, validity periods are left to the caller.
    func verdict(on certificates: DecodedCertificates, at date: Instant?) -> ChainVerdict {
        guard let signer = unsafe certificates.signer else {
            return ChainVerdict(trust: .noSigner, signerSerialNumber: "", certificates: [], deviation: nil)
        }
        let serialNumber = unsafe Certificate.serialNumber(of: signer)
        do throws(OpenSSLError) {
            let chain = try unsafe verify(signer, of: certificates, at: date)
            return ChainVerdict(
                trust: chain.trust, signerSerialNumber: serialNumber, certificates: chain.certificates, deviation: nil)
        } catch {
            return ChainVerdict(
                trust: .untrusted(reason: error.reasons.last ?? error.description), signerSerialNumber: serialNumber,
                certificates: [], deviation: nil)
        }
    }

    /// Whether the chain of the first of these certificates ends at a trust anchor, whatever they certify, and at any
    /// date.
    ///
    /// Certificates for other purposes than receipts have extended key usages, and critical extensions that OpenSSL
    /// does not know.
    func isTrustedForAnyPurpose(_ certificates: DecodedCertificates) -> Bool {
        guard let signer = unsafe certificates.signer else { return false }
        return unsafe chainForAnyPurpose(signer, untrusted: certificates.stack.pointer, at: nil) != nil
    }

    private func chainForAnyPurpose(
        _ signer: OpaquePointer, untrusted: OpaquePointer, at date: Instant?
    ) -> Chain? {
        do throws(OpenSSLError) {
            return try unsafe verify(signer, untrusted: untrusted, at: date, forAnyPurpose: true)
        } catch {
            return nil
        }
    }

    /// Verifies the chain of a proof's signer. If only the purpose is another, it lacks the marker of receipt signing,
    /// and the chain ends at an anchor all the same: a developer's certificate, for example.
    private func verify(
        _ signer: OpaquePointer, of certificates: DecodedCertificates, at date: Instant?
    ) throws(OpenSSLError) -> Chain {
        let untrusted = unsafe certificates.stack.pointer
        do throws(OpenSSLError) {
            return try unsafe verify(signer, untrusted: untrusted, at: date)
        } catch {
            guard let chain = unsafe chainForAnyPurpose(signer, untrusted: untrusted, at: date),
                case .trusted(_, .noLeafMarker) = chain.trust
            else { throw error }
            return chain
        }
    }

    /// A verified chain.
    private struct Chain {
        var trust: ChainVerdict.Trust
        /// The certificates in DER, signer first, root last.
        var certificates: [[UInt8]]
    }

    private func verify(
        _ signer: OpaquePointer, untrusted: OpaquePointer, at date: Instant?, forAnyPurpose: Bool = false
    ) throws(OpenSSLError) -> Chain {
        ERR_clear_error()
        let context: Owned<X509StoreContext> = try unsafe Owned(
            X509_STORE_CTX_new_ex(library.context.pointer, nil), orThrow: .allocate)
        guard unsafe X509_STORE_CTX_init(context.pointer, store.pointer, signer, untrusted) == 1 else {
            throw OpenSSLError(.verifyChain)
        }
        if forAnyPurpose {
            unsafe X509_STORE_CTX_set_flags(context.pointer, UInt(X509_V_FLAG_IGNORE_CRITICAL))
        } else if unsafe X509_STORE_CTX_set_default(context.pointer, "smime_sign") != 1 {
            // The same purpose as in PKCS7_verify, so that nothing is accepted that it refuses.
            throw OpenSSLError(.verifyChain)
        }
        if let date {
            unsafe X509_STORE_CTX_set_time(context.pointer, 0, time_t(date.seconds))
        } else {
            unsafe X509_STORE_CTX_set_flags(context.pointer, UInt(X509_V_FLAG_NO_CHECK_TIME))
        }
        guard unsafe X509_verify_cert(context.pointer) == 1 else {
            throw OpenSSLError(.verifyChain, because: unsafe reason(context.pointer))
        }
        return unsafe describe(X509_STORE_CTX_get0_chain(context.pointer))
    }

    private func reason(_ context: OpaquePointer) -> String {
        let code = unsafe X509_STORE_CTX_get_error(context)
        guard let text = unsafe X509_verify_cert_error_string(Int(code)) else { return "unknown" }
        return unsafe String(cString: text)
    }

    /// Reads a verified chain: its validity, its markers, its certificates.
    private func describe(_ chain: OpaquePointer?) -> Chain {
        let count = unsafe OPENSSL_sk_num(chain)
        var validity = Instant(milliseconds: .min)..<Instant(milliseconds: .max)
        var certificates: [[UInt8]] = []
        for index in 0..<max(0, count) {
            guard let certificate = unsafe OPENSSL_sk_value(chain, index) else { continue }
            unsafe validity = validity.clamped(to: Certificate.validity(of: OpaquePointer(certificate)))
            unsafe certificates.append(Certificate.der(of: OpaquePointer(certificate)))
        }
        return Chain(
            trust: .trusted(validity: validity, marking: unsafe marking(chain, count: Int(count))),
            certificates: certificates)
    }

    private func marking(_ chain: OpaquePointer?, count: Int) -> ChainVerdict.Marking {
        guard count == 3, let leaf = unsafe OPENSSL_sk_value(chain, 0),
            let intermediate = unsafe OPENSSL_sk_value(chain, 1)
        else { return .chainLength(count) }
        guard unsafe X509_get_ext_by_OBJ(OpaquePointer(leaf), leafMarker.pointer, -1) >= 0 else {
            return .noLeafMarker
        }
        guard unsafe X509_get_ext_by_OBJ(OpaquePointer(intermediate), intermediateMarker.pointer, -1) >= 0 else {
            return .noIntermediateMarker
        }
        return .appStore
    }
}
