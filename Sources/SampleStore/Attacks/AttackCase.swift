public import Encodings

/// One case of the attack suite: a proof that must be refused, or a control that must be accepted, and why.
///
/// The declaration is the whole case: its text becomes the JSON file, and its closure makes the proof. An id never
/// changes, and is never used for another case.
public struct AttackCase: Sendable {
    /// The case's name, in kebab-case.
    public let id: String
    public let group: AttackGroup
    /// What the proof is, in one sentence.
    public let summary: String
    /// Why it must be refused, or, of a control, accepted.
    public let why: String
    /// The standard, document or vulnerability that says so.
    public let reference: String
    /// The checks that must fail, in the order in which they are reported; none for a control.
    public let failedChecks: [AttackCheck]
    /// Whether an implementation may refuse a control: it uses a form or a key that not everybody reads.
    public let mayReject: Bool
    private let make: @Sendable (AttackKit) throws -> AttackClaim

    /// Declares a forgery of which more than the proof is special.
    init(
        claim id: String, _ summary: String, why: String, reference: String, fails: AttackCheck...,
        make: @escaping @Sendable (AttackKit) throws -> AttackClaim
    ) {
        self.init(
            id: id, group: .controls, summary: summary, why: why, reference: reference, failedChecks: fails,
            mayReject: false, make: make)
    }

    /// Declares a forgery of which only the proof is special.
    init(
        _ id: String, _ summary: String, why: String, reference: String, fails: AttackCheck...,
        proof: @escaping @Sendable (AttackKit) throws -> [UInt8]
    ) {
        self.init(
            id: id, group: .controls, summary: summary, why: why, reference: reference, failedChecks: fails,
            mayReject: false, make: { kit in try kit.claim(proof(kit)) })
    }

    /// Declares a control.
    init(
        valid id: String, _ summary: String, why: String, reference: String, mayReject: Bool = false,
        make: @escaping @Sendable (AttackKit) throws -> AttackClaim
    ) {
        self.init(
            id: id, group: .controls, summary: summary, why: why, reference: reference, failedChecks: [],
            mayReject: mayReject, make: make)
    }

    private init(
        id: String, group: AttackGroup, summary: String, why: String, reference: String,
        failedChecks: [AttackCheck], mayReject: Bool, make: @escaping @Sendable (AttackKit) throws -> AttackClaim
    ) {
        self.id = id
        self.group = group
        self.summary = summary
        self.why = why
        self.reference = reference
        self.failedChecks = failedChecks
        self.mayReject = mayReject
        self.make = make
    }

    /// Whether this is a control, which must be accepted.
    public var isControl: Bool { failedChecks.isEmpty }

    /// `valid`, `invalid` or `unreadable`.
    public var verdict: String {
        guard let first = failedChecks.first else { return "valid" }
        return first.isUnreadable ? "unreadable" : "invalid"
    }

    /// Makes what is presented: the same bytes each time.
    public func claim(_ kit: AttackKit) throws -> AttackClaim { try make(kit) }

    /// The same case in a group.
    func inGroup(_ group: AttackGroup) -> AttackCase {
        AttackCase(
            id: id, group: group, summary: summary, why: why, reference: reference, failedChecks: failedChecks,
            mayReject: mayReject, make: make)
    }
}

/// Lists cases one below the other, each type-checked by itself.
@resultBuilder
enum AttackList {
    static func buildPartialBlock(first: AttackCase) -> [AttackCase] { [first] }

    static func buildPartialBlock(accumulated: [AttackCase], next: AttackCase) -> [AttackCase] { accumulated + [next] }
}

/// What a case presents: a proof, and what the verifier is told with it.
public struct AttackClaim: Sendable {
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

    /// The same with other values.
    public func with(_ change: (inout AttackClaim) throws -> Void) rethrows -> AttackClaim {
        var claim = self
        try change(&claim)
        return claim
    }
}
