/// Finds the certificates of a container that trusted authorities signed, before any of them is decoded.
///
/// Anybody can fill containers with certificates of their own, fresh in each, and decoding and verifying them costs
/// OpenSSL some twenty times what a good receipt costs. So the bytes are looked at first: whether issuers' and
/// subjects' names link the signer to a trust anchor, and whether each link of it is a signature that holds, from the
/// anchor down. Only keys of anchors, and of authorities for which they vouch, are used. Trust is never said here: what
/// passes is still to be verified (``ChainVerifier``).
///
/// A link is RSASSA-PKCS1-v1_5 with SHA-1, SHA-256, SHA-384 or SHA-512, as in all chains of receipts. An anchor with
/// another key, as Apple Root CA - G3, vouches for no receipt: one verification with it would cost what thirty receipts
/// do, and anybody can name it.
final class ChainScreen {
    /// Links that are kept because they held.
    private static let keptLinks = 16

    private struct Anchor {
        let encoding: [UInt8]
        let subject: Range<Int>
        let certificate: VerifiedCertificate
    }

    private let anchors: [Anchor]
    private var links: [VerifiedCertificate] = []
    private let library: OpenSSLLibrary

    init(trust: TrustAnchors, library: OpenSSLLibrary) {
        self.library = library
        anchors = trust.anchors.map { anchor in
            Anchor(
                encoding: anchor.der, subject: Self.subject(anchor.der.span),
                certificate: VerifiedCertificate(anchor: anchor.der, library: library))
        }
    }

    /// Begins to look for the chains of a container's signers.
    func search(_ bag: CertificateBag) -> ChainSearch { ChainSearch(bag, screen: self) }

    /// Keeps the links of a chain that was verified, so that they need not be verified again.
    func keep(_ candidates: ChainCandidates) {
        for link in candidates.certificates where link.issuer != nil && !links.contains(where: { $0 === link }) {
            if links.count == Self.keptLinks { links.removeFirst() }
            links.append(link)
        }
    }

    /// The certificate, if it is an anchor.
    func anchor(_ entry: CertificateBag.Entry) -> VerifiedCertificate? {
        anchors.first { $0.encoding == entry.encoding }?.certificate
    }

    /// The anchors that bear the name of a certificate's issuer.
    func issuers(of entry: CertificateBag.Entry) -> [VerifiedCertificate] {
        anchors.filter { entry.names($0.encoding, $0.subject) }.map(\.certificate)
    }

    /// The certificate, if the issuer signed it. Links that are kept cost nothing, nor do others that hold: the outcome
    /// depends on the container alone.
    func link(
        _ entry: CertificateBag.Entry, _ issuer: IssuerKey, _ budget: inout LinkBudget
    ) -> VerifiedCertificate? {
        guard !budget.isSpent else { return nil }
        if let kept = links.first(where: { $0.issuer === issuer && $0.encoding == entry.encoding }) { return kept }
        guard issuer.signed(entry.encoding) else {
            budget.spend(issuer.cost)
            return nil
        }
        return VerifiedCertificate(entry.encoding, issuer: issuer, library: library)
    }

    private static func subject(_ encoding: Span<UInt8>) -> Range<Int> {
        do throws(ContainerDeviation) {
            let certificate = try StrictCertificate(encoding)
            return encoding.indices(of: certificate.subject) ?? 0..<0
        } catch {
            return 0..<0
        }
    }
}
