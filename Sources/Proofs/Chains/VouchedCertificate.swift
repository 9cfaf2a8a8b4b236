/// A trust anchor, or a certificate that a trusted authority signed.
final class VerifiedCertificate {
    let encoding: [UInt8]
    /// `nil` for an anchor.
    let issuer: IssuerKey?
    private let library: OpenSSLLibrary
    /// The certificate's key, if it may sign certificates.
    private(set) lazy var issuerKey =
        issuer == nil || isAuthority ? IssuerKey(certificate: encoding, library: library) : nil

    init(anchor encoding: [UInt8], library: OpenSSLLibrary) {
        self.encoding = encoding
        issuer = nil
        self.library = library
    }

    init(_ encoding: [UInt8], issuer: IssuerKey, library: OpenSSLLibrary) {
        self.encoding = encoding
        self.issuer = issuer
        self.library = library
    }

    private var isAuthority: Bool {
        do throws(ContainerDeviation) {
            let encoding = encoding
            let certificate = try StrictCertificate(encoding.span)
            return certificate.isAuthority
        } catch {
            return false
        }
    }
}

/// The certificates of a container that may form the signer's chain.
struct ChainCandidates {
    /// The signer's first, the others in an order that does not depend on the container's.
    let certificates: [VerifiedCertificate]

    init(_ signerFirst: [VerifiedCertificate]) {
        let others = signerFirst.dropFirst().sorted { $0.encoding.lexicographicallyPrecedes($1.encoding) }
        certificates = signerFirst.prefix(1) + others
    }

    /// Each certificate's DER.
    var encodings: [[UInt8]] { certificates.map(\.encoding) }
}
