public import Encodings

/// One case of the attack suite: a proof that must be refused, or a control that must be accepted, and the reason.
///
/// The declaration is the whole case: its text becomes the JSON file, and its closure makes the proof. An id never
/// changes, and is never reused for another case.
public struct AttackCase: Sendable {
    /// The case's name, in kebab-case.
    public let id: String
    /// One sentence that describes the proof.
    public let summary: String
    /// The reason why it must be refused, or, for a control, accepted.
    public let why: String
    /// The standard, document or vulnerability that supports it.
    public let reference: String
    /// The checks that must fail, in the order in which they are reported; none for a control.
    public let failedChecks: [Forgery]
    /// Whether an implementation may refuse a control, because it uses a form or a key that not everybody supports.
    public var mayReject = false
    /// The kind of proof that it is, or pretends to be.
    public var kind = AttackKind.appReceipt
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

    /// Makes the presented claim: the same bytes each time.
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

    /// Declares a forgery by a change of the receipt before the store signs it.
    init(
        receipt id: String, _ summary: String, why: String, reference: String, fails: Forgery...,
        change: @escaping @Sendable (inout ReceiptContent) -> Void
    ) {
        self.init(
            id: id, summary: summary, why: why, reference: reference, failedChecks: fails,
            make: { kit in try kit.claim(kit.signedReceipt(change)) })
    }

    /// Declares a forgery by a change of the fields of the container that the store signed.
    init(
        container id: String, _ summary: String, why: String, reference: String, fails: Forgery...,
        change: @escaping @Sendable (inout SignedDataContent) throws -> Void
    ) {
        self.init(
            id: id, summary: summary, why: why, reference: reference, failedChecks: fails,
            make: { kit in try kit.claim(kit.signed(change)) })
    }

    /// Declares a forgery by a change of the elements of the container that the store signed.
    init(
        encoding id: String, _ summary: String, why: String, reference: String, fails: Forgery...,
        change: @escaping @Sendable (inout DERTree) throws -> Void
    ) {
        self.init(
            id: id, summary: summary, why: why, reference: reference, failedChecks: fails,
            make: { kit in try kit.claim(kit.edited(change)) })
    }
}

extension AttackCase {
    /// Declares a control that is a token, or a row with one.
    init(
        validToken id: String, _ summary: String, why: String, reference: String, kind: AttackKind = .transaction,
        mayReject: Bool = false, make: @escaping @Sendable (AttackKit) throws -> AttackClaim
    ) {
        self.init(
            id: id, summary: summary, why: why, reference: reference, failedChecks: [], mayReject: mayReject,
            kind: kind, make: make)
    }

    /// Declares a forgery that differs from a genuine claim in more than its token.
    init(
        tokenClaim id: String, _ summary: String, why: String, reference: String, kind: AttackKind = .transaction,
        fails: Forgery..., make: @escaping @Sendable (AttackKit) throws -> AttackClaim
    ) {
        self.init(
            id: id, summary: summary, why: why, reference: reference, failedChecks: fails, kind: kind, make: make)
    }

    /// Declares a forgery by its token.
    init(
        token id: String, _ summary: String, why: String, reference: String, kind: AttackKind = .transaction,
        fails: Forgery..., make: @escaping @Sendable (AttackKit) throws -> TokenContent
    ) {
        self.init(
            id: id, summary: summary, why: why, reference: reference, failedChecks: fails, kind: kind,
            make: { kit in try kit.claim(make(kit)) })
    }

    /// Declares a forgery by the bytes of a payload that the store signs.
    init(
        payload id: String, _ summary: String, why: String, reference: String, kind: AttackKind = .transaction,
        fails: Forgery..., make: @escaping @Sendable (AttackKit) throws -> [UInt8]
    ) {
        self.init(
            id: id, summary: summary, why: why, reference: reference, failedChecks: fails, kind: kind,
            make: { kit in try kit.claim(kit.tokens.token(octets: make(kit))) })
    }

