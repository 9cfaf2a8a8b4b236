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
        let certificate: VouchedCertificate
    }

    private let anchors: [Anchor]
    private var links: [VouchedCertificate] = []
    private let library: OpenSSLLibrary

    init(trust: TrustAnchors, library: OpenSSLLibrary) {
        self.library = library
        anchors = trust.anchors.map { anchor in
            Anchor(
                encoding: anchor.der, subject: Self.subject(anchor.der.span),
                certificate: VouchedCertificate(anchor: anchor.der, library: library))
        }
    }

    /// The certificates that trusted authorities signed and that may form the signer's chain; `nil` if the signer's is
    /// none of them.
    ///
    /// - Parameter budget: what verifications that fail may still cost for this container.
    func candidates(_ bag: CertificateBag, _ budget: inout LinkBudget) -> ChainCandidates? {
        guard let signer = bag.signerIndex else { return nil }
        let ancestors = Self.ancestors(of: signer, in: bag)
        // Those for which an anchor vouches, and then those for which they vouch.
        var vouched = [VouchedCertificate?](repeating: nil, count: bag.entries.count)
        var vouching: [Int] = []
        for index in ancestors {
            vouched[index] = anchored(bag.entries[index], &budget)
            if vouched[index] != nil { vouching.append(index) }
        }
        var next = 0
        while next < vouching.count {
            let issuer = vouching[next]
            next += 1
            guard let key = vouched[issuer]?.issuerKey else { continue }
            for index in ancestors where vouched[index] == nil && bag.entries[index].names(bag.entries[issuer]) {
                vouched[index] = link(bag.entries[index], key, &budget)
                if vouched[index] != nil { vouching.append(index) }
            }
        }
        guard vouched[signer] != nil else { return nil }
        return ChainCandidates(ancestors.compactMap { vouched[$0] })
    }

    /// Keeps the links of a chain that was verified, so that they need not be verified again.
    func keep(_ candidates: ChainCandidates) {
        for link in candidates.certificates where link.issuer != nil && !links.contains(where: { $0 === link }) {
            if links.count == Self.keptLinks { links.removeFirst() }
            links.append(link)
        }
    }

    /// The signer and whoever, by name, may be its issuer, its issuer's issuer and so on.
    private static func ancestors(of signer: Int, in bag: CertificateBag) -> [Int] {
        var found = [signer]
        var next = 0
        while next < found.count {
            let entry = bag.entries[found[next]]
            next += 1
            for index in bag.entries.indices where !found.contains(index) && entry.names(bag.entries[index]) {
                found.append(index)
            }
        }
        return found
    }

    /// The certificate, if it is an anchor or one signed it.
    private func anchored(_ entry: CertificateBag.Entry, _ budget: inout LinkBudget) -> VouchedCertificate? {
        if let anchor = anchors.first(where: { $0.encoding == entry.encoding }) { return anchor.certificate }
        for anchor in anchors where entry.names(anchor.encoding, anchor.subject) {
            guard let key = anchor.certificate.issuerKey else { continue }
            if let certificate = link(entry, key, &budget) { return certificate }
        }
        return nil
    }

    /// The certificate, if the issuer signed it. Links that are kept cost nothing, nor do others that hold: the outcome
    /// depends on the container alone.
    private func link(
        _ entry: CertificateBag.Entry, _ issuer: IssuerKey, _ budget: inout LinkBudget
    ) -> VouchedCertificate? {
        guard !budget.isSpent else { return nil }
        if let kept = links.first(where: { $0.issuer === issuer && $0.encoding == entry.encoding }) { return kept }
        guard issuer.signed(entry.encoding) else {
            budget.spend(issuer.cost)
            return nil
        }
        return VouchedCertificate(entry.encoding, issuer: issuer, library: library)
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

/// What verifications of links that do not hold may cost for one container. A chain of Apple's has none of them; who
/// adds more look-alikes to a chain than this allows has no chain.
struct LinkBudget {
    private var failures = 4
    /// In verifications with a key like Apple's.
    private var cost = 8

    var isSpent: Bool { failures <= 0 || cost <= 0 }

    mutating func spend(_ cost: Int) {
        failures -= 1
        self.cost -= min(cost, self.cost)
    }
}

/// A trust anchor, or a certificate that a trusted authority signed.
final class VouchedCertificate {
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
    let certificates: [VouchedCertificate]

    init(_ signerFirst: [VouchedCertificate]) {
        let others = signerFirst.dropFirst().sorted { $0.encoding.lexicographicallyPrecedes($1.encoding) }
        certificates = signerFirst.prefix(1) + others
    }

    /// Each certificate's DER.
    var encodings: [[UInt8]] { certificates.map(\.encoding) }
}
