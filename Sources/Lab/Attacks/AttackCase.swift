public import Encodings

/// One case of the attack suite: a proof that must be refused, or a control that must be accepted, and the reason.
///
/// The declaration names the case and makes its proof. What is said of it is its line in `Texts/cases.tsv`. An id never
/// changes, and is never reused for another case.
public struct AttackCase: Sendable {
    /// The case's name, in kebab-case.
    public let id: String
    /// What is said of it.
    public let text: AttackText
    private let make: @Sendable (AttackKit) throws -> AttackClaim
    /// The group, which the suite sets.
    public internal(set) var group = AttackGroup.controls

    /// Declares a case by its claim.
    init(claim id: String, make: @escaping @Sendable (AttackKit) throws -> AttackClaim) {
        self.id = id
        text = AttackText.all[id] ?? .missing
        self.make = make
    }

    /// Whether this is a control, which must be accepted.
    public var isControl: Bool { text.failedChecks.isEmpty }

    /// The expected verdict: `valid`, `invalid` or `unreadable`.
    public var verdict: String {
        guard let first = text.failedChecks.first else { return "valid" }
        return first.isUnreadable ? "unreadable" : "invalid"
    }

    /// Makes the presented claim: the same bytes each time.
    public func claim(_ kit: AttackKit) throws -> AttackClaim { try make(kit) }
}

extension AttackCase {
    /// Declares a case by its proof.
    init(_ id: String, proof: @escaping @Sendable (AttackKit) throws -> [UInt8]) {
        self.init(claim: id) { kit in try kit.claim(proof(kit)) }
    }

    /// Declares a case by a change of the receipt before the store signs it.
    init(receipt id: String, change: @escaping @Sendable (inout ReceiptContent) -> Void) {
        self.init(id) { kit in try kit.signedReceipt(change) }
    }

    /// Declares a case by a change of the fields of the container that the store signed.
    init(container id: String, change: @escaping @Sendable (inout SignedDataContent) throws -> Void) {
        self.init(id) { kit in try kit.signed(change) }
    }

    /// Declares a case by a change of the elements of the container that the store signed.
    init(encoding id: String, change: @escaping @Sendable (inout DERTree) throws -> Void) {
        self.init(id) { kit in try kit.edited(change) }
    }

    /// Declares a case by its token.
    init(token id: String, make: @escaping @Sendable (AttackKit) throws -> TokenContent) {
        self.init(claim: id) { kit in try kit.claim(make(kit)) }
    }

    /// Declares a case by the bytes of a payload that the store signs.
    init(payload id: String, make: @escaping @Sendable (AttackKit) throws -> [UInt8]) {
        self.init(claim: id) { kit in try kit.claim(kit.tokens.token(octets: make(kit))) }
    }

    /// Declares a case by a change of the transaction before the store signs it.
    init(transaction id: String, change: @escaping @Sendable (inout TransactionContent) -> Void) {
        self.init(claim: id) { kit in try kit.claim(kit.token(kit.transaction.with(change))) }
    }

    /// Declares a case by the form in which the store signs the transaction.
    init(tokenForm id: String, change: @escaping @Sendable (inout TokenForm, AttackKit) throws -> Void) {
        self.init(claim: id) { kit in try kit.claim(kit.token(as: TokenForm().with { try change(&$0, kit) })) }
    }

    /// Declares a case by a change of the two numbers of the store's signature.
    init(tokenNumbers id: String, change: @escaping @Sendable (inout ECDSASignature) -> Void) {
        self.init(tokenForm: id) { form, _ in form.signature = .numbers { $0.with(change).octets } }
    }

    /// Declares a case by a change of the store's token after it is signed.
    init(tokenParts id: String, change: @escaping @Sendable (inout TokenContent) -> Void) {
        self.init(claim: id) { kit in try kit.claim(kit.token().with(change)) }
    }

    /// Declares a case by a change of the text of the store's token.
    init(tokenText id: String, change: @escaping @Sendable (String) -> String) {
        self.init(claim: id) { kit in try kit.claim(token: change(kit.token().text)) }
    }
}

/// What is said of a case: one line of `Texts/cases.tsv`, which people edit.
public struct AttackText: Sendable {
    /// The kind of proof that it is, or pretends to be.
    public let kind: AttackKind
    /// The checks that must fail, in the order in which they are reported; none for a control.
    public let failedChecks: [Forgery]
    /// Whether an implementation may refuse a control, because it uses a form or a key that not everybody supports.
    public let mayReject: Bool
    /// One sentence that describes the proof.
    public let summary: String
    /// The reason why it must be refused, or, for a control, accepted.
    public let why: String
    /// The standard, document or vulnerability that supports it.
    public let reference: String

    /// What stands in the place of a line that is not there.
    static let missing = AttackText(
        kind: .appReceipt, failedChecks: [], mayReject: false, summary: "", why: "", reference: "")

    /// The lines of the file behind the names of its columns.
    static let lines = String(decoding: PackageResources.cases_tsv, as: UTF8.self).split(separator: "\n").dropFirst()

    /// The texts by their cases' ids. Lines that are not in the form are left out.
    static let all = Dictionary(lines.compactMap(entry), uniquingKeysWith: { first, _ in first })

    private static func entry(_ line: Substring) -> (String, AttackText)? {
        let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard cells.count == 6, let kind = AttackKind(rawValue: cells[1]) else { return nil }
        let codes = ["valid", "may-reject"].contains(cells[2]) ? [] : cells[2].split(separator: " ").map(String.init)
        let failedChecks = codes.compactMap(Forgery.init)
        guard failedChecks.count == codes.count, !cells[2].isEmpty else { return nil }
        return (
            cells[0],
            AttackText(
                kind: kind, failedChecks: failedChecks, mayReject: cells[2] == "may-reject", summary: cells[3],
                why: cells[4], reference: cells[5])
        )
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
