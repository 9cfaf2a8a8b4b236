public import Encodings

/// A private authority whose leaf signs StoreKit 2 tokens, shaped like Apple's: a P-256 leaf and a P-256 intermediate
/// under a P-384 root, with all certificates signed with SHA-384.
///
/// As with a ``PrivateAuthority``, everything about it can be altered by changing the contents of its certificates, for
/// example `TokenAuthority(leaf: .tokenLeaf.with { $0.notAfter = .utc(2018) })`.
public struct TokenAuthority: Sendable {
    /// The certificates and their keys.
    public let chain: PrivateAuthority

    /// Issues each certificate with the previous one.
    public init(
        root: CertificateContent = .tokenRoot, intermediates: [CertificateContent] = [.tokenIntermediate],
        leaf: CertificateContent = .tokenLeaf
    ) throws(SigningError) {
        chain = try PrivateAuthority(root: root, intermediates: intermediates, leaf: leaf)
        let members = TokenHeaderContent(algorithm: Self.algorithm(of: leaf.key), certificates: chain.certificates)
        header = members.json.octets
    }

    /// The trust anchor.
    public var root: SampleIdentity { chain.root }
    /// The identity that signs tokens.
    public var leaf: SampleIdentity { chain.leaf }
    /// The certificates in the order of `x5c`: leaf, intermediate, root.
    public var certificates: [[UInt8]] { chain.certificates }
    /// The bytes of every token's header, unless it is altered.
    public let header: [UInt8]

    /// Returns the name of a key's signatures in JWS (RFC 7518, section 3.1).
    public static func algorithm(of key: SampleKey) -> String {
        switch key.curve {
        case .p256: "ES256"
        case .p384: "ES384"
        case nil: "RS256"
        }
    }
}

extension TokenAuthority {
    /// Returns an untrusted authority with the same names, serial numbers and markers, but other keys.
    public static func rogue() throws(SigningError) -> TokenAuthority {
        try TokenAuthority(
            root: .tokenRoot.with { $0.key = .rogueTokenRoot },
            intermediates: [.tokenIntermediate.with { $0.key = .rogueTokenIntermediate }],
            leaf: .tokenLeaf.with { $0.key = .rogueTokenLeaf })
    }

    /// A registered developer's certificate under the same root and intermediate, which may sign apps but not tokens.
    public static func developer() throws(SigningError) -> TokenAuthority {
        try TokenAuthority(leaf: .tokenDeveloper)
    }

    /// Returns the same authority with a leaf that ended at this instant.
    public static func expired(at end: Instant) throws(SigningError) -> TokenAuthority {
        try TokenAuthority(
            leaf: .tokenLeaf.with {
                $0.serialNumber += 1
                $0.notAfter = end
            })
    }

    /// Returns a leaf with a key of another kind: `.tokenLeaf384` signs with ES384, an RSA key with RS256.
    public static func leaf(_ key: SampleKey) throws(SigningError) -> TokenAuthority {
        try TokenAuthority(leaf: .tokenLeaf.with { $0.key = key })
    }

    /// Returns a chain of two: the root signs the leaf.
    public static func chainOfTwo() throws(SigningError) -> TokenAuthority { try TokenAuthority(intermediates: []) }

    /// Returns a chain of four: one more authority than Apple's has.
    public static func chainOfFour() throws(SigningError) -> TokenAuthority {
        try TokenAuthority(intermediates: [.tokenIntermediate.with { $0.pathLength = 1 }, .tokenSubordinate])
    }
}

extension CertificateContent {
    /// The root of tokens, P-384, which signs itself with SHA-384 and is valid from 2014 to 2039.
    public static var tokenRoot: CertificateContent {
        CertificateContent(
            DistinguishedName("Sample Store Root CA - G3"), serialNumber: 0x2dc5_5a3d_1e00_0005,
            notBefore: .utc(2014), notAfter: .utc(2039), key: .tokenRoot
        ).with {
            $0.isAuthority = true
            $0.digest = .sha384
        }
    }

    /// The intermediate of tokens, P-256, with the marker of Apple's, which is valid from 2014 to 2036.
    public static var tokenIntermediate: CertificateContent {
        .intermediate.with {
            $0.subject = DistinguishedName("Sample Store Developer Relations CA - G6")
            $0.serialNumber = 0x22c1_5a3d_1e00_0006
            $0.notBefore = .utc(2014)
            $0.notAfter = .utc(2036)
            $0.key = .tokenIntermediate
            $0.digest = .sha384
        }
    }

    /// The leaf that signs tokens, P-256, with the marker of receipt signing, valid from 2015 to 2033.
    public static var tokenLeaf: CertificateContent {
        .leaf.with {
            $0.subject = DistinguishedName("Sample Store ECC Receipt Signing")
            $0.serialNumber = 0x47c2_5a3d_1e00_0007
            $0.key = .tokenLeaf
            $0.digest = .sha384
        }
    }

    /// A developer's leaf below the intermediate of tokens, which lacks the receipt marker.
    public static var tokenDeveloper: CertificateContent {
        .developer.with {
            $0.serialNumber = 0x2bad_5a3d_1e00_0008
            $0.key = .tokenDeveloper
            $0.digest = .sha384
        }
    }

    /// An authority between the intermediate and the leaf of tokens, which Apple's chains never have.
    public static var tokenSubordinate: CertificateContent {
        .subordinate.with {
            $0.subject = DistinguishedName("Sample Store Subordinate CA - G6")
            $0.serialNumber = 0x3bad_5a3d_1e00_0009
            $0.notBefore = .utc(2014)
            $0.key = .tokenSubordinate
            $0.digest = .sha384
        }
    }
}
