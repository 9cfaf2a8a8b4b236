/// The search for the chains of one container's signers.
struct ChainSearch {
    private let bag: CertificateBag
    private let screen: ChainScreen
    private var budget = LinkBudget()
    /// What was found of each certificate; no link is tried twice.
    private var vouched: [VerifiedCertificate?]
    private var tried: Set<Try> = []

    /// A certificate, and one that may be its issuer's: in the container, or if that is `nil` any anchor.
    private struct Try: Hashable {
        let subject: Int
        let issuer: Int?
    }

    init(_ bag: CertificateBag, screen: ChainScreen) {
        self.bag = bag
        self.screen = screen
        vouched = Array(repeating: nil, count: bag.entries.count)
    }

    /// The certificates that trusted authorities signed and that may form a signer's chain; `nil` if the signer's is
    /// none of them.
    mutating func candidates(for signer: Int) -> ChainCandidates? {
        let ancestors = ancestors(of: signer)
        // Those for which an anchor vouches, and then those for which they vouch.
        var vouching: [Int] = []
        for index in ancestors {
            anchor(index)
            if vouched[index] != nil { vouching.append(index) }
        }
        var next = 0
        while next < vouching.count {
            let issuer = vouching[next]
            next += 1
            for index in ancestors where vouched[index] == nil && bag.entries[index].names(bag.entries[issuer]) {
                link(index, to: issuer)
                if vouched[index] != nil { vouching.append(index) }
            }
        }
        guard vouched[signer] != nil else { return nil }
        return ChainCandidates(ancestors.compactMap { vouched[$0] })
    }

    /// The signer and whoever, by name, may be its issuer, its issuer's issuer and so on.
    private func ancestors(of signer: Int) -> [Int] {
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

    /// Finds out whether a certificate is an anchor, or one signed it.
    private mutating func anchor(_ index: Int) {
        guard vouched[index] == nil, tried.insert(Try(subject: index, issuer: nil)).inserted else { return }
        let entry = bag.entries[index]
        vouched[index] = screen.anchor(entry)
        for anchor in vouched[index] == nil ? screen.issuers(of: entry) : [] where vouched[index] == nil {
            guard let key = anchor.issuerKey else { continue }
            vouched[index] = screen.link(entry, key, &budget)
        }
    }

    /// Finds out whether the issuer, which is vouched for, signed a certificate.
    private mutating func link(_ index: Int, to issuer: Int) {
        guard let key = vouched[issuer]?.issuerKey,
            tried.insert(Try(subject: index, issuer: issuer)).inserted
        else { return }
        vouched[index] = screen.link(bag.entries[index], key, &budget)
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
