public import Encodings

/// One case of the attack suite: a proof that must be refused, or a control that must be accepted, and why.
///
/// The declaration is the whole case: its text becomes the JSON file, and its closure makes the proof. An id never
/// changes, and is never used for another case.
public struct AttackCase: Sendable {
    /// The case's name, in kebab-case.
    public let id: String
    /// One sentence that says what the proof is.
    public let summary: String
    /// The reason why it must be refused, or, of a control, accepted.
    public let why: String
    /// The standard, document or vulnerability that says so.
    public let reference: String
    /// The checks that must fail, in the order in which they are reported; none for a control.
    public let failedChecks: [Forgery]
    /// Whether an implementation may refuse a control, because it uses a form or a key that not everybody reads.
    public var mayReject = false
    private let make: @Sendable (AttackKit) throws -> AttackClaim
    /// The group, which the suite sets.
    public internal(set) var group = AttackGroup.controls

    /// Whether this is a control, which must be accepted.
    public var isControl: Bool { failedChecks.isEmpty }

    /// The expected verdict: `valid`, `invalid` or `unreadable`.
    public var verdict: String {
        guard let first = failedChecks.first else { return "valid" }
        return first.isUnreadable ? "unreadable" : "invalid"
    }

    /// Makes what is presented: the same bytes each time.
    public func claim(_ kit: AttackKit) throws -> AttackClaim { try make(kit) }
}

extension AttackCase {
    /// Declares a control.
    init(
        valid id: String, _ summary: String, why: String, reference: String, mayReject: Bool = false,
        make: @escaping @Sendable (AttackKit) throws -> AttackClaim
    ) {
        self.init(
            id: id, summary: summary, why: why, reference: reference, failedChecks: [], mayReject: mayReject,
            make: make)
    }

    /// Declares a forgery that differs from a genuine claim in more than its proof.
    init(
        claim id: String, _ summary: String, why: String, reference: String, fails: Forgery...,
        make: @escaping @Sendable (AttackKit) throws -> AttackClaim
    ) {
        self.init(id: id, summary: summary, why: why, reference: reference, failedChecks: fails, make: make)
    }

    /// Declares a forgery by its proof.
    init(
        _ id: String, _ summary: String, why: String, reference: String, fails: Forgery...,
        proof: @escaping @Sendable (AttackKit) throws -> [UInt8]
    ) {
        self.init(
            id: id, summary: summary, why: why, reference: reference, failedChecks: fails,
            make: { kit in try kit.claim(proof(kit)) })
    }

    /// Declares a forgery by what is changed in the receipt before the store signs it.
    init(
        receipt id: String, _ summary: String, why: String, reference: String, fails: Forgery...,
        change: @escaping @Sendable (inout ReceiptContent) -> Void
    ) {
        self.init(
            id: id, summary: summary, why: why, reference: reference, failedChecks: fails,
            make: { kit in try kit.claim(kit.signedReceipt(change)) })
    }

    /// Declares a forgery by what is changed in the fields of the container that the store signed.
    init(
        container id: String, _ summary: String, why: String, reference: String, fails: Forgery...,
        change: @escaping @Sendable (inout SignedDataContent) throws -> Void
    ) {
        self.init(
            id: id, summary: summary, why: why, reference: reference, failedChecks: fails,
            make: { kit in try kit.claim(kit.signed(change)) })
    }

    /// Declares a forgery by what is changed in the elements of the container that the store signed.
    init(
        encoding id: String, _ summary: String, why: String, reference: String, fails: Forgery...,
        change: @escaping @Sendable (inout DERTree) throws -> Void
    ) {
        self.init(
            id: id, summary: summary, why: why, reference: reference, failedChecks: fails,
            make: { kit in try kit.claim(kit.edited(change)) })
    }
}

/// A list of cases, each of which the compiler checks by itself.
@resultBuilder
enum AttackList {
    static func buildPartialBlock(first: AttackCase) -> [AttackCase] { [first] }

    static func buildPartialBlock(accumulated: [AttackCase], next: AttackCase) -> [AttackCase] { accumulated + [next] }
}

/// What a case presents: a proof, and what the verifier is given with it.
public struct AttackClaim: Sendable, Changeable {
    /// The octets that the device presents.
    public var proof: [UInt8]
    /// Whether the octets are text, such as base64 or PEM, that a verifier has to decode first.
    public var isText = false
    /// The claimed device, or alternatives separated by `|`.
    public var deviceID: String
    /// The bundle identifier of the app that the proof is presented to.
    public var bundleID: String
    /// The app version that the proof should carry; `nil` if any will do.
    public var appVersion: String?
    /// The environments (attribute 0) that are allowed; `nil` if any is.
    public var allowedEnvironments: [String]?
    /// The certificates in DER that are trusted, and no others.
    public var trustAnchors: [[UInt8]]
    /// The instant at which the proof is checked.
    public var asOf: Instant
}