    /// Declares a forgery by a change of the transaction before the store signs it.
    init(
        transaction id: String, _ summary: String, why: String, reference: String, fails: Forgery...,
        change: @escaping @Sendable (inout TransactionContent) -> Void
    ) {
        self.init(
            id: id, summary: summary, why: why, reference: reference, failedChecks: fails, kind: .transaction,
            make: { kit in try kit.claim(kit.token(kit.transaction.with(change))) })
    }

    /// Declares a forgery by the form in which the store signs the transaction.
    init(
        tokenForm id: String, _ summary: String, why: String, reference: String, fails: Forgery...,
        change: @escaping @Sendable (inout TokenForm, AttackKit) throws -> Void
    ) {
        self.init(
            id: id, summary: summary, why: why, reference: reference, failedChecks: fails, kind: .transaction,
            make: { kit in try kit.claim(kit.token(as: TokenForm().with { try change(&$0, kit) })) })
    }

    /// Declares a forgery by a change of the two numbers of the store's signature.
    init(
        tokenNumbers id: String, _ summary: String, why: String, fails: Forgery...,
        change: @escaping @Sendable (inout ECDSASignature) -> Void
    ) {
        self.init(
            id: id, summary: summary, why: why, reference: "FIPS 186-5, section 6.4.2; RFC 7518, section 3.4",
            failedChecks: fails, kind: .transaction,
            make: { kit in
                try kit.claim(
                    kit.token(as: TokenForm().with { $0.signature = .numbers { $0.with(change).octets } }))
            })
    }

    /// Declares a forgery by a change of the store's token after it is signed.
    init(
        tokenParts id: String, _ summary: String, why: String, reference: String, fails: Forgery...,
        change: @escaping @Sendable (inout TokenContent) -> Void
    ) {
        self.init(
            id: id, summary: summary, why: why, reference: reference, failedChecks: fails, kind: .transaction,
            make: { kit in try kit.claim(kit.token().with(change)) })
    }

    /// Declares a forgery by a change of the text of the store's token.
    init(
        tokenText id: String, _ summary: String, why: String, reference: String, fails: Forgery...,
        change: @escaping @Sendable (String) -> String
    ) {
        self.init(
            id: id, summary: summary, why: why, reference: reference, failedChecks: fails, kind: .transaction,
            make: { kit in try kit.claim(token: change(kit.token().text)) })
    }
}

/// The kinds of proofs that cases present.
public enum AttackKind: String, CaseIterable, Sendable {
    case appReceipt = "app-receipt"
    case transaction
    case renewalInfo = "renewal-info"
    case appTransaction = "app-transaction"
    case notification
    case realtimeRequest = "realtime-request"
}

/// A list of cases. The compiler type-checks each of them separately.
@resultBuilder
enum AttackList {
    static func buildPartialBlock(first: AttackCase) -> [AttackCase] { [first] }

    static func buildPartialBlock(accumulated: [AttackCase], next: AttackCase) -> [AttackCase] { accumulated + [next] }
}

/// The input of a case: a proof, and the other data for the verifier.
public struct AttackClaim: Sendable, Changeable {
    /// The bytes that the device presents.
    public var proof: [UInt8]
    /// Whether the bytes are text, such as base64 or PEM, that a verifier has to decode first.
    public var isText = false
    /// The claimed device, or alternatives separated by `|`.
    public var deviceID: String
    /// StoreKit's `AppStore.deviceVerificationID` on the claimed device, if the row has it; only for tokens.
    public var deviceVerificationID: String?
    /// The bundle identifier of the app that the proof is presented to.
    public var bundleID: String
    /// The app version that the proof should have; `nil` for any.
    public var appVersion: String?
    /// The allowed environments (attribute 0 of a receipt); `nil` for any.
    public var allowedEnvironments: [String]?
    /// The trusted certificates in DER.
    public var trustAnchors: [[UInt8]]
    /// The instant at which the proof is checked.
    public var asOf: Instant
}
