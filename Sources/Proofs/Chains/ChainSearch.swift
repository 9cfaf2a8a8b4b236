/// Searches the certificates of one container for the chains of its signers.
struct ChainSearch {
    private let entries: [EncodedCertificate]
    private let screen: ChainScreen
    private var budget: LinkBudget
    /// The verified form of each certificate, if it is verified.
    private var verified: [VerifiedCertificate?]
    /// The links that were tried; none is tried twice.
    private var tried: Set<Link> = []

    /// A certificate, and another that may be its issuer's: among the same certificates, or any anchor if that is
    /// `nil`.
    private struct Link: Hashable {
        let subject: Int
        let issuer: Int?
    }

    init(_ entries: [EncodedCertificate], screen: ChainScreen, budget: LinkBudget = LinkBudget()) {
        self.entries = entries
        self.screen = screen
        self.budget = budget
        verified = Array(repeating: nil, count: entries.count)
    }

    /// Returns the certificates that trusted authorities signed and that may form a signer's chain; `nil` if the
    /// signer's is not among them.
    mutating func candidates(for signer: Int) -> ChainCandidates? {
        let ancestors = ancestors(of: signer)
        // First those that an anchor signed, then those that they signed, and so on.
        var issuers: [Int] = []
        for index in ancestors {
            linkToAnchor(index)
            if verified[index] != nil { issuers.append(index) }
        }
        var next = 0
        while next < issuers.count {
            let issuer = issuers[next]
            next += 1
            for index in ancestors where verified[index] == nil && entries[index].names(entries[issuer]) {
                link(index, to: issuer)
                if verified[index] != nil { issuers.append(index) }
            }
        }
        guard verified[signer] != nil else { return nil }
        return ChainCandidates(ancestors.compactMap { verified[$0] })
    }

    /// Returns the signer and, by name, its possible issuers, their issuers and so on.
    private func ancestors(of signer: Int) -> [Int] {
        var found = [signer]
        var next = 0
        while next < found.count {
            let entry = entries[found[next]]
            next += 1
            for index in entries.indices where !found.contains(index) && entry.names(entries[index]) {
                found.append(index)
            }
        }
        return found
    }

    /// Verifies whether a certificate is an anchor or signed by one.
    private mutating func linkToAnchor(_ index: Int) {
        guard verified[index] == nil, tried.insert(Link(subject: index, issuer: nil)).inserted else { return }
        let entry = entries[index]
        verified[index] = screen.anchor(entry)
        for anchor in verified[index] == nil ? screen.issuers(of: entry) : [] where verified[index] == nil {
            guard let key = anchor.issuerKey else { continue }
            verified[index] = screen.link(entry, key, &budget)
        }
    }

    /// Verifies whether the issuer, which is itself verified, signed a certificate.
    private mutating func link(_ index: Int, to issuer: Int) {
        guard let key = verified[issuer]?.issuerKey,
            tried.insert(Link(subject: index, issuer: issuer)).inserted
        else { return }
        verified[index] = screen.link(entries[index], key, &budget)
    }
}

/// Limits the cost of verifying invalid links for one container. Apple's chains have none; a container with more
/// look-alikes than this allows has no chain.
struct LinkBudget {
    private var failures: Int
    /// The remaining cost, in verifications with a key like Apple's.
    private var cost = 8

    init(failures: Int = 4) { self.failures = failures }

    var isSpent: Bool { failures <= 0 || cost <= 0 }

    mutating func spend(_ cost: Int) {
        failures -= 1
        self.cost -= min(cost, self.cost)
    }
}

/// The certificates that may form the signer's chain.
struct ChainCandidates {
    /// The signer's first, the others in an order that does not depend on the container's.
    let certificates: [VerifiedCertificate]

    init(_ signerFirst: [VerifiedCertificate]) {
        let others = signerFirst.dropFirst().sorted { $0.encoding.lexicographicallyPrecedes($1.encoding) }
        certificates = signerFirst.prefix(1) + others
    }

    /// The DER of each certificate.
    var encodings: [[UInt8]] { certificates.map(\.encoding) }
}
