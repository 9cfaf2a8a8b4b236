import DER
import FoundationEssentials

/// A private public key infrastructure, shaped like Apple's: a root, an intermediate, and a leaf that signs receipts.
///
/// Everything about it can be altered by changing the three contents, for example
/// `PrivateAuthority(leaf: .leaf.with { $0.notAfter = .utc(2018) })`.
public struct PrivateAuthority: Sendable {
    /// The trust anchor.
    public let root: SampleIdentity
    /// The authorities below the root, the one that the root issued first.
    public let intermediates: [SampleIdentity]
    /// The identity that signs receipts.
    public let leaf: SampleIdentity

    /// Issues each certificate with the previous one.
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

    /// The certificates in the order of a container: leaf, intermediate, root.
    public var certificates: [[UInt8]] {
        ([leaf] + intermediates.reversed() + [root]).map(\.certificate)
    }

    /// Returns an untrusted authority with the same names, serial numbers and markers, but other keys.
    public static func rogue() throws(SigningError) -> PrivateAuthority {
        try PrivateAuthority(
            root: .root.with { $0.key = .rogueRoot },
            intermediates: [.intermediate.with { $0.key = .rogueIntermediate }],
            leaf: .leaf.with { $0.key = .rogueLeaf })
    }

    /// A registered developer's certificate under the same root and intermediate, which may sign apps but not receipts.
    public static func developer() throws(SigningError) -> PrivateAuthority {
        try PrivateAuthority(leaf: .developer)
    }

    /// Returns a chain of four: one more authority than Apple's has.
    public static func chainOfFour() throws(SigningError) -> PrivateAuthority {
        try PrivateAuthority(intermediates: [.intermediate.with { $0.pathLength = 1 }, .subordinate])
    }
}

/// A certificate with its private key.
public struct SampleIdentity: Sendable {
    /// The fields of the certificate.
    public let content: CertificateContent
    /// The certificate in DER.
    public let certificate: [UInt8]
    public let key: SigningKey

    /// Makes an identity that signs its own certificate.
    public init(selfSigned content: CertificateContent) throws(SigningError) {
        let key = try SigningKey.shared(content.key)
        try self.init(content, key: key, issuerName: content.subject, issuerKey: key)
    }

    /// Issues a certificate.
    public func issue(_ content: CertificateContent) throws(SigningError) -> SampleIdentity {
        try SampleIdentity(
            content, key: .shared(content.key), issuerName: self.content.subject, issuerKey: key)
    }

    /// The name of the issuer in the certificate.
    public let issuerName: DistinguishedName

    private init(
        _ content: CertificateContent, key: SigningKey, issuerName: DistinguishedName, issuerKey: SigningKey
    ) throws(SigningError) {
        let toBeSigned = content.toBeSigned(by: issuerName, issuerKey: issuerKey, subjectKey: key.publicKeyInfo)
        let signature = try issuerKey.signature(over: toBeSigned, digest: content.digest)
        self.content = content
        self.key = key
        self.issuerName = content.issuer ?? issuerName
        certificate = DERWriter.element(
            .sequence, toBeSigned, issuerKey.algorithm(content.digest).der,
            DERWriter.element(.bitString, [0], signature))
    }
}

/// The authorities that sign the proofs of an export: the store and its forgers. Made once, used by every thread.
public struct SampleAuthorities: Sendable {
    /// The store.
    public let genuine: PrivateAuthority
    /// The store's other authority, which signs tokens.
    public let tokens: TokenAuthority
    /// An untrusted authority with the same names and markers.
    public let rogue: PrivateAuthority
    /// A developer under the store's root.
    public let developer: PrivateAuthority
    /// The store, with a leaf that ended in 2018, before any receipt of an export.
    public let expired: PrivateAuthority

    public init() throws(SigningError) {
        genuine = try PrivateAuthority()
        tokens = try TokenAuthority()
        rogue = try .rogue()
        developer = try .developer()
        expired = try PrivateAuthority(
            leaf: .leaf.with {
                $0.serialNumber += 1
                $0.notAfter = .utc(2018)
            })
    }
}

extension SampleAuthorities {
    /// The trust anchors of receipts and tokens as a file in PEM (RFC 7468).
    public var roots: [UInt8] { Self.file(of: [genuine.root, tokens.root]) }

    static func file(of roots: [SampleIdentity]) -> [UInt8] {
        roots.flatMap { root in
            let options: Data.Base64EncodingOptions = [.lineLength64Characters, .endLineWithLineFeed]
            let lines = Data(root.certificate).base64EncodedString(options: options)
            return Array("-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n".utf8)
        }
    }
}
