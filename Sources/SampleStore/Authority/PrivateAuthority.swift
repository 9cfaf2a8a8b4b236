/// A public key infrastructure of our own, shaped like Apple's: a root, an intermediate, and a leaf that signs receipts.
///
/// Everything about it can be altered by changing the three contents, for example
/// `PrivateAuthority(leaf: .leaf.with { $0.notAfter = .utc(2018) })`.
public struct PrivateAuthority: Sendable {
    /// The trust anchor.
    public let root: SampleIdentity
    /// The authorities below the root, the one next to the root first.
    public let intermediates: [SampleIdentity]
    /// Who signs receipts.
    public let leaf: SampleIdentity

    /// Issues each certificate by the one before it.
    public init(
        root: CertificateContent = .root, intermediates: [CertificateContent] = [.intermediate],
        leaf: CertificateContent = .leaf
    ) throws(SigningError) {
        self.root = try SampleIdentity(selfSigned: root)
        var issuer = self.root
        var issued: [SampleIdentity] = []
        for content in intermediates {
            issuer = try issuer.issue(content)
            issued.append(issuer)
        }
        self.intermediates = issued
        self.leaf = try issuer.issue(leaf)
    }

    /// The certificates as a container carries them: leaf, intermediate, root.
    public var certificates: [[UInt8]] {
        ([leaf] + intermediates.reversed() + [root]).map(\.certificate)
    }

    /// A stranger's authority: the same names, serial numbers and markers as ours, but other keys.
    public static func rogue() throws(SigningError) -> PrivateAuthority {
        try PrivateAuthority(
            root: .root.with { $0.key = .rogueRoot },
            intermediates: [.intermediate.with { $0.key = .rogueIntermediate }],
            leaf: .leaf.with { $0.key = .rogueLeaf })
    }

    /// A registered developer's certificate under our own root and intermediate, which may sign apps but not receipts.
    public static func developer() throws(SigningError) -> PrivateAuthority {
        try PrivateAuthority(leaf: .developer)
    }

    /// A chain of four: one more authority than Apple's has.
    public static func chainOfFour() throws(SigningError) -> PrivateAuthority {
        try PrivateAuthority(intermediates: [.intermediate.with { $0.pathLength = 1 }, .subordinate])
    }
}
