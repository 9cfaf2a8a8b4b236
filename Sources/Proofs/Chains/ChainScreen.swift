/// Finds the certificates that trusted authorities signed, before any of them is decoded.
///
/// Anybody can fill containers with their own certificates, different in each, and decoding and verifying them costs
/// OpenSSL some twenty times what a good receipt costs. So the bytes are examined first: whether the names of issuers
/// and subjects link the signer to a trust anchor, and whether each link is a valid signature, from the anchor down. It
/// uses only keys of anchors, and of authorities whose certificates were verified in this way. The screen does not
/// establish trust: a chain that passes must still be verified (``ChainVerifier``).
///
/// A link of a receipt's chain is RSASSA-PKCS1-v1_5 with SHA-1, SHA-256, SHA-384 or SHA-512. An anchor with another
/// key, such as Apple Root CA - G3, verifies no receipt: one verification with it would cost as much as thirty
/// receipts, and anybody can name it. In a token's chain links may also use ECDSA.
final class ChainScreen {
    private static let maxLinks = 16

    private struct Anchor {
        let entry: EncodedCertificate
        let certificate: VerifiedCertificate
    }

    private let anchors: [Anchor]
    /// The links of verified chains, oldest first.
    private var links: [VerifiedCertificate] = []
    /// Authorities that an anchor signed: Apple has a dozen. Those in a container are verified once, even if no chain
    /// continues below them.
    private var authorities: [VerifiedCertificate] = []
    private let keys: IssuerKeys
    private let library: OpenSSLLibrary

    init(trust: TrustAnchors, _ keys: IssuerKeys, library: OpenSSLLibrary) {
        self.library = library
        self.keys = keys
        anchors = trust.anchors.compactMap { anchor in
            do throws(ContainerDeviation) {
                return Anchor(
                    entry: EncodedCertificate(try StrictCertificate(anchor.der.span)),
                    certificate: VerifiedCertificate(anchor: anchor.der, keys, library: library))
            } catch {
                return nil
            }
        }
    }

    /// Caches the links of a verified chain, so that they need not be verified again.
    func cache(_ candidates: ChainCandidates) {
        for link in candidates.certificates where link.issuer != nil && !links.contains(where: { $0 === link }) {
            if links.count == Self.maxLinks { links.removeFirst() }
            links.append(link)
        }
    }

    /// Returns the certificate, if it is an anchor.
    func anchor(_ entry: EncodedCertificate) -> VerifiedCertificate? {
        anchors.first { $0.entry.encoding == entry.encoding }?.certificate
    }

    /// Returns the anchors with the name of a certificate's issuer.
    func issuers(of entry: EncodedCertificate) -> [VerifiedCertificate] {
        anchors.filter { entry.names($0.entry) }.map(\.certificate)
    }

    /// Returns the certificate, if the issuer signed it. Valid links do not use the budget, cached or not, so that the
    /// outcome depends on the container alone.
    func link(
        _ entry: EncodedCertificate, _ issuer: IssuerKey, _ budget: inout LinkBudget
    ) -> VerifiedCertificate? {
        guard !budget.isSpent else { return nil }
        let isKnown = { (link: VerifiedCertificate) in link.issuer === issuer && link.encoding == entry.encoding }
        if let link = links.first(where: isKnown) ?? authorities.first(where: isKnown) { return link }
        guard issuer.signed(entry.encoding) else {
            budget.spend(issuer.cost)
            return nil
        }
        let link = VerifiedCertificate(entry.encoding, issuer: issuer, keys, library: library)
        let isAnchors = anchors.contains { $0.certificate.issuerKey === issuer }
        if isAnchors, link.isAuthority, authorities.count < Self.maxLinks { authorities.append(link) }
        return link
    }
}

/// A trust anchor, or a certificate that a trusted authority signed.
final class VerifiedCertificate {
    let encoding: [UInt8]
    /// The issuer's key; `nil` for an anchor.
    let issuer: IssuerKey?
    private let keys: IssuerKeys
    private let library: OpenSSLLibrary
    /// The certificate's key, if it may sign certificates.
    private(set) lazy var issuerKey =
        issuer == nil || isAuthority ? IssuerKey(certificate: encoding, keys, library: library) : nil

    init(anchor encoding: [UInt8], _ keys: IssuerKeys, library: OpenSSLLibrary) {
        self.encoding = encoding
        issuer = nil
        self.keys = keys
        self.library = library
    }

    init(_ encoding: [UInt8], issuer: IssuerKey, _ keys: IssuerKeys, library: OpenSSLLibrary) {
        self.encoding = encoding
        self.issuer = issuer
        self.keys = keys
        self.library = library
    }

    /// Whether it may sign certificates.
    fileprivate var isAuthority: Bool {
        do throws(ContainerDeviation) {
            let encoding = encoding
            return try StrictCertificate(encoding.span).isAuthority
        } catch {
            return false
        }
    }
}
