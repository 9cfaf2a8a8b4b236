import DER

/// Tells cheaply that no chain of a container's can be trusted, before anything is decoded.
///
/// Anybody can fill containers with certificates of their own, fresh in each, and decoding and verifying them costs
/// OpenSSL some twenty times what a good receipt costs. So the bytes are looked at first: whether issuers' and
/// subjects' names link the signer to a trust anchor, and whether each link of it is a signature that holds, from
/// the anchor down. Trust is never said here: what passes is still to be verified (``ChainVerifier``).
final class ChainScreen {
    /// Links of one container that are tried. A chain of Apple's has two; who adds more look-alikes than this to
    /// a chain has no chain.
    static let linkLimit = 4
    /// Links that are remembered because they held.
    private static let keptLinks = 16

    private struct Anchor {
        let encoding: [UInt8]
        let subject: Range<Int>
        let key: IssuerKey
    }

    /// A certificate that was signed with an issuer's key.
    private struct Link {
        let issuer: IssuerKey
        let encoding: [UInt8]
        /// The key that the certificate is about.
        let key: IssuerKey
    }

    private let anchors: [Anchor]
    private var links: [Link] = []
    private let library: OpenSSLLibrary

    init(trust: TrustAnchors, library: OpenSSLLibrary) {
        self.library = library
        anchors = trust.anchors.map { anchor in
            let key = IssuerKey(certificate: anchor.der, library: library)
            return Anchor(encoding: anchor.der, subject: Self.subject(anchor.der.span), key: key)
        }
    }

    /// The certificates that may form the signer's chain, the signer's DER first; `nil` if there can be none.
    func candidates(_ bag: CertificateBag) -> [[UInt8]]? {
        guard let signer = bag.signerIndex else { return nil }
        let ancestors = Self.ancestors(of: signer, in: bag)
        var tries = Self.linkLimit
        // The keys of those that an anchor vouches for, and then of those that they vouch for.
        var keys = [IssuerKey?](repeating: nil, count: bag.entries.count)
        var vouching: [Int] = []
        for index in ancestors {
            keys[index] = anchored(bag.entries[index], &tries)
            if keys[index] != nil { vouching.append(index) }
        }
        var next = 0
        while next < vouching.count {
            let issuer = vouching[next]
            next += 1
            guard let key = keys[issuer] else { continue }
            for index in ancestors where keys[index] == nil && bag.entries[index].names(bag.entries[issuer]) {
                keys[index] = link(bag.entries[index], key, &tries)
                if keys[index] != nil { vouching.append(index) }
            }
        }
        guard keys[signer] != nil else { return nil }
        return ancestors.filter { keys[$0] != nil }.map { bag.entries[$0].encoding }
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

    /// The certificate's key, if it is an anchor or one may have signed it.
    private func anchored(_ entry: CertificateBag.Entry, _ tries: inout Int) -> IssuerKey? {
        if let anchor = anchors.first(where: { $0.encoding == entry.encoding }) { return anchor.key }
        for anchor in anchors where entry.names(anchor.encoding, anchor.subject) {
            if let key = link(entry, anchor.key, &tries) { return key }
        }
        return nil
    }

    /// The certificate's key, if the issuer may have signed it. Links that are remembered count as the others do, so
    /// that the outcome depends on the container alone.
    private func link(_ entry: CertificateBag.Entry, _ issuer: IssuerKey, _ tries: inout Int) -> IssuerKey? {
        guard tries > 0 else { return nil }
        tries -= 1
        if let link = links.first(where: { $0.issuer === issuer && $0.encoding == entry.encoding }) { return link.key }
        let answer = issuer.signed(entry.encoding)
        guard answer != .no else { return nil }
        let key = IssuerKey(certificate: entry.encoding, library: library)
        if answer == .yes {
            if links.count == Self.keptLinks { links.removeFirst() }
            links.append(Link(issuer: issuer, encoding: entry.encoding, key: key))
        }
        return key
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
